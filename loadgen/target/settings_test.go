package target

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"example.com/kneeline/internal/fault"
)

func TestParseDemo(t *testing.T) {
	for text, change := range map[string]func(*Config){
		"":                       func(*Config) {},
		"queue=400,workers=4":    func(c *Config) { c.Queue, c.Workers = 400, 4 },
		"queue=unbounded":        func(c *Config) { c.Queue = Unbounded },
		"queue=-1":               func(c *Config) { c.Queue = Unbounded },
		"queue=0":                func(c *Config) { c.Queue = 0 },
		"service=fixed:2ms":      func(c *Config) { c.Service = Law{Kind: Fixed, Mean: 2 * time.Millisecond} },
		"discipline=lifo":        func(c *Config) { c.Discipline = LIFO },
		"drop-expired=400ms":     func(c *Config) { c.DropExpired = 400 * time.Millisecond },
		"serve-dead=false":       func(c *Config) { c.ServeDead = false },
		"stall=300ms/10s":        func(c *Config) { c.Stall = Stall{300 * time.Millisecond, 10 * time.Second} },
		"shed=429,retry-after=0": func(c *Config) { c.ShedStatus, c.RetryAfter = 429, 0 },
		"rate-limit=1000/s":      func(c *Config) { c.RateLimit = RateLimit{1000, 100} },
		"rate-limit=1000/s:7":    func(c *Config) { c.RateLimit = RateLimit{1000, 7} },
		"degraded=5%":            func(c *Config) { c.Degraded = 0.05 },
		"bytes-per-request=15kB": func(c *Config) { c.BytesPerRequest = 15000 },
		"seed=9":                 func(c *Config) { c.Seed = 9 },
		"service=lognormal:10ms,cv=1.5,queue=7": func(c *Config) {
			c.Service, c.Queue = Law{Lognormal, 10 * time.Millisecond, 1.5}, 7
		},
	} {
		want := Default()
		change(&want)
		got, err := ParseDemo(text)
		if err != nil || got != want {
			t.Errorf("ParseDemo(%q) = %+v, %v; want %+v", text, got, err, want)
		}
		again, err := ParseDemo(got.String())
		if err != nil || again != got {
			t.Errorf("%q: written as %q, read back as %+v, %v", text, got, again, err)
		}
	}
}

func TestParseDemoErrors(t *testing.T) {
	for text, want := range map[string]string{
		"que=400":                    `"que" is unknown (did you mean "queue"?)`,
		"worker=3":                   `did you mean "workers"?`,
		"colour=red":                 "settings are workers, service, queue",
		"queue":                      `"queue": want KEY=VALUE`,
		"queue=4,queue=5":            `"queue" is given twice`,
		"queue=4,":                   `"": want KEY=VALUE`,
		"queue=-2":                   "queue",
		"queue=many":                 "queue",
		"queue=99999999999":          "queue: want 0 to 10000000",
		"workers=0":                  "workers: want 1 to 100000, found 0",
		"service=exp":                "no colon",
		"service=normal:10ms":        `unknown law "normal"`,
		"service=exp:0s":             "mean 0s is not over 0",
		"service=exp:10":             `"10" is not a duration`,
		"service=exp:10ms,cv=2":      "a cv belongs to lognormal alone",
		"service=lognormal:10ms":     "which needs one",
		"service=lognormal:1s,cv=":   "is not cv=NUMBER",
		"service=lognormal:1s,cv=-1": "cv -1 is not over 0",
		"cv=2":                       `"cv" is unknown`,
		"discipline=random":          `want fifo or lifo, found "random"`,
		"stall=300ms":                "want LENGTH/PERIOD",
		"stall=10s/10s":              "stall: want a length over 0 and under its period",
		"stall=0/10s":                "stall: want a length over 0",
		"shed=500":                   "want status 503 or 429, found 500",
		"shed=yes":                   `found "yes"`,
		"serve-dead=maybe":           `want true or false, found "maybe"`,
		"degraded=120%":              "degraded: want a share from 0 to 100%, found 120%",
		"rate-limit=0":               "rate-limit",
		"rate-limit=10/s:0":          "a burst of 1 or more",
		"bytes-per-request=10":       "bytes-per-request",
		"bytes-per-request=10GiB":    "bytes-per-request: want 0 to",
		"retry-after=2h":             "retry-after: want 0 to 1h0m0s",
		"drop-expired=-1s":           "drop-expired",
		"seed=-1":                    `want a whole number of 0 or more, found "-1"`,
	} {
		_, err := ParseDemo(text)
		if err == nil {
			t.Errorf("ParseDemo(%q) succeeded, want an error", text)
			continue
		}
		if fault.KindOf(err) != fault.Usage {
			t.Errorf("ParseDemo(%q): %v is no usage error", text, err)
		}
		full := err.Error()
		if hint := fault.HintOf(err); hint != "" {
			full += " (" + hint + ")"
		}
		if !strings.Contains(full, want) {
			t.Errorf("ParseDemo(%q) = %q, want it to hold %q", text, full, want)
		}
	}
}

func FuzzParseLaw(f *testing.F) {
	for _, s := range []string{"exp:10ms", "fixed:1s", "lognormal:10ms,cv=1.5", "exp:", "lognormal:1ns,cv=1e-300", ":", "exp:1h0m0s"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		l, err := ParseLaw(s)
		if err != nil {
			return
		}
		if again, err := ParseLaw(l.String()); err != nil || again != l {
			t.Errorf("%q is %+v, written %q, read back %+v, %v", s, l, l, again, err)
		}
	})
}

func FuzzParseDemo(f *testing.F) {
	for _, s := range []string{"", "queue=400,workers=12", "service=lognormal:10ms,cv=1.5", "stall=300ms/10s,degraded=5%", "rate-limit=1k/s:3"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		c, err := ParseDemo(s)
		if err != nil {
			return
		}
		if again, err := ParseDemo(c.String()); err != nil || again != c {
			t.Errorf("%q is %+v, written %q, read back %+v, %v", s, c, c.String(), again, err)
		}
	})
}

// TestDraw checks mean and variation of a million draws of each law.
func TestDraw(t *testing.T) {
	for _, text := range []string{"exp:10ms", "fixed:10ms", "lognormal:10ms,cv=0.3", "lognormal:10ms,cv=1.5"} {
		l, err := ParseLaw(text)
		if err != nil {
			t.Fatal(err)
		}
		mean, cv := drawn(l, 1_000_000)
		if mean < 0.0099 || mean > 0.0101 {
			t.Errorf("%s: mean %.5f s, want 0.01", text, mean)
		}
		if want := l.Variation(); cv < 0.95*want || cv > 1.05*want+1e-9 {
			t.Errorf("%s: coefficient of variation %.3f, want %.3f", text, cv, want)
		}
	}
}

func drawn(l Law, n int) (mean, cv float64) {
	s := newSampler(l, rand.New(rand.NewPCG(1, 2)))
	var sum, squares float64
	for range n {
		x := float64(s.draw()) / 1e9
		sum += x
		squares += x * x
	}
	mean = sum / float64(n)
	return mean, math.Sqrt(max(0, squares/float64(n)-mean*mean)) / mean
}
