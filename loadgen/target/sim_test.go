package target

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"
)

// account is what a simulated run left.
type account struct {
	arrived, full, degraded, shed, dropped int
	wait                                   float64 // mean queue wait of served requests, s
	response                               []time.Duration
}

func (a *account) quantile(p float64) float64 {
	slices.Sort(a.response)
	return a.response[int(p*float64(len(a.response)))].Seconds()
}

// simulate offers Poisson arrivals at a rate for so many requests.
func simulate(cfg Config, rate float64, n int, seed uint64) account {
	rng := rand.New(rand.NewPCG(seed, 99))
	sim := NewSim(cfg, seed)
	a := account{response: make([]time.Duration, 0, n)}
	done := func(_ uint64, _ time.Duration, ans Answer) {
		switch ans.Kind {
		case Full:
			a.full++
		case Degraded:
			a.degraded++
		case Shed:
			a.shed++
		case Dropped:
			a.dropped++
		}
		if ans.Kind == Full || ans.Kind == Degraded {
			a.wait += ans.Wait.Seconds()
			a.response = append(a.response, ans.Wait+ans.Service)
		}
	}
	t := 0.0
	for i := range n {
		t += rng.ExpFloat64() / rate
		at := time.Duration(t * 1e9)
		sim.Advance(at, done)
		sim.Arrive(at, uint64(i))
		a.arrived++
	}
	sim.Advance(time.Duration(math.MaxInt64/4), done)
	a.wait /= float64(max(1, a.full+a.degraded))
	return a
}

// plain is a service without a bound on its queue.
func plain(workers int, law string) Config {
	cfg := Default()
	cfg.Workers, cfg.Queue = workers, Unbounded
	cfg.Service, _ = ParseLaw(law)
	return cfg
}

// TestMeanWait checks mean queue waits against closed forms (M/M/1, M/M/c by
// Erlang C, M/G/1 by Pollaczek-Khinchine), in units of the mean service time.
func TestMeanWait(t *testing.T) {
	for _, c := range []struct {
		name    string
		workers int
		law     string
		load    float64 // offered load in workers
		want    float64
	}{
		{"M/M/1", 1, "exp:10ms", 0.8, 4},
		{"M/D/1", 1, "fixed:10ms", 0.8, 2},
		{"M/G/1 lognormal cv 1.5", 1, "lognormal:10ms,cv=1.5", 0.8, 0.8 * (1 + 2.25) / 2 / 0.2},
		{"M/M/2", 2, "exp:10ms", 1.6, 1.777778},
		{"M/M/5", 5, "exp:10ms", 4, 0.554113},
		{"M/M/12", 12, "exp:10ms", 10.8, 0.533369},
		{"M/M/50", 50, "exp:10ms", 45, 0.072773},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			const runs, n = 8, 60_000
			var means []float64
			for seed := range uint64(runs) {
				a := simulate(plain(c.workers, c.law), c.load/0.010, n, seed+1)
				means = append(means, a.wait/0.010)
			}
			mean, se := meanAndError(means)
			if diff := math.Abs(mean - c.want); diff > 4*se+0.005*c.want {
				t.Errorf("mean wait %.4f service times, want %.4f (standard error %.4f)", mean, c.want, se)
			}
			if se > 0.08*c.want {
				t.Errorf("standard error %.4f leaves nothing tested", se)
			}
		})
	}
}

func meanAndError(x []float64) (mean, se float64) {
	for _, v := range x {
		mean += v / float64(len(x))
	}
	for _, v := range x {
		se += (v - mean) * (v - mean)
	}
	return mean, math.Sqrt(se / float64(len(x)-1) / float64(len(x)))
}

// TestResponseQuantile checks p99 of the response time of M/M/1 at load 0.8:
// -ln(0.01)/(mu-lambda) = 23.03 service times.
func TestResponseQuantile(t *testing.T) {
	a := simulate(plain(1, "exp:10ms"), 80, 500_000, 3)
	if got := a.quantile(0.99) / 0.010; math.Abs(got-23.03) > 1.2 {
		t.Errorf("p99 = %.2f service times, want 23.03", got)
	}
}

// TestBlocking checks the share refused by a service without waiting positions:
// Erlang B for 10 workers at an offered load of 8 is 0.121661, whatever the law.
func TestBlocking(t *testing.T) {
	for _, law := range []string{"exp:10ms", "fixed:10ms", "lognormal:10ms,cv=1.5"} {
		cfg := plain(10, law)
		cfg.Queue = 0
		a := simulate(cfg, 800, 400_000, 5)
		if got := float64(a.shed) / float64(a.arrived); math.Abs(got-0.121661) > 0.004 {
			t.Errorf("%s: blocked share %.4f, want 0.1217", law, got)
		}
	}
}

// TestLIFO checks that the discipline leaves the mean wait alone and widens the
// spread of response times.
func TestLIFO(t *testing.T) {
	fifo := simulate(plain(1, "exp:10ms"), 80, 400_000, 7)
	cfg := plain(1, "exp:10ms")
	cfg.Discipline = LIFO
	lifo := simulate(cfg, 80, 400_000, 7)
	if math.Abs(lifo.wait/fifo.wait-1) > 0.03 {
		t.Errorf("mean wait %.4f s under LIFO, %.4f s under FIFO: want them equal", lifo.wait, fifo.wait)
	}
	if lifo.quantile(0.99) < 1.5*fifo.quantile(0.99) {
		t.Errorf("p99 %.3f s under LIFO, %.3f s under FIFO: want a longer tail", lifo.quantile(0.99), fifo.quantile(0.99))
	}
}

// TestThroughput checks that an overloaded service completes workers / mean
// service a second, less what stalls take, within four standard errors.
func TestThroughput(t *testing.T) {
	for _, law := range []string{"exp:10ms", "fixed:10ms", "lognormal:10ms,cv=1.5"} {
		for _, stall := range []Stall{{}, {Length: 300 * time.Millisecond, Every: 10 * time.Second}} {
			cfg := plain(12, law)
			cfg.Queue, cfg.Stall = 500, stall
			const seconds = 100
			n := 0
			sim := NewSim(cfg, 11)
			for i := range uint64(seconds * 2000) {
				at := time.Duration(i) * 500 * time.Microsecond
				sim.Arrive(at, i)
				sim.Advance(at, func(_ uint64, _ time.Duration, a Answer) {
					if a.Kind == Full {
						n++
					}
				})
			}
			want := cfg.RawRate() * seconds
			if stall.Every > 0 {
				// The first period has no stall.
				want += 1200 * stall.Length.Seconds()
			}
			se := math.Max(cfg.Service.Variation()*math.Sqrt(want), 24)
			if math.Abs(float64(n)-want) > 4*se {
				t.Errorf("%s, stall %v: %d completed, want %.0f ± %.0f", law, stall, n, want, 4*se)
			}
		}
	}
}

// TestStall walks through one stall: work in progress is shifted by it, nothing
// begins or ends in it, and a request that arrives in it waits for its end.
func TestStall(t *testing.T) {
	const ms = time.Millisecond
	cfg := plain(2, "fixed:10ms")
	cfg.Stall = Stall{Length: 300 * ms, Every: 10 * time.Second}
	type line struct {
		id            uint64
		at            time.Duration
		wait, service time.Duration
	}
	want := []line{
		{id: 1, at: 10302 * ms, wait: 0, service: 310 * ms},       // 8 of 10 ms were done
		{id: 2, at: 10305 * ms, wait: 0, service: 310 * ms},       // 5 of 10 ms were done
		{id: 3, at: 10312 * ms, wait: 105 * ms, service: 10 * ms}, // came while both were busy
		{id: 4, at: 20310 * ms, wait: 200 * ms, service: 10 * ms}, // found an idle, frozen worker
	}
	sim := NewSim(cfg, 1)
	sim.Arrive(9992*ms, 1)
	sim.Arrive(9995*ms, 2)
	sim.Arrive(10197*ms, 3)
	sim.Arrive(20100*ms, 4)
	var got []line
	sim.Advance(time.Minute, func(id uint64, at time.Duration, a Answer) {
		got = append(got, line{id, at, a.Wait, a.Service})
	})
	if !slices.Equal(got, want) {
		t.Errorf("answers %v, want %v", got, want)
	}
}

// TestConservation drives random services with random arrivals: every request
// is answered once or still pending, answers come in time order, none before
// its arrival, none inside a stall, and no bound is broken.
func TestConservation(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		cfg := Default()
		cfg.Workers = rapid.IntRange(1, 5).Draw(t, "workers")
		cfg.Queue = rapid.IntRange(-1, 6).Draw(t, "queue")
		cfg.Service = Law{Kind: LawKind(rapid.IntRange(0, 2).Draw(t, "law")), Mean: 10 * time.Millisecond, CV: 1.5}
		cfg.Discipline = Discipline(rapid.IntRange(0, 1).Draw(t, "discipline"))
		cfg.DropExpired = time.Duration(rapid.IntRange(0, 20).Draw(t, "drop")) * time.Millisecond
		cfg.ServeDead = rapid.Bool().Draw(t, "serve dead")
		cfg.Degraded = rapid.SampledFrom([]float64{0, 0.3}).Draw(t, "degraded")
		if rapid.Bool().Draw(t, "stalls") {
			cfg.Stall = Stall{Length: 7 * time.Millisecond, Every: 50 * time.Millisecond}
		}
		if rapid.Bool().Draw(t, "limited") {
			cfg.RateLimit = RateLimit{PerSecond: 300, Burst: 3}
		}
		sim := NewSim(cfg, rapid.Uint64().Draw(t, "seed"))
		arrived := map[uint64]time.Duration{}
		var last time.Duration
		done := func(id uint64, at time.Duration, a Answer) {
			came, open := arrived[id]
			if !open {
				t.Fatalf("request %d answered twice or never sent", id)
			}
			delete(arrived, id)
			if at < last || at < came {
				t.Fatalf("answer at %s, after one at %s, to an arrival at %s", at, last, came)
			}
			last = at
			if a.Kind == Shed && at != came {
				t.Fatalf("refused %s after its arrival", at-came)
			}
			if a.Kind <= Degraded {
				if a.Wait+a.Service != at-came {
					t.Fatalf("wait %s + service %s is not the response time %s", a.Wait, a.Service, at-came)
				}
				if s := cfg.Stall; s.Every > 0 && at >= s.Every && at%s.Every < s.Length {
					t.Fatalf("completed at %s, inside a stall", at)
				}
			}
		}
		gaps := rapid.SliceOfN(rapid.IntRange(0, 12), 1, 200).Draw(t, "gaps in ms")
		var now time.Duration
		for i, g := range gaps {
			now += time.Duration(g) * time.Millisecond
			id := uint64(i)
			arrived[id] = now
			sim.Arrive(now, id)
			if g%3 == 0 {
				sim.Leave(id)
			}
			if g%2 == 0 {
				sim.Advance(now, done)
				if len(arrived) != sim.Pending() {
					t.Fatalf("%d without an answer, %d pending", len(arrived), sim.Pending())
				}
			}
			if cfg.Queue >= 0 && sim.Waiting() > cfg.Queue {
				t.Fatalf("%d waiting in a queue of %d", sim.Waiting(), cfg.Queue)
			}
		}
		sim.Advance(now+time.Hour, done)
		if len(arrived) != 0 || sim.Pending() != 0 {
			t.Fatalf("%d without an answer, %d pending at the end", len(arrived), sim.Pending())
		}
	})
}

func BenchmarkSim(b *testing.B) {
	sim := NewSim(Default(), 1)
	rng := rand.New(rand.NewPCG(1, 2))
	done := func(uint64, time.Duration, Answer) {}
	b.ReportAllocs()
	t := 0.0
	for i := 0; b.Loop(); i++ {
		t += rng.ExpFloat64() / 1188
		at := time.Duration(t * 1e9)
		sim.Advance(at, done)
		sim.Arrive(at, uint64(i))
	}
}
