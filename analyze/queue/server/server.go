// Package server knows how servers want their limits written: keys, units,
// versions, and the text to paste. One file holds one server.
//
// It decides no values; those come from package queue above.
package server

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"example.com/kneeline/internal/fault"
	"example.com/kneeline/internal/nearest"
	"example.com/kneeline/internal/units"
)

// Values are the numbers to write. Zero is not known for all but Queue.
type Values struct {
	// Queue is the request queue in waiting positions, InSystem the same with the
	// requests that run.
	Queue, InSystem int64
	// Workers is how many workers to set; RunsAtOnce how many requests were taken
	// to run when Queue was computed.
	Workers, RunsAtOnce int
	// Threads are all threads that the pool has today, with those that the server
	// keeps for itself, MinThreads how few it may have, and IdleTimeout how long one
	// may be idle: a text that is about the queue leaves them as they are.
	Threads, MinThreads int64
	IdleTimeout         time.Duration
	AcceptQueue         int64
	// Rate is the rate limit per second, Burst how far it may be exceeded at
	// once.
	Rate, Burst int64
	// PoolMax and PoolMin are connections per client, Clients their number.
	PoolMax, PoolMin, Clients int64
	// RetryBudget is the share of requests that may be sent again.
	RetryBudget float64
	// Timeout is how long clients wait; QueueWait how long a request may wait and
	// still be served by then.
	Timeout, QueueWait time.Duration
}

// The kinds of setting, in the order in which they are shown.
const (
	Queue       = "queue"
	Workers     = "workers"
	AcceptQueue = "accept queue"
	Pool        = "pool"
	RateLimit   = "rate limit"
)

// Kinds returns the kinds of setting of which every server says something.
func Kinds() []string { return []string{Queue, Workers, AcceptQueue, Pool, RateLimit} }

// Settings are the settings of one server.
type Settings struct {
	Name  string `json:"name"`
	Title string `json:"title"`
	// Versions says for which versions the keys hold.
	Versions string    `json:"versions"`
	Items    []Item    `json:"settings"`
	Snippets []Snippet `json:"snippets"`
	Notes    []string  `json:"notes"`
}

// Item is one setting.
type Item struct {
	// Kind is one of the kinds above.
	Kind string `json:"kind"`
	// Key is the exact name; empty where the server has no such setting, which
	// Note then explains.
	Key   string `json:"key,omitempty"`
	Value string `json:"value,omitempty"`
	Unit  string `json:"unit,omitempty"`
	// Default is what holds when the key is absent, Since the first version that
	// has the key.
	Default string `json:"default,omitempty"`
	Since   string `json:"since,omitempty"`
	Note    string `json:"note,omitempty"`
	// Source is where key, unit and default are documented.
	Source string `json:"source"`
}

// Snippet is the change ready to be pasted.
type Snippet struct {
	// File is where it belongs, Lang the language for highlighters.
	File string `json:"file"`
	Lang string `json:"lang"`
	Code string `json:"code"`
}

// dialect is one server.
type dialect struct {
	name, title, versions string
	// threads is the server's default of worker threads; 0 where it has no pool of
	// them.
	threads int64
	write   func(Values) ([]Item, []Snippet, []string)
}

// dialects are all servers, in the order of help.
func dialects() []dialect {
	return []dialect{
		jetty, tomcat, springBoot, undertow, netty, dropwizard,
		nginx, haproxy, envoy, istio, grpc, goHTTP, node, sysctl,
	}
}

// Names returns the names of all servers.
func Names() []string {
	var names []string
	for _, d := range dialects() {
		names = append(names, d.name)
	}
	return names
}

// Write returns the settings of the server called name.
func Write(name string, v Values) (Settings, error) {
	i := slices.IndexFunc(dialects(), func(d dialect) bool { return d.name == strings.ToLower(name) })
	if i < 0 {
		err := fault.Usagef("server %q: expected one of %s", name, strings.Join(Names(), ", "))
		if near, ok := nearest.To(strings.ToLower(name), Names()); ok {
			err = fault.WithHint(err, "did you mean "+near+"?")
		}
		return Settings{}, err
	}
	d := dialects()[i]
	s := Settings{Name: d.name, Title: d.title, Versions: d.versions, Notes: []string{}}
	var notes []string
	s.Items, s.Snippets, notes = d.write(v)
	s.Notes = append(s.Notes, notes...)
	if v.Workers == 0 && s.Items[0].Key != "" {
		s.Notes = append(s.Notes, v.withoutWorkers(d))
	}
	return s, nil
}

// withoutWorkers says what was written where the workers are not known.
func (v Values) withoutWorkers(d dialect) string {
	const give = " --workers or --service-time tells them."
	if d.threads == 0 {
		return "The number of workers is not known: the text above bounds what runs and waits together, and needs no change for them." + give
	}
	threads, queue := v.threadPool(d.threads, 0)
	if threads < d.threads {
		return fmt.Sprintf("The number of workers is not known, and the default of %d would alone hold more than the %d that may be in the system: the text above lowers it.", d.threads, v.inSystem()) + give
	}
	return fmt.Sprintf("The number of workers is not known: the text above takes the default of %d, which leaves about %d of the %d that may be in the system to the queue. Where you run another number, the queue is %d less that.",
		d.threads, queue, v.inSystem(), v.inSystem()) + give
}

// threadPool returns the threads of a pool and the jobs that may wait for one,
// at least 1 of both. Own is how many threads the server keeps for itself. Where
// the workers are not known it takes the server's default, usual, as far as that
// leaves no more in the system than is safe: a queue that forgets the default of
// 200 threads is longer by 200.
func (v Values) threadPool(usual, own int64) (threads, queue int64) {
	if v.Workers > 0 {
		return int64(v.Workers) + own, max(v.Queue, 1)
	}
	workers := min(usual-own, max(v.inSystem()-1, 1))
	return workers + own, max(v.inSystem()-workers, 1)
}

// count writes a count without separators, as configuration files want it.
func count[T units.Integer](n T) string { return fmt.Sprintf("%d", n) }

// millis writes a duration in whole milliseconds, rounded down but not to none.
func millis(d time.Duration) int64 { return max(d.Milliseconds(), 1) }

// workers returns the workers to write, or n where they are not known.
func (v Values) workers(n int) int {
	if v.Workers > 0 {
		return v.Workers
	}
	return n
}

// running is how many requests may run at once: the workers, or where they are
// not known all that are in the system, which throttles nothing.
func (v Values) running() int64 {
	if v.Workers > 0 {
		return int64(v.Workers)
	}
	return v.inSystem()
}

// allRun is a comment for snippets in which running stands for workers that are
// not known.
const allRun = "The number of workers is not known, so all that are let in may run at once."

// inSystem is the bound on running and waiting requests, at least 1.
func (v Values) inSystem() int64 { return max(v.InSystem, 1) }

// ifWorkers returns text where the workers are known.
func (v Values) ifWorkers(text string) string {
	if v.Workers == 0 {
		return ""
	}
	return text
}

// workersItem is the setting of workers, without a value where it is not known.
func (v Values) workersItem(i Item) Item {
	i.Kind = Workers
	if v.Workers > 0 {
		i.Value = count(v.Workers)
	} else {
		i.Note = joinNotes("the service time is not known", i.Note)
	}
	return i
}

// poolItem is the setting of the connections per client, without a value where
// the number of clients is not known.
func (v Values) poolItem(i Item) Item {
	i.Kind = Pool
	if v.PoolMax > 0 {
		i.Value = count(v.PoolMax)
	} else {
		i.Note = joinNotes("the number of clients is not known", i.Note)
	}
	return i
}

// totalItem is the server's own limit on the connections of all clients.
func (v Values) totalItem(i Item) Item {
	i = v.poolItem(i)
	if v.PoolMax > 0 {
		i.Value = count(v.PoolMax * v.Clients)
		i.Note = joinNotes(fmt.Sprintf("for %d clients with %d each, which is set at the clients", v.Clients, v.PoolMax), i.Note)
	}
	return i
}

func joinNotes(a, b string) string {
	if b == "" {
		return a
	}
	return a + "; " + b
}
