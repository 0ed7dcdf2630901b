package headroom

import (
	"time"

	"example.com/kneeline/internal/hist"
	"example.com/kneeline/internal/outcome"
	"example.com/kneeline/loadgen"
)

// Laws of arrivals, as [Settings] name them.
const (
	ArrivalsPoisson  = "poisson"
	ArrivalsConstant = "constant"
	ArrivalsReplay   = "replay"
)

// Settings are what a measurement was asked to do, as far as two of them must
// agree in it to be comparable.
type Settings struct {
	// Arrivals is poisson or constant, or replay for those of a log.
	Arrivals string `json:"arrivals"`
	Seed     uint64 `json:"seed"`
	// SearchSeconds bounds the load of the search; it is absent for a hold and a replay.
	SearchSeconds float64 `json:"search_budget_seconds,omitempty"`
	// HoldRate and HoldSeconds are those of a hold.
	HoldRate    float64 `json:"hold_per_second,omitempty"`
	HoldSeconds float64 `json:"hold_seconds,omitempty"`
	// MaxRate, MaxRequests and MaxFailed are the caps.
	MaxRate     float64 `json:"max_rate_per_second"`
	MaxRequests uint64  `json:"max_requests"`
	MaxFailed   uint64  `json:"max_failed"`
	// Retries is how often a bad request was sent again, RetryAfter how much later.
	Retries    int     `json:"client_retries,omitempty"`
	RetryAfter float64 `json:"client_retry_after_seconds,omitempty"`
}

func (c Config) settings() *Settings {
	s := &Settings{
		Arrivals: ArrivalsPoisson, Seed: c.Seed,
		MaxRate: c.Caps.Rate, MaxRequests: c.Caps.Requests, MaxFailed: c.Caps.Failed,
		Retries: c.Retries, RetryAfter: c.RetryAfter.Seconds(),
	}
	if c.Arrivals == loadgen.Constant {
		s.Arrivals = ArrivalsConstant
	}
	switch {
	case c.Replay != nil:
		s.Arrivals = ArrivalsReplay
	case c.Gate.HoldRate > 0:
		s.HoldRate, s.HoldSeconds = c.Gate.HoldRate, c.Gate.HoldFor.Seconds()
	default:
		s.SearchSeconds = c.Budget.Search.Seconds()
	}
	return s
}

// keeps reports whether trials keep the counts behind their figures.
func (c Config) keeps() bool { return c.KeepHistograms || c.Gate.HoldRate > 0 }

// Part is one of the results that were merged into one.
type Part struct {
	// Name is that of its file.
	Name string `json:"name"`
	// StartedUnix is when it began by its own clock, Offset how much later than the
	// first of all that is, by clocks put right as far as the user told.
	StartedUnix *float64 `json:"started_unix_seconds,omitempty"`
	Offset      *float64 `json:"offset_seconds,omitempty"`
	// Planned is how many requests it planned, Rate at which rate.
	Planned uint64  `json:"planned_count"`
	Rate    float64 `json:"planned_per_second"`
}

// Kept are the counts behind a trial's figures, so that results of several load
// generators merge exactly and two results can be held against each other with an
// error that is known. See docs/headroom.md for the packing of histograms.
type Kept struct {
	// Histograms of the time from the planned instant, by class; see
	// [hist.Hist.MarshalText].
	Histograms map[string]*hist.Hist `json:"histograms,omitempty"`
	// SendLag is of the generator's own delay.
	SendLag *hist.Hist `json:"send_lag_histogram,omitempty"`
	// LateFull and LateDegraded count, by threshold of the SLO in ascending order,
	// the full and the degraded answers that were later.
	LateFull     []uint64 `json:"late_full_counts,omitempty"`
	LateDegraded []uint64 `json:"late_degraded_counts,omitempty"`
	// Windows are whole windows of the trial, one after the other.
	Windows *Windows `json:"windows,omitempty"`
}

// keptWindow is the width of the windows that are kept.
const keptWindow = time.Second

// maxKeptWindows bounds them; of a longer trial the first are kept.
const maxKeptWindows = 3600

// Windows are counts by window, all lists of the same length.
type Windows struct {
	Seconds float64 `json:"width_seconds"`
	// Planned counts the requests planned in the window, the others what became of
	// these: Good was answered rightly and in time, Bad is by clause of the SLO.
	Planned []uint64            `json:"planned_counts"`
	Good    []uint64            `json:"good_counts"`
	Bad     map[string][]uint64 `json:"bad_counts,omitempty"`
	// Answered counts the complete answers that came within the window, and
	// LatencySum adds up their times from the planned instant.
	Answered   []uint64  `json:"answered_counts"`
	LatencySum []float64 `json:"latency_sums_seconds"`
}

// keep returns what is kept of a segment of a run.
func keep(cfg Config, s *loadgen.Segment, tl *loadgen.Timeline) *Kept {
	k := &Kept{}
	for class := range outcome.NumClasses {
		if h := &s.Latency[class]; h.Count() > 0 {
			if k.Histograms == nil {
				k.Histograms = map[string]*hist.Hist{}
			}
			c := h.Clone()
			k.Histograms[class.String()] = &c
		}
	}
	if s.SendLag.Count() > 0 {
		c := s.SendLag.Clone()
		k.SendLag = &c
	}
	if n := len(cfg.SLO.Thresholds()); n > 0 {
		k.LateFull = append(k.LateFull, s.Counts.LateFull[:n]...)
		k.LateDegraded = append(k.LateDegraded, s.Counts.LateDegraded[:n]...)
	}
	k.Windows = windows(cfg, s.Start, s.Start+s.Duration, tl)
	return k
}

// windows sums the timeline from one instant to another up into whole windows.
func windows(cfg Config, from, to time.Duration, tl *loadgen.Timeline) *Windows {
	// The timeline's own windows are narrower; the first whole one begins ours.
	from = (from + loadgen.WindowWidth - 1) / loadgen.WindowWidth * loadgen.WindowWidth
	n := min(int(max(to-from, 0)/keptWindow), maxKeptWindows)
	if n == 0 {
		return nil
	}
	w := &Windows{Seconds: keptWindow.Seconds(), Bad: map[string][]uint64{}}
	for i := range n {
		at := from + time.Duration(i)*keptWindow
		cohort, events := tl.Sum(at, at+keptWindow)
		w.Planned = append(w.Planned, cohort.Planned)
		w.Good = append(w.Good, good(cfg, cohort))
		for _, c := range cfg.SLO.Clauses {
			w.Bad[c.String()] = append(w.Bad[c.String()], c.Bad(cohort))
		}
		w.Answered = append(w.Answered, uint64(events.Answered))
		w.LatencySum = append(w.LatencySum, events.LatencySum)
	}
	return w
}

// QuantilesOf returns the quantiles of a histogram of nanoseconds, in seconds.
func QuantilesOf(h *hist.Hist) Quantiles { return quantiles(h) }
