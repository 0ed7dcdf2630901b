package cmd

import (
	"bytes"
	"context"
	"io"
	"os"
	"strings"
	"syscall"
	"testing"
	"time"

	"example.com/kneeline/analyze/gc"
	"example.com/kneeline/analyze/gc/tier"
	"example.com/kneeline/gcparse"
)

// A violation is announced once when it begins, once for each higher tier, and
// once when it ends, though the log is silent by then: time goes on.
func TestGCWatch(t *testing.T) {
	var said bytes.Buffer
	clock := noon
	a := newApp(State{Stderr: &said, Now: func() time.Time { return clock }}.withDefaults())
	cfg := gc.Config{Window: 10 * time.Second, Tiers: tier.List{{Threshold: 250_000, Period: 4 * time.Second}, {Threshold: 500_000, Period: 2 * time.Second}}}
	judge, err := gc.New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	w := newWatch(t.Context(), a, judge, cfg)
	defer w.live.Close()
	pause := func(ms int64) {
		at := clock.Sub(noon)
		e := gcparse.Event{Kind: gcparse.Pause, Collector: gcparse.Serial, Title: "Pause Full", Duration: ms * 1e6, HasDuration: true,
			Start: gcparse.Stamp{Uptime: int64(at) - ms*1e6, HasUptime: true}}
		judge.Event(&e)
		w.event(&e)
	}
	second := func(ms int64) {
		for range 4 {
			clock = clock.Add(250 * time.Millisecond)
			w.idle()
		}
		if ms > 0 {
			pause(ms)
		}
	}
	for range 20 {
		second(10)
	}
	if s := said.String(); !strings.Contains(s, "too early to judge") && !strings.Contains(s, "no events so far") || strings.Contains(s, "violation") {
		t.Fatalf("after 20 quiet seconds:\n%s", s)
	}
	for range 20 {
		second(800)
	}
	for range 15 {
		second(0)
	}
	lines := strings.Split(strings.TrimSpace(said.String()), "\n")
	var found []string
	for _, l := range lines {
		for _, what := range []string{"violation begins", "violation rises", "violation ends"} {
			if strings.Contains(l, what) {
				found = append(found, strings.TrimPrefix(what, "violation "))
			}
		}
	}
	if got := strings.Join(found, " "); got != "begins rises ends" {
		t.Errorf("announced %q:\n%s", got, said.String())
	}
	if last := lines[len(lines)-1]; !strings.Contains(last, "peak 8") {
		t.Errorf("the end does not tell the peak: %s", last)
	}
}

// Following ends with the signal: the report is written, marked as partial.
func TestGCFollowInterrupted(t *testing.T) {
	inFolder(t, map[string]string{"gc.log": stormLog()})
	signals := make(chan os.Signal, 1)
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	time.AfterFunc(300*time.Millisecond, func() { signals <- syscall.SIGINT })
	got := runIn(t, ctx, State{Args: []string{"gc", "--follow", "gc.log", "-o", "json"}, Signals: signals})
	if got.code != exitInterrupted {
		t.Fatalf("exit code %d: %s", got.code, got.stderr)
	}
	validateFrom(t, got.stdout)
	if !strings.Contains(got.stdout, `"complete": false`) || !strings.Contains(got.stdout, `"answer": "overload"`) {
		t.Errorf("the document is\n%s", got.stdout)
	}
}

func TestGCFollowRefuses(t *testing.T) {
	inFolder(t, map[string]string{"a.log": stormLog(), "b.log": quietLog()})
	got := runArgs(t, "gc", "--follow", "a.log", "b.log")
	if got.code != 2 || !strings.Contains(got.stderr, "--follow: expected one log, found 2") {
		t.Errorf("exit code %d: %s", got.code, got.stderr)
	}
}

// slowly gives its parts one after the other, with time between them.
type slowly struct {
	parts []string
	wait  time.Duration
}

func (s *slowly) Read(p []byte) (int, error) {
	if len(s.parts) == 0 {
		return 0, io.EOF
	}
	time.Sleep(s.wait)
	n := copy(p, s.parts[0])
	if s.parts[0] = s.parts[0][n:]; s.parts[0] == "" {
		s.parts = s.parts[1:]
	}
	return n, nil
}

// A pipe is followed to its end; what it tells is said while it is open.
func TestGCFollowPipe(t *testing.T) {
	lines := strings.SplitAfter(stormLog(), "\n")
	log := &slowly{wait: 200 * time.Millisecond, parts: []string{strings.Join(lines[:190], ""), strings.Join(lines[190:200], ""), strings.Join(lines[200:], "")}}
	got := runIn(t, t.Context(), State{Args: []string{"gc", "--follow", "-"}, Stdin: log})
	if got.code != 0 || !strings.HasPrefix(got.stdout, "GC was the overload") {
		t.Errorf("exit code %d: %s", got.code, firstLine(got.stdout))
	}
	if !strings.HasPrefix(got.stderr, "following") {
		t.Errorf("stderr: %s", got.stderr)
	}
}
