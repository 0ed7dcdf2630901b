package field

import (
	"math"
	"testing"

	"example.com/kneeline/analyze/lint/defaults"
	"example.com/kneeline/analyze/lint/model"
	"example.com/kneeline/analyze/lint/read"
	"example.com/kneeline/analyze/lint/tree"
)

func TestStyles(t *testing.T) {
	for _, tt := range []struct {
		name  string
		style Style
		in    string
		want  float64
		ok    bool
	}{
		{"proto", Proto, "0.25s", 0.25, true}, {"proto", Proto, "250ms", 0.25, false}, {"proto", Proto, "5", 5, false},
		{"proto", Proto, "1e3s", math.NaN(), false}, {"proto", Proto, "s", math.NaN(), false},
		{"go", Go, "1m30s", 90, true}, {"go", Go, "1.5s", 1.5, true}, {"go", Go, "0", 0, true}, {"go", Go, "5", 5, false}, {"go", Go, "1d", 86400, false},
		{"gateway", Gateway, "1s500ms", 1.5, true}, {"gateway", Gateway, "0s", 0, true}, {"gateway", Gateway, "1.5s", 1.5, false},
		{"gateway", Gateway, "1h1m1s1ms1ms", 3661.002, false}, {"gateway", Gateway, "100000s", 100000, false}, {"gateway", Gateway, "", math.NaN(), false},
		{"seconds", Seconds, "5", 5, true}, {"seconds", Seconds, "5ms", 0.005, true}, {"seconds", Seconds, "soon", math.NaN(), false},
		{"millis", Millis, "5000", 5, true}, {"millis", Millis, "5s", 5, false}, {"millis", Millis, "x", math.NaN(), false},
		{"whole", WholeSeconds, "5", 5, true}, {"nanos", Nanos, "1000000", 0.001, true}, {"nanos", Nanos, "1ms", 0.001, true},
	} {
		got, ok, expected := tt.style(tt.in)
		same := math.IsNaN(got) && math.IsNaN(tt.want) || math.Abs(got-tt.want) <= 1e-9*math.Abs(tt.want)
		if !same || ok != tt.ok || !ok && expected == "" {
			t.Errorf("%s of %q: %v %v %q", tt.name, tt.in, got, ok, expected)
		}
	}
}

func newReader(t *testing.T, style Style) (*Reader, *tree.Node) {
	t.Helper()
	table, err := defaults.Load(nil)
	if err != nil {
		t.Fatal(err)
	}
	docs, errs := tree.YAML("f", []byte("retry_policy:\n  numRetries: x\n  retyr_on: 5xx\n  own: 1\n  timeout: 250ms\n  list: [1]\n  hole: ${A}\n  again: ${A}\n"))
	if len(errs) > 0 {
		t.Fatal(errs)
	}
	in := &read.Input{Name: "f", Defaults: table}
	in.Fill(docs[0])
	r := New(in, docs[0], "toy", "envoy", "Toy", style)
	r.Camel = true
	return r, docs[0]
}

func TestSection(t *testing.T) {
	r, root := newReader(t, Proto)
	s := r.Section("retry_policy", root.Get("retry_policy"), root.At)
	if v := s.Count("num_retries"); !read.Unreadable(v) || len(r.Doc.Rejected) != 1 {
		t.Errorf("%+v, %+v", v, r.Doc.Rejected)
	}
	if v := s.Duration("timeout"); v.Amount != 0.25 || len(r.Doc.Units) != 1 || r.Doc.Units[0].Fix != "0.25s" || !r.Doc.Units[0].Refused {
		t.Errorf("%+v, %+v", v, r.Doc.Units)
	}
	if v := s.Duration("list"); v.Present() || len(r.Doc.Rejected) != 2 {
		t.Errorf("%+v, %+v", v, r.Doc.Rejected)
	}
	if s.Duration("hole"); s.Duration("hole").IsHole() && len(r.Doc.Holes) != 1 {
		t.Errorf("%+v", r.Doc.Holes)
	}
	if v := s.Duration("again"); !v.IsHole() || len(r.Doc.Holes) != 2 {
		t.Errorf("%+v", r.Doc.Holes)
	}
	if v := s.Flag("all_methods"); !v.On() || v.Origin != model.Default || v.At.Line != 1 {
		t.Errorf("%+v", v)
	}
	s.Known("num_retries", "retry_on", "timeout", "list", "hole", "again")
	if u := r.Doc.Unknown; len(u) != 2 || u[0].Nearest != "retry_on" || u[1].Key != "own" || u[1].Nearest != "" {
		t.Errorf("%+v", u)
	}
	if none := s.Sub("retry_back_off", "retry_back_off"); none.Duration("base_interval").Amount != 0.025 {
		t.Errorf("%+v", none.Duration("base_interval"))
	}
	if len(r.Documents()) != 1 {
		t.Error("no document")
	}
}

func TestConditions(t *testing.T) {
	known, unknown := Conditions(model.Value{Text: "5xx, 503,retriable-status-codes,,nonsense,9", Origin: model.Set})
	if len(known) != 2 || known[0].Cause != model.ServerFault || known[1].Cause != model.Shed {
		t.Errorf("%+v", known)
	}
	if len(unknown) != 2 {
		t.Errorf("%q", unknown)
	}
	for code, want := range map[int]model.Cause{429: model.Shed, 500: model.ServerFault, 502: model.Unavailable, 408: model.TimedOut, 404: model.ClientFault, 200: model.OtherCause, 409: model.OtherCause} {
		if got := Status(code); got != want {
			t.Errorf("%d is %v", code, got)
		}
	}
}

func TestTries(t *testing.T) {
	count := func(n float64) model.Value { return model.Of(model.Count, n, "") }
	var r model.Retry
	if Tries(&r, count(0)); r.Tries.Amount != 1 || r.Retries() {
		t.Errorf("%+v", r)
	}
	if Tries(&r, count(3)); r.Tries.Amount != 4 || r.Written.Amount != 3 {
		t.Errorf("%+v", r)
	}
	if TotalTries(&r, count(3)); r.Tries.Amount != 3 {
		t.Errorf("%+v", r)
	}
	if TotalTries(&r, count(math.Inf(1))); !r.Tries.Unlimited() {
		t.Errorf("%+v", r)
	}
}

func TestInTests(t *testing.T) {
	for name, want := range map[string]bool{"a/testdata/x.yaml": true, "a/e2e/b/x.yaml": true, "test/x.yaml": true, "a/latest/x.yaml": false, "x-test.yaml": false, "/abs/x.yaml": false} {
		if got := InTests(name); got != want {
			t.Errorf("%s: %v", name, got)
		}
	}
}
