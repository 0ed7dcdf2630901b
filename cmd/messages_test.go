package cmd

import (
	"bytes"
	"context"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"
)

// screenOf is what a terminal shows in the end: the display moves up and clears
// from there on.
func screenOf(text string) string {
	var rows []string
	up := regexp.MustCompile(`^\x1b\[(\d)A\x1b\[J`)
	for _, line := range strings.Split(strings.ReplaceAll(text, "\r", ""), "\n") {
		for m := up.FindStringSubmatch(line); m != nil; m = up.FindStringSubmatch(line) {
			n := int(m[1][0] - '0')
			rows = rows[:max(0, len(rows)-n)]
			line = line[len(m[0]):]
		}
		rows = append(rows, line)
	}
	return strings.Join(rows, "\n")
}

// lockedBuffer is a buffer that several goroutines may write to.
type lockedBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *lockedBuffer) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *lockedBuffer) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}

// What is said while something is drawn stands above it, and stays when that is
// taken away.
func TestMessagesStandAboveTheDisplay(t *testing.T) {
	out := &lockedBuffer{}
	a := newApp(State{Stderr: out, StderrTTY: true, Width: func() int { return 80 }}.withDefaults())
	live := a.display(context.Background())
	live.Phase("following", 0)
	live.Update(time.Second, "one status")
	for deadline := time.Now().Add(10 * time.Second); !strings.Contains(out.String(), "one status"); {
		if time.Now().After(deadline) {
			t.Fatalf("nothing is drawn: %q", out)
		}
		time.Sleep(5 * time.Millisecond)
	}
	a.Warnf("first\nsecond")
	live.Close()
	a.Notef("third")
	if got, want := screenOf(out.String()), "kneeline: warning: first\nsecond\nkneeline: third\n"; got != want {
		t.Errorf("the screen shows %q, want %q", got, want)
	}
}
