package cmd

import (
	"bytes"
	"context"
	"errors"
	"os"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/spf13/cobra"

	"example.com/kneeline/internal/fault"
	"example.com/kneeline/internal/report"
)

// ran is what one command line left.
type ran struct {
	code           int
	stdout, stderr string
}

// runIn runs a command line in this process, from an empty directory and without
// environment unless st says otherwise. extra are commands beside the real ones.
func runIn(t *testing.T, ctx context.Context, st State, extra ...func(*app) *cobra.Command) ran {
	t.Helper()
	var stdout, stderr bytes.Buffer
	st.Stdout, st.Stderr = &stdout, &stderr
	if st.Getwd == nil {
		dir := t.TempDir()
		st.Getwd = func() (string, error) { return dir, nil }
	}
	a := newApp(st.withDefaults())
	root := newRoot(a)
	for _, newCommand := range extra {
		root.AddCommand(newCommand(a))
	}
	code := a.run(ctx, root)
	return ran{code, stdout.String(), stderr.String()}
}

// runArgs runs a command line of the real program.
func runArgs(t *testing.T, args ...string) ran {
	t.Helper()
	return runIn(t, t.Context(), State{Args: args})
}

// failing returns a command called fail that returns err.
func failing(err error) func(*app) *cobra.Command {
	return func(*app) *cobra.Command {
		return &cobra.Command{Use: "fail", Args: noArgs, RunE: func(*cobra.Command, []string) error { return err }}
	}
}

func TestExitCodes(t *testing.T) {
	gate, usage, noAnswer := fault.Gatef("too little"), fault.Usagef("nonsense"), fault.NoAnswerf("unreachable")
	plain := errors.New("plain")
	tests := []struct {
		name string
		err  error
		want int
	}{
		{"none", nil, 0},
		{"gate", gate, 1},
		{"usage", usage, 2},
		{"no answer", noAnswer, 3},
		{"without a kind", plain, 3},
		{"gate and no answer", errors.Join(gate, noAnswer), 3},
		{"no answer and gate", errors.Join(noAnswer, gate), 3},
		{"gate and usage", errors.Join(gate, usage), 2},
		{"gate and plain", errors.Join(gate, plain), 3},
		{"hint on a gate", fault.WithHint(gate, "more"), 1},
		{"hint on joined errors", fault.WithHint(errors.Join(gate, noAnswer), "more"), 3},
		{"usage caused by a plain error", fault.Usagef("bad file: %w", plain), 2},
		{"usage caused by no answer", fault.Usagef("bad file: %w", noAnswer), 2},
		{"no answer caused by usage", fault.NoAnswerf("gone: %w", usage), 3},
		{"usage of joined plain errors", &fault.Error{Kind: fault.Usage, Err: errors.Join(plain, plain)}, 2},
		{"interrupted", &Interrupted{os.Interrupt}, 130},
		{"terminated", &Interrupted{syscall.SIGTERM}, 143},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := runIn(t, t.Context(), State{Args: []string{"fail"}}, failing(tt.err))
			if got.code != tt.want {
				t.Errorf("exit code %d, want %d; stderr:\n%s", got.code, tt.want, got.stderr)
			}
			if got.stdout != "" {
				t.Errorf("stdout: %q", got.stdout)
			}
		})
	}
}

func TestFailureLines(t *testing.T) {
	tests := []struct {
		name string
		err  error
		want string
	}{
		{"plain", fault.NoAnswerf("target is down"),
			"kneeline: target is down\n"},
		{"hint", fault.WithHint(fault.NoAnswerf("target is down"), "is it running?"),
			"kneeline: target is down\nhint: is it running?\n"},
		{"usage", fault.Usagef("bad flag"),
			"kneeline: bad flag\nhint: run 'kneeline fail --help' for usage and examples\n"},
		{"usage with its own hint", fault.WithHint(fault.Usagef("bad flag"), "did you mean --peak?"),
			"kneeline: bad flag\nhint: did you mean --peak?\n"},
		{"joined", errors.Join(fault.Gatef("one"), errors.Join(fault.NoAnswerf("two"), fault.NoAnswerf("three"))),
			"kneeline: one\nkneeline: two\nkneeline: three\n"},
		{"escape sequences", fault.NoAnswerf("server said \x1b[31mred\x1b[0m\a"),
			"kneeline: server said red\n"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := runIn(t, t.Context(), State{Args: []string{"fail"}}, failing(tt.err))
			if got.stderr != tt.want {
				t.Errorf("stderr:\n%s\nwant:\n%s", got.stderr, tt.want)
			}
		})
	}
}

// A command that waits until its context ends, then writes a partial report, as
// long commands do.
func waiting(started chan<- struct{}) func(*app) *cobra.Command {
	return func(a *app) *cobra.Command {
		return &cobra.Command{Use: "wait", RunE: func(c *cobra.Command, _ []string) error {
			close(started)
			<-c.Context().Done()
			err := a.out.write(result{
				JSON:   map[string]bool{"complete": false},
				Report: &report.Report{Verdict: report.Verdict{Text: "partial"}, Incomplete: "interrupted"},
			})
			return errors.Join(context.Cause(c.Context()), err)
		}}
	}
}

func TestFirstSignalEndsWithAPartialReport(t *testing.T) {
	for _, tt := range []struct {
		signal os.Signal
		code   int
		said   string
	}{
		{os.Interrupt, 130, "kneeline: interrupted; finishing with what there is (press Ctrl-C again to end at once)\n"},
		{syscall.SIGTERM, 143, "kneeline: terminated; finishing with what there is (a second signal ends at once)\n"},
	} {
		started, signals := make(chan struct{}), make(chan os.Signal, 2)
		go func() {
			<-started
			signals <- tt.signal
		}()
		got := runIn(t, t.Context(), State{Args: []string{"wait", "-o", "json"}, Signals: signals}, waiting(started))
		if got.code != tt.code {
			t.Errorf("%v: exit code %d, want %d", tt.signal, got.code, tt.code)
		}
		if got.stderr != tt.said {
			t.Errorf("%v: stderr %q, want %q", tt.signal, got.stderr, tt.said)
		}
		if !strings.Contains(got.stdout, `"complete": false`) {
			t.Errorf("%v: stdout %q has no partial report", tt.signal, got.stdout)
		}
	}
}

func TestSecondSignalEndsAtOnce(t *testing.T) {
	started, signals := make(chan struct{}), make(chan os.Signal, 2)
	exited := make(chan int, 1)
	stuck := func(a *app) *cobra.Command {
		return &cobra.Command{Use: "stuck", RunE: func(*cobra.Command, []string) error {
			close(started)
			select {
			case code := <-exited:
				exited <- code
			case <-time.After(10 * time.Second):
			}
			return nil
		}}
	}
	go func() {
		<-started
		signals <- syscall.SIGTERM
		signals <- os.Interrupt
	}()
	st := State{Args: []string{"stuck"}, Signals: signals, Exit: func(code int) { exited <- code }}
	runIn(t, t.Context(), st, stuck)
	select {
	case code := <-exited:
		if code != 130 {
			t.Errorf("exit code %d, want that of the second signal, 130", code)
		}
	default:
		t.Error("the second signal did not end the process")
	}
}

func TestErrorsOfTheCommandLineAreUsageErrors(t *testing.T) {
	tests := []struct {
		args []string
		says string
	}{
		{[]string{"headrooom-x"}, `unknown command "headrooom-x" for "kneeline"`},
		{[]string{"rulse"}, "did you mean 'kneeline rules'?"},
		{[]string{"rules", "--colour", "always"}, "did you mean --color?"},
		{[]string{"rules", "-peak"}, "flags of several letters begin with two dashes: --peak"},
		{[]string{"rules", "--color", "blue"}, `--color: expected one of auto, always, never, found "blue"`},
		{[]string{"rules", "--quiet=maybe"}, `--quiet: expected true or false, found "maybe"`},
		{[]string{"rules", "--output"}, "--output: expected a value (FORMAT[=PATH]), found nothing"},
		{[]string{"rules", "-q", "-v"}, "--quiet and --verbose contradict each other"},
		{[]string{"rules", "surplus"}, `kneeline rules takes no arguments, found "surplus"`},
		{[]string{"explain"}, "expected the ID or name of a rule, found nothing"},
		{[]string{"explain", "A", "B"}, `found a second argument "B"`},
		{[]string{"explain", "ZZZ-99"}, `unknown rule "ZZZ-99"`},
		{[]string{"help", "nothing"}, `no help on "nothing"`},
		{[]string{"completion", "tcsh"}, `unknown command "tcsh" for "kneeline completion"`},
		{[]string{"completion", "bash", "-o", "json"}, "has no result to write with --output"},
	}
	for _, tt := range tests {
		t.Run(strings.Join(tt.args, " "), func(t *testing.T) {
			got := runArgs(t, tt.args...)
			if got.code != exitUsage {
				t.Errorf("exit code %d, want %d", got.code, exitUsage)
			}
			if !strings.Contains(got.stderr, tt.says) {
				t.Errorf("stderr %q does not say %q", got.stderr, tt.says)
			}
			if got.stdout != "" {
				t.Errorf("stdout: %q", got.stdout)
			}
		})
	}
}

func TestCPUProfile(t *testing.T) {
	path := t.TempDir() + "/cpu.prof"
	if got := runArgs(t, "rules", "--debug-cpuprofile", path); got.code != 0 {
		t.Fatalf("exit code %d: %s", got.code, got.stderr)
	}
	if info, err := os.Stat(path); err != nil || info.Size() == 0 {
		t.Errorf("no profile: %v, %v", info, err)
	}
	if got := runArgs(t, "rules", "--debug-cpuprofile", "/"); got.code != exitNoAnswer {
		t.Errorf("exit code %d for a profile that cannot be written, want %d", got.code, exitNoAnswer)
	}
}

// fullDisk is a stdout that takes nothing.
type fullDisk struct{}

func (fullDisk) Write([]byte) (int, error) { return 0, errors.New("no space left on device") }

// TestStdoutLost holds everything that writes to stdout to exit code 3 when it
// cannot, what the command-line library writes included.
func TestStdoutLost(t *testing.T) {
	for _, args := range []string{"--help", "--version", "help exit-codes", "headroom --help", "version", "rules",
		"completion bash", "explain LOD-01", "config", "headroom --dry-run"} {
		var stderr bytes.Buffer
		code := Run(t.Context(), State{Args: strings.Fields(args), Stdout: fullDisk{}, Stderr: &stderr, Getwd: func() (string, error) { return t.TempDir(), nil }})
		if code != exitNoAnswer || strings.Count(stderr.String(), "no space left") != 1 {
			t.Errorf("%s: exit code %d, want 3, and stderr\n%s", args, code, &stderr)
		}
	}
}
