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

func TestShapes(t *testing.T) {
	r, _ := newReader(t, Proto)
	r.Structs, r.Camel, r.Fold = true, false, true
	docs, errs := tree.YAML("f", []byte("a: {seconds: 1, nanos: 500000000}\nB: 20\nc: {seconds: '${X}'}\nd: [1]\ne: word\nf: 'yes'\nname: xQQQQy\nz: 0s\n"))
	if len(errs) > 0 {
		t.Fatal(errs)
	}
	root := docs[0]
	r.In.Fill(root)
	s := r.Section("common_http_protocol_options", root, root.At)
	if v := s.Duration("a"); v.Amount != 1.5 || !v.IsSet() {
		t.Errorf("%+v", v)
	}
	if v := s.Share("b", true); v.Amount != 0.2 {
		t.Errorf("%+v", v)
	}
	if v := s.Share("none", true); v.Present() {
		t.Errorf("%+v", v)
	}
	if v := s.Duration("c"); !v.IsHole() {
		t.Errorf("%+v", v)
	}
	if v := s.Count("d"); v.Present() || len(r.Doc.Rejected) != 1 {
		t.Errorf("%+v, %+v", v, r.Doc.Rejected)
	}
	if s.Count("d"); len(r.Doc.Rejected) != 1 {
		t.Errorf("said twice: %+v", r.Doc.Rejected)
	}
	if v := s.Text("e"); v.Text != "word" || s.Text("none").Present() || !s.Flag("f").On() {
		t.Errorf("%+v", v)
	}
	n := root.Get("name")
	n.Hole = &model.Value{Raw: "{{ .x }}"}
	if got := Label(n); got != "x{{ .x }}y" || Label(root.Get("e")) != "word" || Label(nil) != "" {
		t.Error(got)
	}
	h := &model.Hop{}
	z := r.Section("route", &tree.Node{Kind: tree.Map, Children: []*tree.Node{{Kind: tree.Scalar, Key: "timeout", Text: "0s"}}}, root.At)
	if v := z.ZeroIsDefault("timeout", h); v.Amount != 15 || v.Origin != model.Default || !h.Extra["zero timeout"].IsSet() {
		t.Errorf("%+v, %+v", v, h.Extra)
	}
	if NoRetry(root.At, "why").Retries() || !ZeroIsNone(model.Value{Origin: model.Set}).Unlimited() {
		t.Error("no retry, none")
	}
	if WholeCall("k", model.Value{}, root.At).Present() || WholeCall("k", model.Of(model.Seconds, 2, ""), root.At).Amount != 2 {
		t.Error("whole call")
	}
	r.Ignored(root.At, "", "x")
	r.Hop(&model.Hop{})
	r.Service(&model.Service{})
	if d := r.Documents(); len(d) != 1 || len(d[0].Hops) != 1 || len(d[0].Services) != 1 || !d[0].Rejected[1].Ignored {
		t.Errorf("%+v", d)
	}
}

func TestBackoff(t *testing.T) {
	r, root := newReader(t, Proto)
	b := Backoff(r.Section("retry_back_off", nil, root.At), "base_interval", "max_interval")
	if b.Base.Amount != 0.025 || b.Max.Amount != 0.25 || b.Jitter.Amount != 1 || b.Multiplier.Amount != 2 {
		t.Errorf("%+v", b)
	}
	if got := r.written(90.5); got != "90.5s" {
		t.Error(got)
	}
	r.Style = Millis
	if got := r.written(0.25); got != "250" {
		t.Error(got)
	}
}

func TestNothing(t *testing.T) {
	r, _ := newReader(t, Go)
	if d := r.Documents(); d != nil {
		t.Errorf("%+v", d)
	}
}
