//go:build e2e

package e2e

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"runtime"
	"strconv"
	"testing"
	"time"

	"example.com/kneeline/loadgen"
	"example.com/kneeline/loadgen/hostile"
)

// soakEnv is how long the soak lasts, as Go writes durations: bench/loadgen/soak.sh
// sets it to 10 minutes.
const soakEnv = "KNEELINE_SOAK"

const (
	soakRate = 5000.0
	// shortRate is that of the short form, which shares the machine with other tests.
	shortRate = 1500.0
	soakEvery = 20 // every so many requests the server misbehaves
	// soakTimeline is what a run keeps of each second, by design: see
	// loadgen.Timeline. The slice that holds it grows by quarters.
	soakTimeline = 12e3
)

// sampled is what the process holds at an instant.
type sampled struct {
	at                time.Duration
	rss, heap         float64
	goroutines, files float64
}

// TestSoak offers load to a server that does something else wrong with every
// twentieth request, and asks whether the client grows: memory beyond its
// timeline, goroutines, descriptors. The server is in the same process, so that
// what it holds counts too.
func TestSoak(t *testing.T) {
	if text := os.Getenv(soakEnv); text != "" {
		length, err := time.ParseDuration(text)
		if err != nil {
			t.Fatalf("%s: %v", soakEnv, err)
		}
		if problem, _ := soak(t, length, soakRate); problem != "" {
			t.Error(problem)
		}
		return
	}
	bestOf(t, func() (string, bool) { return soak(t, 18*time.Second, shortRate) })
}

// soak runs for so long and says what is wrong. Where the machine lagged so much
// that the generator was late, connections pile up, and a sample tells little.
func soak(t *testing.T, length time.Duration, rate float64) (problem string, void bool) {
	s, err := hostile.Start(hostile.Mix(soakEvery), hostile.Plain)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	c, err := loadgen.New(loadgen.Options{URL: "http://" + s.Addr() + "/"})
	if err != nil {
		t.Fatal(err)
	}
	var samples []sampled
	began := time.Now()
	every := max(time.Second, length/60)
	res, err := c.Offer(context.Background(), loadgen.Offer{Timeout: time.Second, PeakRate: rate, Seed: 1},
		loadgen.PilotFunc(func(tl *loadgen.Timeline) loadgen.Step {
			if at := time.Since(began); at >= time.Duration(len(samples)+1)*every {
				samples = append(samples, sample(at))
			}
			return loadgen.Step{Rate: rate, Stop: tl.Now >= length}
		}))
	if err != nil {
		t.Fatal(err)
	}
	n, causes := &res.Segments[0].Counts, len(res.Segments[0].Causes)
	t.Logf("%d planned in %v: %v, %d causes; %d connections opened, %d at once; the server counted %d; CPU %.0f %% of a loop; %s",
		n.Planned, res.Timeline.Now.Round(time.Second), n.By, causes, res.Conns, res.ConnsPeak, s.Hits(), 100*res.CPUShare, res.Segments[0].Void)
	for i := 0; i < len(samples); i += max(1, len(samples)/10) {
		t.Logf("%+v", samples[i])
	}
	if !n.Balanced() || s.Hits() > n.Planned {
		return fmt.Sprintf("%d planned, outcomes %v, the server counted %d", n.Planned, n.By, s.Hits()), false
	}
	return growth(t, samples), res.Segments[0].Void != ""
}

// growth compares the second third of the samples with the last one: the first
// fills caches and pools. The least of each counts, since other work on the
// machine makes connections pile up for a while, and what leaks never goes again.
func growth(t *testing.T, samples []sampled) (problem string) {
	k := len(samples) / 3
	if k < 2 {
		return fmt.Sprintf("%d samples", len(samples))
	}
	least := func(s []sampled, of func(sampled) float64) float64 {
		v := of(s[0])
		for _, x := range s {
			v = min(v, of(x))
		}
		return v
	}
	before, after := samples[k:2*k], samples[len(samples)-k:]
	apart := (after[0].at - before[0].at).Seconds()
	for _, c := range []struct {
		what  string
		of    func(sampled) float64
		slack float64
	}{
		{"live heap bytes", func(s sampled) float64 { return s.heap }, 1.5*soakTimeline*apart + 4e6},
		{"RSS bytes", func(s sampled) float64 { return s.rss }, 3*soakTimeline*apart + 16e6},
		{"goroutines", func(s sampled) float64 { return s.goroutines }, 200},
		{"descriptors", func(s sampled) float64 { return s.files }, 400},
	} {
		was, is := least(before, c.of), least(after, c.of)
		t.Logf("least %s: %.0f in the second third, %.0f in the last, %.0f s later", c.what, was, is, apart)
		if is > was+c.slack {
			problem += fmt.Sprintf("%s grew from %.0f to %.0f, expected at most %.0f more\n", c.what, was, is, c.slack)
		}
	}
	return problem
}

func sample(at time.Duration) sampled {
	runtime.GC() // what is alive is what counts
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	s := sampled{at: at.Round(time.Second), heap: float64(m.HeapAlloc), goroutines: float64(runtime.NumGoroutine())}
	if entries, err := os.ReadDir("/proc/self/fd"); err == nil {
		s.files = float64(len(entries))
	}
	if status, err := os.ReadFile("/proc/self/status"); err == nil {
		if _, rest, ok := bytes.Cut(status, []byte("VmRSS:")); ok {
			kb, _ := strconv.Atoi(string(bytes.Fields(rest)[0]))
			s.rss = 1024 * float64(kb)
		}
	}
	return s
}
