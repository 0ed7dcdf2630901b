package tier

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"
)

// spells collects what a meter reports.
type spells struct {
	nobody[int]
	all   []Spell
	items []int
}

func (s *spells) Ended(x Spell)                  { s.all = append(s.all, x) }
func (s *spells) Began(item int, from, to int64) { s.items = append(s.items, item) }

// bit is a part of a random log, in whole milliseconds.
type bit struct{ from, to, share int64 }

const ms = int64(time.Millisecond)

// randomLog makes parts over length milliseconds, in calm and in busy stretches.
func randomLog(r *rand.Rand, length int64) []bit {
	var bits []bit
	full := r.IntN(2) == 0
	for t := r.Int64N(200); t < length; {
		gap, dur := 1+r.Int64N(120), 1+r.Int64N(40)
		if r.IntN(12) == 0 {
			dur = 1 + r.Int64N(400)
		}
		if r.IntN(9) == 0 {
			gap = r.Int64N(600)
		}
		if r.IntN(3) == 0 {
			gap = r.Int64N(8)
		}
		share := int64(Whole)
		if !full && r.IntN(3) > 0 {
			share = r.Int64N(Whole + 1)
		}
		bits = append(bits, bit{t, min(t+dur, length), share})
		if r.IntN(6) == 0 { // nested in it or across its end
			from := min(t+r.Int64N(dur), length-1)
			bits = append(bits, bit{from, min(from+1+r.Int64N(dur), length), share})
		}
		t += gap
		if r.IntN(4) > 0 {
			t += dur
		}
	}
	slices.SortStableFunc(bits, func(a, b bit) int { return int(a.to - b.to) })
	return bits
}

// brute judges a log by looking at every millisecond.
type brute struct {
	spells []Spell
	peak   float64
	above  []int64
	// crossings counts how often the share went over or under a threshold.
	crossings []int64
	busy      int64 // millionths of milliseconds
	overhead  []float64
}

func bruteForce(bits []bit, length int64, c Config) brute {
	b := brute{above: make([]int64, len(c.Tiers)), crossings: make([]int64, len(c.Tiers))}
	was := make([]bool, len(c.Tiers))
	rate := make([]int64, length+1)
	for _, x := range bits {
		for t := x.from; t < x.to; t++ {
			rate[t] += x.share
		}
	}
	sum := make([]int64, length+1)
	for t := range length {
		sum[t+1] = sum[t] + min(rate[t], Whole)
	}
	b.busy = sum[length]
	w, warm := int64(c.Window)/ms, int64(c.Warm)/ms
	stays := make([]*Spell, len(c.Tiers))
	b.overhead = make([]float64, length+1)
	for t := warm; t <= length; t++ {
		low := max(0, t-w)
		held, span := sum[t]-sum[low], t-low
		o := float64(held) / float64(span) / Whole
		b.overhead[t] = o
		b.peak = max(b.peak, o)
		for k, tr := range c.Tiers {
			if in := held >= tr.Threshold*span; in != was[k] || t == warm {
				was[k] = in
				b.crossings[k]++
			}
			if held >= tr.Threshold*span {
				if t < length {
					b.above[k]++
				}
				// At the end of the log only what was entered before it counts.
				if stays[k] == nil && (t < length || held > tr.Threshold*span) {
					stays[k] = &Spell{Tier: k, Enter: t * ms}
				}
			}
			s := stays[k]
			if s == nil {
				continue
			}
			s.Peak = max(s.Peak, o)
			if !s.Violated && t*ms-s.Enter >= int64(tr.Period) {
				s.Violated, s.ViolatedAt = true, s.Enter+int64(tr.Period)
			}
			if Whole*held < tr.Threshold*c.Exit*span {
				s.Leave = t * ms
				b.spells = append(b.spells, *s)
				stays[k] = nil
			}
		}
	}
	for _, s := range stays {
		if s != nil {
			s.Leave, s.End = length*ms, Open
			b.spells = append(b.spells, *s)
		}
	}
	return b
}

func near(a, b int64) bool { return a-b < ms && b-a < ms }

// TestOracle holds the exact meter against brute force on thousands of random logs.
func TestOracle(t *testing.T) {
	logs := 20_000
	if testing.Short() {
		logs = 2_000
	}
	seen, violated := 0, 0
	for seed := range logs {
		r := rand.New(rand.NewPCG(uint64(seed), 7))
		c := Config{Window: time.Duration(60+r.Int64N(240)) * time.Millisecond}
		c.Warm = c.Window / 3 / time.Millisecond * time.Millisecond
		c.Exit = 800_000
		c.Tiers = List{
			{100_000, time.Duration(300+r.Int64N(300)) * time.Millisecond}, {250_000, 200 * time.Millisecond},
			{500_000, 100 * time.Millisecond}, {int64(750_000 + r.IntN(250_001)), time.Duration(1+r.Int64N(100)) * time.Millisecond},
		}
		c.Lag = time.Duration(900) * time.Millisecond
		if r.IntN(2) == 0 {
			c.Lag = time.Hour
		}
		length := 200 + r.Int64N(2500)
		bits := randomLog(r, length)
		want := bruteForce(bits, length, c)
		got := &spells{}
		m, err := New(c, got)
		if err != nil {
			t.Fatal(err)
		}
		m.Start(0)
		for i, b := range bits {
			m.Add(b.from*ms, b.to*ms, b.share, i)
		}
		m.Stop(length*ms, Open)
		if !compare(t, c, got.all, want, m.Totals()) || len(got.items) != len(bits) {
			t.Fatalf("seed %d: %d of %d parts began, lag %v", seed, len(got.items), len(bits), c.Lag)
		}
		seen += len(got.all)
		for _, s := range got.all {
			if s.Violated {
				violated++
			}
		}
	}
	if seen < 3*logs || violated < logs/2 {
		t.Errorf("%d logs had %d stays and %d violations: too few to test with", logs, seen, violated)
	}
}

func compare(t *testing.T, c Config, got []Spell, want brute, totals Totals) bool {
	t.Helper()
	byTime := func(a, b Spell) int {
		if a.Tier != b.Tier {
			return a.Tier - b.Tier
		}
		return int(a.Enter - b.Enter)
	}
	slices.SortFunc(got, byTime)
	slices.SortFunc(want.spells, byTime)
	ok := true
	fail := func(format string, args ...any) {
		t.Errorf(format, args...)
		ok = false
	}
	if len(got) != len(want.spells) {
		fail("stays: got %d, want %d\n%v\n%v", len(got), len(want.spells), got, want.spells)
		return false
	}
	for i, w := range want.spells {
		g := got[i]
		period := int64(c.Tiers[g.Tier].Period)
		border := near(g.Leave-g.Enter, period) || near(w.Leave-w.Enter, period)
		switch {
		case g.Tier != w.Tier || !near(g.Enter, w.Enter) || !near(g.Leave, w.Leave) || g.End != w.End:
			fail("stay: got %+v, want %+v", g, w)
		case g.Violated != w.Violated && !border:
			fail("violation: got %+v, want %+v", g, w)
		case g.Violated && g.ViolatedAt != g.Enter+period:
			fail("violated at %d, entered at %d, period %d", g.ViolatedAt, g.Enter, period)
		case math.Abs(g.Peak-w.Peak) > 1e-12 && g.Leave-g.Enter > 2*ms:
			// The peak of a stay of a moment lies at its end, between milliseconds.
			if g.Peak > w.Peak+0.02 || g.Peak < w.Peak-1e-12 {
				fail("peak: got %v, want %v", g.Peak, w.Peak)
			}
		}
	}
	if totals.Busy != want.busy*ms/Whole {
		fail("busy: got %d, want %d", totals.Busy, want.busy*ms/Whole)
	}
	if math.Abs(totals.Peak-want.peak) > 1e-12 {
		fail("peak: got %v, want %v", totals.Peak, want.peak)
	}
	for k, n := range want.above {
		// Each crossing is seen up to a millisecond late.
		if d := totals.Above[k] - n*ms; d > want.crossings[k]*ms || d < -want.crossings[k]*ms {
			fail("above %v: got %d, want %d", c.Tiers[k], totals.Above[k], n*ms)
		}
	}
	return ok
}
