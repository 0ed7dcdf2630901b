package finding

import (
	"encoding/json"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

func TestFindingJSON(t *testing.T) {
	f := example("QUE-01").Found(Location{File: "a/jetty.xml", Line: 7, Column: 3, Object: "storage"}, "maxQueued", "queue of 5,000 is 10.4 times the useful 480")
	f.Evidence = []Evidence{{"capacity", "1,200/s"}}
	f.Remediation = "maxQueued = 414"
	f.Fingerprint = "0123456789abcdef"
	got, err := json.Marshal(f)
	if err != nil {
		t.Fatal(err)
	}
	const want = `{"rule":"QUE-01","severity":"warning","message":"queue of 5,000 is 10.4 times the useful 480",` +
		`"location":{"file":"a/jetty.xml","line":7,"column":3,"object":"storage"},` +
		`"evidence":[{"name":"capacity","value":"1,200/s"}],"remediation":"maxQueued = 414","fingerprint":"0123456789abcdef"}`
	if string(got) != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	var back Finding
	if err := json.Unmarshal(got, &back); err != nil || back.Severity != Warning || back.Location != f.Location {
		t.Errorf("reads back as %+v, %v", back, err)
	}
	if _, err := json.Marshal(Finding{Rule: "QUE-01"}); err == nil {
		t.Error("a finding without severity was written")
	}
}

func TestFingerprint(t *testing.T) {
	at := Location{File: "conf/a.yaml", Line: 3, Column: 9, Span: "1s-2s", Object: "storage"}
	base := Fingerprint("QUE-01", at, "max")
	// The recipe is an interface: baselines of users hold these digits.
	if base != "157ae6abb619c1b3" {
		t.Errorf("fingerprint is %s: the recipe changed, and with it every stored baseline", base)
	}
	same := []Location{
		{File: "./conf/a.yaml", Object: "storage"},
		{File: `conf\a.yaml`, Line: 99, Object: " storage "},
		{File: "conf//x/../a.yaml", Span: "5s", Object: "storage"},
	}
	for _, l := range same {
		if got := Fingerprint("QUE-01", l, "max"); got != base {
			t.Errorf("%+v has another fingerprint than %+v", l, at)
		}
	}
	for _, other := range []string{
		Fingerprint("QUE-02", at, "max"),
		Fingerprint("QUE-01", at, "min"),
		Fingerprint("QUE-01", Location{File: "conf/b.yaml", Object: "storage"}, "max"),
		Fingerprint("QUE-01", Location{File: "conf/a.yaml", Object: "storag"}, "emax"),
		Fingerprint("QUE-01", Location{}, "max"),
	} {
		if other == base {
			t.Errorf("different findings share the fingerprint %s", base)
		}
	}
}

func TestOrdered(t *testing.T) {
	want := []Finding{
		{Rule: "B", Severity: Error, Location: Location{File: "z"}},
		{Rule: "A", Severity: Warning},
		{Rule: "A", Severity: Warning, Location: Location{File: "a", Line: 2}},
		{Rule: "B", Severity: Warning, Location: Location{File: "a", Line: 2}},
		{Rule: "A", Severity: Warning, Location: Location{File: "a", Line: 10}},
		{Rule: "A", Severity: Note, Location: Location{Object: "q"}, Message: "1"},
		{Rule: "A", Severity: Note, Location: Location{Object: "q"}, Message: "2"},
		{Rule: "A", Severity: Note, Location: Location{Object: "q", Span: "1s-2s"}, Message: "2"},
	}
	in := slices.Concat(want, want)
	in = append(in, Finding{Rule: "A", Severity: Note, Location: Location{File: "a", Line: 10}}) // milder twin
	rng := rand.New(rand.NewPCG(1, 2))
	for range 20 {
		rng.Shuffle(len(in), func(i, j int) { in[i], in[j] = in[j], in[i] })
		before := slices.Clone(in)
		got := Ordered(in)
		if !slices.EqualFunc(got, want, equal) {
			t.Fatalf("got  %+v\nwant %+v", got, want)
		}
		if !slices.EqualFunc(in, before, equal) {
			t.Fatal("the caller's slice was changed")
		}
	}
	if got := Ordered(nil); len(got) != 0 {
		t.Errorf("Ordered(nil) = %v", got)
	}
}

func equal(a, b Finding) bool {
	return a.Rule == b.Rule && a.Severity == b.Severity && a.Location == b.Location && a.Message == b.Message
}

func TestSeverity(t *testing.T) {
	for _, s := range Severities() {
		if back, err := ParseSeverity(" " + strings.ToUpper(s.String())); err != nil || back != s {
			t.Errorf("%s reads back as %s, %v", s, back, err)
		}
	}
	var s Severity
	if err := s.Set("fatal"); err == nil || !strings.Contains(err.Error(), `"fatal": expected note, warning or error`) || s != 0 {
		t.Errorf("Set(fatal) = %v, left %s", err, s)
	}
	if err := s.Set("error"); err != nil || s != Error || s.Type() != "severity" {
		t.Errorf("Set(error) = %v, left %s", err, s)
	}
	if !(Note < Warning && Warning < Error) {
		t.Error("severities are out of order")
	}
	if MaxSeverity(nil) != 0 || MaxSeverity([]Finding{{Severity: Note}, {Severity: Error}, {Severity: Warning}}) != Error {
		t.Error("MaxSeverity is not the worst")
	}
	if Severity(0).String() != "none" {
		t.Errorf("no severity reads %q", Severity(0))
	}
}

func TestLocationString(t *testing.T) {
	for _, c := range []struct {
		at   Location
		want string
	}{
		{Location{}, ""},
		{Location{File: "a.yaml"}, "a.yaml"},
		{Location{File: "a.yaml", Line: 3}, "a.yaml:3"},
		{Location{File: "a.yaml", Line: 3, Column: 7, Object: "queue"}, "a.yaml:3:7 queue"},
		{Location{File: "gc.log", Span: "62s-70s"}, "gc.log 62s-70s"},
		{Location{File: "a.yaml", Column: 7}, "a.yaml"},
	} {
		if got := c.at.String(); got != c.want {
			t.Errorf("%+v reads %q, want %q", c.at, got, c.want)
		}
	}
}
