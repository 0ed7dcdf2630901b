package progress

import (
	"bytes"
	"context"
	"strings"
	"sync"
	"testing"
	"time"

	"example.com/kneeline/internal/term"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// sink is a stderr that several goroutines write to.
type sink struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (s *sink) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.Write(p)
}

func (s *sink) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.String()
}

// shows waits until the display has drawn every text, for as long as a loaded
// machine may need.
func (s *sink) shows(t *testing.T, texts ...string) {
	t.Helper()
	deadline := time.After(20 * time.Second)
	for _, text := range texts {
		for !strings.Contains(s.String(), text) {
			select {
			case <-deadline:
				t.Fatalf("display never showed %q, only %q", text, s.String())
			case <-time.After(5 * time.Millisecond):
			}
		}
	}
}

// drive calls everything a command calls.
func drive(l *Live) {
	l.Phase("search for capacity", 40*time.Second)
	l.Update(10*time.Second, "1,150/s  p50 8 ms")
	l.Note("trial 3 is void")
	l.Phase("recovery", 0)
	l.Update(time.Second, "950/s")
}

func TestPlainLinesWhereThereIsNoTerminal(t *testing.T) {
	var out sink
	l := New(context.Background(), Options{Out: &out})
	drive(l)
	l.Close()
	const want = "search for capacity (up to 40s)\ntrial 3 is void\nrecovery\n"
	if out.String() != want {
		t.Errorf("got %q, want %q", out.String(), want)
	}
}

func TestQuietShowsNothing(t *testing.T) {
	for _, tty := range []bool{false, true} {
		var out sink
		l := New(context.Background(), Options{Out: &out, TTY: tty, Quiet: true})
		drive(l)
		l.Close()
		if out.String() != "" {
			t.Errorf("tty %v: quiet wrote %q", tty, out.String())
		}
	}
}

func TestLiveLine(t *testing.T) {
	var out sink
	l := New(context.Background(), Options{Out: &out, TTY: true, Width: 80})
	l.Phase("search for capacity", 40*time.Second)
	l.Update(10*time.Second, "1,150/s  p50 8 ms")
	out.shows(t, "search for capacity", "25 %", "30s left", "1,150/s  p50 8 ms")
	l.Note("trial 3 is void")
	out.shows(t, "trial 3 is void\n")
	l.Phase("recovery", 0)
	l.Update(7*time.Second, "950/s")
	out.shows(t, "recovery", "7s", "950/s")
	l.Close()
	for line := range strings.Lines(out.String()) {
		if w := term.Width(term.Clean(strings.TrimRight(line, "\n"))); w > 80 {
			t.Errorf("line of %d columns: %q", w, line)
		}
	}
	// The last thing on the screen is the escape that clears the live lines.
	if s := out.String(); !strings.HasSuffix(s, "\x1b[J") {
		t.Errorf("the live line stays on the screen: %q", s[max(0, len(s)-60):])
	}
}

func TestLiveLineNeverCompletesByItself(t *testing.T) {
	var out sink
	l := New(context.Background(), Options{Out: &out, TTY: true})
	l.Phase("search", time.Second)
	l.Update(5*time.Second, "late")
	l.Update(6*time.Second, "later still")
	out.shows(t, "100 %", "later still")
	l.Close()
}

func TestHostileTextDoesNotReachTheTerminal(t *testing.T) {
	var out sink
	l := New(context.Background(), Options{Out: &out})
	l.Phase("a\x1b]0;title\x07b\nc", 0)
	l.Note("x\x1b[2Jy")
	l.Close()
	if out.String() != "ab c\nxy\n" {
		t.Errorf("got %q", out.String())
	}
}

// A cancelled context ends the display even when nobody calls Close; TestMain
// sees that nothing keeps running.
func TestContextEndsTheDisplay(t *testing.T) {
	var out sink
	ctx, cancel := context.WithCancel(context.Background())
	l := New(ctx, Options{Out: &out, TTY: true})
	drive(l)
	out.shows(t, "recovery")
	cancel()
	deadline := time.After(20 * time.Second)
	for done := false; !done; {
		l.mu.Lock()
		done = l.closed
		l.mu.Unlock()
		select {
		case <-deadline:
			t.Fatal("the display outlives its context")
		case <-time.After(time.Millisecond):
		}
	}
	drive(l)
	l.Close()
	if !strings.HasSuffix(out.String(), "trial 3 is void\n") {
		t.Errorf("a note after the end is written plainly, got %q", out.String())
	}
}

func TestAlreadyCancelled(t *testing.T) {
	var out sink
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	l := New(ctx, Options{Out: &out, TTY: true})
	drive(l)
	l.Close()
}

func TestNilAndClosedDisplaysDoNothing(t *testing.T) {
	var none *Live
	drive(none)
	none.Close()
	var out sink
	l := New(context.Background(), Options{Out: &out, TTY: true})
	l.Close()
	l.Close()
	l.Phase("after the end", time.Second)
	l.Update(0, "x")
	if strings.Contains(out.String(), "after the end") {
		t.Error("a closed display shows a phase")
	}
}

func TestManyGoroutines(t *testing.T) {
	var out sink
	l := New(context.Background(), Options{Out: &out, TTY: true})
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for range 20 {
				drive(l)
			}
		})
	}
	wg.Wait()
	l.Close()
}
