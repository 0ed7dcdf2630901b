//go:build e2e

// Package e2e runs the program against real servers in real time.
//
// A measurement that the machine or the load generator spoilt is void and is
// repeated; of what is left the best of three counts, since other work on the
// machine can only make a measurement worse.
package e2e

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
	"time"
)

var program string

func TestMain(m *testing.M) {
	dir, err := os.MkdirTemp("", "kneeline-e2e")
	if err != nil {
		panic(err)
	}
	program = filepath.Join(dir, "kneeline")
	build := exec.Command("go", "build", "-o", program, "..")
	build.Stderr = os.Stderr
	if err := build.Run(); err != nil {
		panic(err)
	}
	code := m.Run()
	_ = os.RemoveAll(dir)
	os.Exit(code)
}

// need returns the path of a program, or skips; in CI it fails.
func need(t *testing.T, name string) string {
	t.Helper()
	path, err := exec.LookPath(name)
	if err == nil {
		return path
	}
	if os.Getenv("CI") == "true" {
		t.Fatalf("%s is not installed", name)
	}
	t.Skipf("%s is not installed", name)
	return ""
}

// ran is how a run of the program ended.
type ran struct {
	code           int
	stdout, stderr string
}

// kneeline runs the program to its end, within a bound.
func kneeline(t *testing.T, args ...string) ran {
	t.Helper()
	cmd := exec.Command(program, args...)
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	cmd.Dir = t.TempDir()
	cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + cmd.Dir}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	timer := time.AfterFunc(5*time.Minute, func() { _ = cmd.Process.Kill() })
	err := cmd.Wait()
	if !timer.Stop() {
		t.Fatalf("%v took over 5 minutes\n%s", args, errs.String())
	}
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	r := ran{cmd.ProcessState.ExitCode(), out.String(), errs.String()}
	t.Logf("kneeline %v: exit %d\n%s", args, r.code, firstLine(r.stdout))
	return r
}

func firstLine(s string) string {
	line, _, _ := bytes.Cut([]byte(s), []byte("\n"))
	return string(line)
}

// interval is an estimate with its interval.
type interval struct{ Estimate, Low, High float64 }

// document is what these tests read of the JSON of headroom.
type document struct {
	Complete bool
	Result   struct {
		Capacity     *interval `json:"capacity_per_second"`
		AtLeast      *float64  `json:"capacity_at_least_per_second"`
		BoundBy      string    `json:"bound_by"`
		GoodputRatio *float64  `json:"goodput_past_capacity_ratio"`
		PastCapacity string    `json:"past_capacity"`
		Recovers     *bool     `json:"recovers"`
		Recovery     *float64  `json:"recovery_seconds"`
		Headroom     *float64  `json:"headroom_ratio"`
		UsefulQueue  *struct {
			InSystem, Safe, Positions int64
		} `json:"useful_queue"`
	}
	Account struct {
		Planned int64 `json:"planned_count"`
		Full    int64 `json:"full_count"`
	}
	Generator struct {
		SendLagP99 *float64 `json:"send_lag_p99_seconds"`
		VoidTrials int      `json:"void_trials"`
	}
	Demo *struct {
		Truth *struct {
			PerSecond float64 `json:"capacity_per_second"`
		}
		Achieved *float64 `json:"achieved_service_rate_ratio"`
	}
}

// headroom runs the command with JSON in a file, and returns both shapes.
func headroom(t *testing.T, args ...string) (ran, document) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "result.json")
	r := kneeline(t, append([]string{"headroom", "-o", "json=" + path, "-o", "text"}, args...)...)
	var d document
	data, err := os.ReadFile(path)
	if err != nil {
		t.Logf("no JSON: %v\n%s", err, r.stderr)
		return r, d
	}
	if err := json.Unmarshal(data, &d); err != nil {
		t.Fatal(err)
	}
	return r, d
}

// lagged reports whether the machine spoilt a measurement: the generator sent
// late, or the demo service could not keep to its own rate.
func (d document) lagged() bool {
	if d.Generator.SendLagP99 != nil && *d.Generator.SendLagP99 > 0.02 {
		return true
	}
	return d.Demo != nil && d.Demo.Achieved != nil && (*d.Demo.Achieved < 0.98 || *d.Demo.Achieved > 1.02)
}

// bestOf repeats a check until it passes, three times at most. A check returns
// what is wrong, or nothing; one that was void counts as not done, twice at most.
func bestOf(t *testing.T, check func() (problem string, void bool)) {
	t.Helper()
	var problems []string
	voids := 0
	for len(problems) < 3 {
		problem, void := check()
		switch {
		case problem == "":
			return
		case void && voids < 2:
			voids++
			t.Logf("void, the machine lagged: %s", problem)
		default:
			problems = append(problems, problem)
		}
	}
	for _, p := range problems {
		t.Error(p)
	}
}

// within says what is wrong with a value that is not near the truth.
func within(what string, got, want, tolerance float64) string {
	if got < want*(1-tolerance) || got > want*(1+tolerance) {
		return fmt.Sprintf("%s is %.1f, want %.1f within %.0f %%", what, got, want, 100*tolerance)
	}
	return ""
}

// freePort returns a port of loopback that was free a moment ago.
func freePort(t *testing.T) int {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().(*net.TCPAddr).Port
}

// start runs a server until the test ends.
func start(t *testing.T, cmd *exec.Cmd) {
	t.Helper()
	var errs bytes.Buffer
	cmd.Stderr = &errs
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Signal(syscall.SIGTERM)
		kill := time.AfterFunc(10*time.Second, func() { _ = cmd.Process.Kill() })
		_ = cmd.Wait()
		kill.Stop()
		if t.Failed() {
			t.Logf("%s said:\n%s", cmd.Path, errs.String())
		}
	})
}

// waitFor waits until a URL answers at all.
func waitFor(t *testing.T, url string) {
	t.Helper()
	client := http.Client{Timeout: time.Second}
	for range 100 {
		resp, err := client.Get(url)
		if err == nil {
			resp.Body.Close()
			return
		}
		time.Sleep(100 * time.Millisecond)
	}
	t.Fatalf("%s does not answer", url)
}
