package histoonly

import (
	"fmt"
	"time"

	"example.com/kneeline/analyze/pending"
	"example.com/kneeline/analyze/queue/server"
	"example.com/kneeline/internal/units"
	"example.com/kneeline/queuecalc"
)

// useful tells how long a new request waits, how many positions are served in time,
// and the value to set, by the same arithmetic as for a heap dump.
func (j *judge) useful(e *evidence) {
	rate, from, workers := j.capacity(e)
	if e.Setting != nil && e.Role == pending.RoleRequests && (rate <= 0 || j.o.Timeout == nil) {
		e.Setting.Note = "the value follows from --capacity and --timeout"
	}
	if rate <= 0 || e.Role == pending.RoleResponses {
		return
	}
	e.Throughput, e.ThroughputFrom = &rate, from
	if wait, err := queuecalc.LittleTime(float64(e.Entries), rate); err == nil {
		e.WaitOfNew = &wait
	}
	if j.o.Timeout == nil || *j.o.Timeout <= 0 {
		return
	}
	in := queuecalc.UsefulInput{
		Capacity:      queuecalc.Interval{Estimate: rate},
		ClientTimeout: time.Duration(*j.o.Timeout * float64(time.Second)),
		Workers:       int(min(workers, queuecalc.MaxWorkers)),
	}
	if j.o.ServiceTime != nil {
		in.ServiceTime = time.Duration(*j.o.ServiceTime * float64(time.Second))
	}
	u, err := queuecalc.Useful(in)
	if err != nil {
		j.warn("the useful length of the %s could not be computed: %v", e.Name, err)
		return
	}
	positions := max(int64(u.Positions), 1)
	dead := max(e.Entries-positions, 0)
	e.UsefulPositions, e.Dead = &positions, &dead
	if e.Setting != nil && e.Role == pending.RoleRequests {
		e.Setting.Value = units.Count(positions)
		e.write(u, workers, j.poolOf(e), in.ClientTimeout)
		e.Setting.Note = fmt.Sprintf("%s × %s = %s in the system, less what runs and a margin", units.Rate(rate), units.Seconds(*j.o.Timeout), units.Count(int64(u.InSystem)))
	}
}

// write writes the setting as the server's own configuration has it, with as many
// threads as there are.
func (e *evidence) write(u queuecalc.UsefulQueue, workers, threads int64, timeout time.Duration) {
	if e.Server != "jetty" && e.Server != "tomcat" && e.Server != "undertow" {
		return
	}
	settings, err := server.Write(e.Server, server.Values{Queue: max(int64(u.Positions), 1), InSystem: int64(u.Safe), Workers: int(workers), Threads: threads, Timeout: timeout})
	if err != nil {
		return // the name of the setting and its value stand as they are
	}
	for _, item := range settings.Items {
		if item.Kind == server.Queue && item.Key != "" {
			e.Setting.Name, e.Setting.Value, e.Setting.Source = item.Key, item.Value, item.Source
			break
		}
	}
	if len(settings.Snippets) > 0 {
		e.Setting.Snippet = settings.Snippets[0].Code
	}
}

// poolOf is how many threads the pool has that drains a queue; 0 where that is not
// known.
func (j *judge) poolOf(e *evidence) int64 {
	if e.Pool == nil || j.threads == nil {
		return 0
	}
	return j.threads.Pools[*e.Pool].Total
}

// capacity is the rate at which the service drains a queue, where it is known from,
// and how many workers do it.
func (j *judge) capacity(e *evidence) (rate float64, from string, workers int64) {
	if e.Pool != nil && j.threads != nil {
		p := &j.threads.Pools[*e.Pool]
		workers = max(p.Busy-p.Own, 1)
	}
	switch {
	case j.o.Capacity != nil && *j.o.Capacity > 0:
		return *j.o.Capacity, pending.FromCapacity, workers
	case j.o.ServiceTime != nil && *j.o.ServiceTime > 0 && workers > 0:
		return float64(workers) / *j.o.ServiceTime, pending.FromServiceTime, workers
	}
	return 0, "", workers
}
