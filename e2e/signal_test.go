//go:build e2e

package e2e

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// spoken collects what a program says, and can be waited on while it runs.
type spoken struct {
	mu  sync.Mutex
	buf bytes.Buffer
}

func (s *spoken) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.buf.Write(p)
}

func (s *spoken) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.buf.String()
}

// interrupted starts a measurement, sends it signals once it has said a word,
// and returns how it ended and how long that took from the first signal on. It
// is not ok when the measurement ended before the word.
func interrupted(t *testing.T, word string, signals []syscall.Signal, args ...string) (r ran, took time.Duration, ok bool) {
	t.Helper()
	cmd := exec.Command(program, append([]string{"headroom"}, args...)...)
	var out, errs spoken
	cmd.Stdout, cmd.Stderr, cmd.Dir = &out, &errs, t.TempDir()
	cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + cmd.Dir}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	kill := time.AfterFunc(2*time.Minute, func() { _ = cmd.Process.Kill() })
	defer kill.Stop()
	ended := make(chan struct{})
	go func() {
		_ = cmd.Wait()
		close(ended)
	}()
	for !strings.Contains(errs.String(), word) {
		select {
		case <-ended:
			return ran{cmd.ProcessState.ExitCode(), out.String(), errs.String()}, 0, false
		case <-time.After(20 * time.Millisecond):
		}
	}
	time.Sleep(200 * time.Millisecond)
	begin := time.Now()
	for _, s := range signals {
		_ = cmd.Process.Signal(s)
		time.Sleep(50 * time.Millisecond)
	}
	<-ended
	return ran{cmd.ProcessState.ExitCode(), out.String(), errs.String()}, time.Since(begin), true
}

// TestInterrupted ends measurements in the midst of each kind of phase: the
// report of what there is comes at once, marked as partial. A machine that lags
// can keep a measurement from its later phases; that round is void.
func TestInterrupted(t *testing.T) {
	for _, c := range []struct {
		phase  string // as stderr names it
		signal syscall.Signal
		code   int
		args   []string
	}{
		{"floor", syscall.SIGINT, 130, nil},
		{"saturate", syscall.SIGINT, 130, nil},
		{"saturate", syscall.SIGTERM, 143, []string{"--demo", "stall=300ms/10s"}},
		{"overload", syscall.SIGINT, 130, []string{"--budget", "20s"}},
	} {
		t.Run(c.phase+" "+c.signal.String(), func(t *testing.T) {
			bestOf(t, func() (string, bool) {
				path := filepath.Join(t.TempDir(), "result.json")
				r, took, ok := interrupted(t, c.phase+"\n", []syscall.Signal{c.signal}, append(c.args, "-o", "json="+path, "-o", "text")...)
				if !ok {
					return fmt.Sprintf("ended before the phase %s\n%s", c.phase, r.stderr), true
				}
				return partial(r, c.code, took, path), false
			})
		})
	}
}

// partial says what is wrong with a run that was ended by a signal, and with the
// JSON it left.
func partial(r ran, code int, took time.Duration, path string) string {
	if r.code != code {
		return fmt.Sprintf("exit code %d, want %d\n%s", r.code, code, r.stderr)
	}
	if took > 10*time.Second {
		return fmt.Sprintf("took %v to end", took)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return err.Error()
	}
	var d struct {
		Complete *bool
		Account  struct {
			Planned int64 `json:"planned_count"`
		}
	}
	if err := json.Unmarshal(data, &d); err != nil {
		return err.Error()
	}
	if d.Complete == nil || *d.Complete || d.Account.Planned == 0 {
		return fmt.Sprintf("complete %v, %d planned: want a partial account", d.Complete, d.Account.Planned)
	}
	if !strings.Contains(r.stdout, "INCOMPLETE") {
		return "the text does not say that it is partial:\n" + r.stdout
	}
	return ""
}

// TestInterruptedTwice ends at the second signal without a report. The service
// never answers, so that the first alone would leave requests to settle.
func TestInterruptedTwice(t *testing.T) {
	silent, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer silent.Close()
	r, took, ok := interrupted(t, "floor\n", []syscall.Signal{syscall.SIGINT, syscall.SIGINT},
		"http://"+silent.Addr().String()+"/", "--timeout", "30s")
	if !ok || r.code != 130 || took > 5*time.Second {
		t.Errorf("exit code %d after %v, want 130 at once\n%s", r.code, took, r.stderr)
	}
}
