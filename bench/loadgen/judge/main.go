// Command judge compares what the load generator reported under a service that
// froze with two accounts that do not come from the generator:
//
//   - ideal: every planned instant of the constant schedule, sent through a
//     first-come service with the freezes the service logged and its mean busy
//     time for a request;
//
//   - served: the k-th planned instant against the k-th answer the service
//     logged. It knows how long the service really took to work off the backlog
//     of a freeze, on which the 90th percentile hangs: a tenth of the requests
//     is planned in a freeze.
//
//     judge OFFER.json SERVER.json
//
// It exits with 1 when p90, p99 or p99.9 is off the served account by more than
// 3 %, fewer than 99.9 % of the planned requests were sent, or the generator held
// more than 30 MB.
package main

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"slices"
)

type offered struct {
	Planned      uint64             `json:"planned"`
	Sent         uint64             `json:"sent"`
	By           map[string]uint64  `json:"by_class"`
	Void         string             `json:"void"`
	Seconds      float64            `json:"seconds"`
	LatencyMs    map[string]float64 `json:"latency_ms"`
	SendLagMs    map[string]float64 `json:"send_lag_ms"`
	ConnsPeak    uint64             `json:"conns_peak"`
	CPUSeconds   float64            `json:"cpu_seconds"`
	PeakRSSBytes int64              `json:"peak_rss_bytes"`
	StartNs      int64              `json:"start_monotonic_ns"`
}

type served struct {
	Requests uint64     `json:"requests"`
	BusyNs   float64    `json:"busy_ns_per_request"`
	Freezes  [][2]int64 `json:"freezes_monotonic_ns"`
	Answers  []int64    `json:"answers_monotonic_ns"`
}

func main() {
	var o offered
	var s served
	if len(os.Args) != 3 {
		fmt.Fprintln(os.Stderr, "usage: judge OFFER.json SERVER.json")
		os.Exit(2)
	}
	for i, to := range []any{&o, &s} {
		b, err := os.ReadFile(os.Args[i+1])
		if err == nil {
			err = json.Unmarshal(b, to)
		}
		if err != nil {
			fmt.Fprintln(os.Stderr, "judge:", err)
			os.Exit(2)
		}
	}
	if !judge(&o, &s) {
		os.Exit(1)
	}
}

// fromLog returns the latencies in ms by the service's log of its answers.
func fromLog(o *offered, s *served) []float64 {
	gap := o.Seconds * 1e9 / float64(o.Planned)
	var lat []float64
	for k, t := range s.Answers[:min(len(s.Answers), int(o.Planned))] {
		lat = append(lat, (float64(t-o.StartNs)-float64(k)*gap)/1e6)
	}
	slices.Sort(lat)
	return lat
}

// ideal returns the latencies in ms that the schedule itself calls for.
func ideal(o *offered, s *served) []float64 {
	gap := o.Seconds * 1e9 / float64(o.Planned)
	lat := make([]float64, o.Planned)
	free := 0.0 // when the service is done with what came before, from the start
	next := 0
	for k := range lat {
		at := float64(k) * gap
		begin := max(at, free)
		for next < len(s.Freezes) && begin >= float64(s.Freezes[next][0]-o.StartNs) {
			begin = max(begin, float64(s.Freezes[next][1]-o.StartNs))
			next++
		}
		free = begin + s.BusyNs
		lat[k] = (free - at) / 1e6
	}
	slices.Sort(lat)
	return lat
}

func judge(o *offered, s *served) bool {
	share := float64(o.Sent) / float64(o.Planned)
	mb := float64(o.PeakRSSBytes) / 1e6
	fmt.Printf("planned %d, sent %.3f %%, the service counted %d; %d freezes; %v; void: %q\n", o.Planned, 100*share, s.Requests, len(s.Freezes), o.By, o.Void)
	fmt.Printf("%d connections, %.1f MB resident, %.1f us CPU a request, send lag p50 %.3f p99 %.3f ms\n",
		o.ConnsPeak, mb, o.CPUSeconds*1e6/float64(o.Planned), o.SendLagMs["p50"], o.SendLagMs["p99"])
	ok := share >= 0.999 && mb <= 30 && len(s.Freezes) > 0
	byPlan, byLog := ideal(o, s), fromLog(o, s)
	if len(byLog) == 0 {
		fmt.Println("the service logged no answer")
		return false
	}
	for _, p := range []struct {
		name string
		q    float64
	}{{"p50", 0.5}, {"p90", 0.9}, {"p99", 0.99}, {"p99.9", 0.999}} {
		got, plan, log := o.LatencyMs[p.name], quantile(byPlan, p.q), quantile(byLog, p.q)
		fmt.Printf("%-6s reported %9.3f ms; served %9.3f ms (off by %+.2f %%); ideal %9.3f ms (%+.2f %%)\n",
			p.name, got, log, 100*(got/log-1), plan, 100*(got/plan-1))
		if p.q >= 0.9 && math.Abs(got/log-1) > 0.03 {
			ok = false
		}
	}
	return ok
}

func quantile(sorted []float64, q float64) float64 {
	return sorted[int(math.Ceil(q*float64(len(sorted))))-1]
}
