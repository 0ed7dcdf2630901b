package gc

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"example.com/kneeline/gcparse"
	"example.com/kneeline/internal/fault"
	"example.com/kneeline/internal/finding"
)

// host is a log of a host that is busy for a while.
func host(t *testing.T, name string, share, from, to float64) *Log {
	t.Helper()
	p := newTape(t, gcparse.G1)
	p.wall = someDay
	p.res.Stream.Name = name
	p.calm(0, from)
	p.busy(from, to, share)
	p.calm(to, 1000)
	return p.judge()
}

func TestFleet(t *testing.T) {
	s, err := NewAssembly(Config{}, Gates{})
	if err != nil {
		t.Fatal(err)
	}
	for i := range 77 {
		s.Add(host(t, fmt.Sprintf("calm-%02d.log", i), 0.02+float64(i)/2000, 100, 200))
	}
	s.Add(host(t, "bad-2.log", 0.6, 300, 400))
	s.Add(host(t, "bad-1.log", 0.9, 350, 450))
	s.Add(host(t, "bad-3.log", 0.3, 340, 440))
	r := s.Result()
	if r.Fleet == nil || r.Fleet.Logs != 80 || r.Fleet.Overloaded != 3 || len(r.Logs) != maxDetailed || len(r.Fleet.Rows) != 80 {
		t.Fatalf("%+v", r.Fleet)
	}
	var order []string
	for _, x := range r.Fleet.Rows[:4] {
		order = append(order, x.Name)
	}
	if got := strings.Join(order, " "); got != "bad-1.log bad-2.log bad-3.log calm-76.log" {
		t.Errorf("order %s", got)
	}
	wantIn(t, r.Verdict.Sentence, "3 of 80 logs", "2 of them in the tier of 50%", "2026-11-28 10:05", "worst is bad-1.log")
	if x := r.Fleet.Together; x == nil || x.Logs != 3 || x.Begin < "2026-11-28T10:05:50" || x.Begin > "2026-11-28T10:06:20" {
		t.Errorf("together %+v", x)
	}
	if n := r.Fleet.Tiers; n[0].Logs != 3 || n[1].Logs != 3 || n[2].Logs != 2 || n[3].Logs != 1 {
		t.Errorf("%+v", n)
	}
}

// The result does not depend on the order in which logs are read.
func TestFleetOrder(t *testing.T) {
	logs := []*Log{host(t, "a.log", 0.3, 100, 200), host(t, "b.log", 0.02, 100, 200), host(t, "c.log", 0.9, 100, 200), host(t, "d.log", 0.9, 100, 220)}
	var first string
	for _, order := range [][]int{{0, 1, 2, 3}, {3, 2, 1, 0}, {2, 0, 3, 1}} {
		s, err := NewAssembly(Config{}, Gates{MaxOverhead: 0.5})
		if err != nil {
			t.Fatal(err)
		}
		for _, i := range order {
			s.Add(logs[i])
		}
		r := s.Result()
		got := fmt.Sprintf("%+v %+v", r.Verdict.Sentence, r.Gates)
		for _, x := range r.Fleet.Rows {
			got += " " + x.Name
		}
		if first == "" {
			first = got
		}
		if got != first {
			t.Errorf("%v: %s\nand %s", order, got, first)
		}
	}
}

func TestFleetWithoutOverload(t *testing.T) {
	s, _ := NewAssembly(Config{}, Gates{})
	s.Add(host(t, "a.log", 0.02, 100, 200))
	s.Add(host(t, "b.log", 0.03, 100, 200))
	wantIn(t, s.Result().Verdict.Sentence, "not the overload in any of 2 logs", "b.log")
	empty := newTape(t, gcparse.AnyCollector)
	empty.res.Runs = nil
	s, _ = NewAssembly(Config{}, Gates{})
	s.Add(empty.judge())
	s.Add(empty.judge())
	if v := s.Result().Verdict; v.Answer != Unknown {
		t.Errorf("%+v", v)
	}
	s, _ = NewAssembly(Config{}, Gates{})
	if v := s.Result().Verdict; v.Answer != Unknown {
		t.Errorf("%+v", v)
	}
}

func TestGates(t *testing.T) {
	limits, err := ParsePauseLimits("p99<200ms,1s")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name  string
		gates Gates
		share float64
		want  []bool
	}{
		{"overhead holds", Gates{MaxOverhead: 0.4}, 0.3, []bool{true}},
		{"overhead fails", Gates{MaxOverhead: 0.25}, 0.3, []bool{false}},
		{"pauses hold", Gates{MaxPause: limits}, 0.3, []bool{true, true}},
		{"pauses fail", Gates{MaxPause: limits}, 0.9, []bool{false, true}},
		{"findings hold", Gates{FailOn: finding.Error}, 0.3, []bool{true}},
		{"findings fail", Gates{FailOn: finding.Warning}, 0.3, []bool{false}},
		{"all", Gates{MaxOverhead: 0.9999, MaxPause: limits[1:], FailOn: finding.Error}, 0.9, []bool{true, true, false}},
	} {
		s, err := NewAssembly(Config{}, c.gates)
		if err != nil {
			t.Fatal(err)
		}
		s.Add(host(t, "calm.log", 0.02, 100, 200))
		s.Add(host(t, "busy.log", c.share, 100, 200))
		r := s.Result()
		var got []bool
		for _, g := range r.Gates {
			got = append(got, g.Pass)
			if g.Log != "busy.log" {
				t.Errorf("%s: worst is %s", c.name, g.Log)
			}
			if !g.Pass {
				wantIn(t, g.Sentence(), g.Wanted, "busy.log")
			}
		}
		if fmt.Sprint(got) != fmt.Sprint(c.want) {
			t.Errorf("%s: %v, want %v: %+v", c.name, got, c.want, r.Gates)
		}
		failed := 0
		for _, x := range c.want {
			if !x {
				failed++
			}
		}
		if len(r.Failed()) != failed {
			t.Errorf("%s: %d failed", c.name, len(r.Failed()))
		}
	}
}

// What a tier is in since is the first time, not the worst.
func TestFleetSince(t *testing.T) {
	p := newTape(t, gcparse.G1)
	p.wall = someDay
	p.calm(0, 100)
	p.busy(100, 140, 0.3)
	p.calm(140, 500)
	p.busy(500, 540, 0.9)
	p.calm(540, 700)
	s, _ := NewAssembly(Config{}, Gates{})
	s.Add(p.judge())
	s.Add(host(t, "calm.log", 0.02, 100, 200))
	tiers := s.Result().Fleet.Tiers
	if a, b := tiers[1].Since, tiers[3].Since; a < "2026-11-28T10:01:4" || a > "2026-11-28T10:02:2" || b < "2026-11-28T10:08:2" {
		t.Errorf("25%% since %s, 80%% since %s", a, b)
	}
}

// A log that is too short to be judged and over the limit all the same fails.
func TestShortLogFailsTheGate(t *testing.T) {
	p := newTape(t, gcparse.G1)
	p.calm(0, 10)
	p.busy(10, 20, 0.9)
	s, _ := NewAssembly(Config{}, Gates{MaxOverhead: 0.1})
	s.Add(p.judge())
	if g := s.Result().Gates[0]; g.Pass || g.Undecided != 0 {
		t.Errorf("%+v", g)
	}
}

// A log that cannot tell fails no gate, and passes none: it is counted.
func TestUndecidedGates(t *testing.T) {
	p := newTape(t, gcparse.ZGC)
	p.cycles(5)
	s, _ := NewAssembly(Config{}, Gates{MaxOverhead: 0.1, MaxPause: PauseLimits{{1, time.Second}}})
	s.Add(p.judge())
	for _, g := range s.Result().Gates {
		if !g.Pass || g.Undecided != 1 || g.Found != "" {
			t.Errorf("%+v", g)
		}
	}
}

func TestParsePauseLimits(t *testing.T) {
	for text, want := range map[string]string{
		"200ms": "max<200ms", "p99<200ms": "p99<200ms", " P99.9 <= 1s , p50<5ms": "p99.9<1s,p50<5ms", "max<2m": "max<2m",
	} {
		got, err := ParsePauseLimits(text)
		if err != nil || got.String() != want {
			t.Errorf("%q: %v, %v", text, got, err)
		}
	}
	for _, text := range []string{"", "p98<1s", "p99<", "p99<0s", "p99<1s,p99<2s", "p99>1s", "1", "<1s"} {
		if got, err := ParsePauseLimits(text); err == nil || fault.KindOf(err) != fault.Usage {
			t.Errorf("%q: %v, %v", text, got, err)
		}
	}
	if err := (Gates{MaxOverhead: 1.5}).Validate(); err == nil {
		t.Error("a limit of 150% is taken")
	}
}

func FuzzParsePauseLimits(f *testing.F) {
	for _, s := range []string{"p99<200ms", "200ms,p50<1ms", "<", "p99.9<=3s"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		l, err := ParsePauseLimits(text)
		if err != nil {
			return
		}
		if again, err := ParsePauseLimits(l.String()); err != nil || again.String() != l.String() {
			t.Errorf("%q: %v reads back as %v, %v", text, l, again, err)
		}
	})
}
