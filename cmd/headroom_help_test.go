package cmd

import (
	"os"
	"strings"
	"testing"

	"github.com/spf13/pflag"

	"example.com/kneeline/analyze/headroom"
	"example.com/kneeline/loadgen"
)

// TestHeadroomHelp: all flags stand under headings, what most people need first,
// and there are few enough examples to be read.
func TestHeadroomHelp(t *testing.T) {
	var out strings.Builder
	a := newApp(State{Stdout: &out}.withDefaults())
	c := newHeadroom(a)
	c.Flags().VisitAll(func(f *pflag.Flag) {
		if f.Annotations[flagHeading] == nil {
			t.Errorf("--%s has no heading", f.Name)
		}
	})
	root := newRoot(a)
	for _, sub := range root.Commands() {
		if sub.Name() == "headroom" {
			a.help(sub, nil)
		}
	}
	at := 0
	for _, heading := range []string{"The question", "Gates (exit code 1 when one fails)", "What is sent", "Real traffic",
		"How the service is reached", "Two services side by side", "What the service says of itself", "Bounds of the load",
		"Arrivals and retries", "Flags of every command"} {
		i := strings.Index(out.String()[at:], "\n"+heading+":\n")
		if i < 0 {
			t.Fatalf("no heading %q after %d bytes of\n%s", heading, at, out.String())
		}
		at += i
	}
	page, err := os.ReadFile("../docs/headroom.md")
	if err != nil {
		t.Fatal(err)
	}
	c.Flags().VisitAll(func(f *pflag.Flag) {
		if !f.Hidden && !strings.Contains(string(page), "`--"+f.Name) {
			t.Errorf("docs/headroom.md has no --%s", f.Name)
		}
	})
	if n := strings.Count(c.Example, "kneeline headroom"); n > 10 {
		t.Errorf("%d examples", n)
	}
}

// One rate is no curve, so that a hold has no plot of load against anything.
func TestNoCurveOfOneRate(t *testing.T) {
	res := &headroom.Result{}
	res.Result.Curve = []headroom.Point{{Phase: headroom.PhaseHold, OfferedPerSecond: 99}, {Phase: headroom.PhaseHold, OfferedPerSecond: 101}}
	if got := curve(res); got != nil {
		t.Errorf("%+v", got)
	}
	res.Result.Curve[0].Phase = headroom.PhaseSaturate
	if got := curve(res); len(got) != 2 {
		t.Errorf("%+v", got)
	}
}

// The most frequent cause says what to try.
func TestWhatToTry(t *testing.T) {
	for want, causes := range map[string]map[string]uint64{
		"--tls-ca":          {loadgen.CauseCertAuthority: 5, "status 500": 2},
		"--tls-server-name": {loadgen.CauseCertName: 5},
		"http://":           {loadgen.CauseNotTLS: 1},
		"--http":            {loadgen.CauseNoH2: 1},
		"--http at auto":    {loadgen.CauseSpeaks1: 9, "status 500": 2},
		"--dry-run":         {loadgen.CauseCertName: 1, "status 500": 2},
	} {
		if got := whatToTry(causes); !strings.Contains(got, want) {
			t.Errorf("%v: %q, want %q", causes, got, want)
		}
	}
	if got := whatToTry(nil); !strings.Contains(got, "--dry-run") {
		t.Errorf("%q", got)
	}
}
