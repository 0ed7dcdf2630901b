package promtext

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

const exposition = `# HELP http_requests_total Requests.
# TYPE http_requests_total counter
http_requests_total{method="post",code="200"} 1027 1395066363000
http_requests_total{method="get", code="500",} 3
http_requests_total{code="503",path="C:\\DIR\\\"a\n"} 4e2
http_requests_total 1
# A comment, and a blank line.

temperature_celsius -3.5e-2
up{} +Inf
a:rule{quantile="0.5"} NaN
{"http.server.requests","code"="500"} 8
foo_bucket{le="0.1"} 8 # {trace_id="x"} 0.054
foo_bucket{le="1"} 10 1520879607.789 # {id="} #"} 9.8 1520879607.7
# EOF
http_requests_total{code="500"} 1000000
`

func TestRead(t *testing.T) {
	for selector, want := range map[string]float64{
		`http_requests_total`:                        1431,
		`http_requests_total{code="500"}`:            3,
		`http_requests_total{code=~"5.."}`:           403,
		`http_requests_total{code!~"5..",code!=""}`:  1027,
		`http_requests_total{code!="500"}`:           1428,
		`http_requests_total{code=""}`:               1,
		`http_requests_total{path="C:\\DIR\\\"a\n"}`: 400,
		`temperature_celsius`:                        -0.035,
		`up`:                                         math.Inf(1),
		`{"http.server.requests",code="500"}`:        8,
		`foo_bucket{le="0.1"}`:                       8,
		`foo_bucket`:                                 18,
		`a:rule{quantile="0.5"}`:                     math.NaN(),
		`http_requests`:                              0,
	} {
		sel, rest, err := ParseSelector(selector)
		if err != nil || rest != "" || sel.String() != selector {
			t.Errorf("%s: %v, rest %q", selector, err, rest)
			continue
		}
		r, err := Read(strings.NewReader(exposition), &sel)
		if err != nil || r.Bad != 0 || r.Samples != 10 {
			t.Errorf("%s: %v, %d samples, %d bad: %v", selector, err, r.Samples, r.Bad, r.FirstBad)
		}
		if got := r.Sum(); got != want && !(math.IsNaN(got) && math.IsNaN(want)) {
			t.Errorf("%s: %v, want %v", selector, got, want)
		}
	}
}

// Lines that cannot be read are counted, and the first is named.
func TestBadLines(t *testing.T) {
	sel, _, _ := ParseSelector("a")
	for line, want := range map[string]string{
		`b{x="1" 2`:        "expected , or }",
		`b{x=1} 2`:         "in double quotes",
		`b{x="1} 2`:        "closing quote",
		`b{="1"} 2`:        "expected a label",
		`b{x} 2`:           "expected = after the label x",
		`b`:                "expected a value, found the end",
		`b x`:              `expected a value, found "x"`,
		`b 0x10`:           "expected a value",
		`b 1_000`:          "expected a value",
		`b 1 now`:          "expected a timestamp",
		`b 1 2 3`:          "expected the end of the line",
		`{x="1"} 2`:        "expected the name of a metric",
		`9b 1`:             "expected the name of a metric",
		`<!DOCTYPE html>`:  "expected the name of a metric",
		`b{x="1","y"="2" `: "expected , or }",
	} {
		r, err := Read(strings.NewReader("a 1\n"+line+"\na 2\n"), &sel)
		if err != nil || r.Bad != 1 || r.Sum() != 2 || r.FirstBad == nil || !strings.Contains(r.FirstBad.Error(), want) || !strings.Contains(r.FirstBad.Error(), "line 2, column") {
			t.Errorf("%s: %v, bad %d, %v, want %q", line, err, r.Bad, r.FirstBad, want)
		}
	}
	for text, want := range map[string]string{
		"":                                   "found none",
		"# only a comment\n":                 "found none",
		"<html>\n":                           "line 1, column 1",
		strings.Repeat("x", 2<<20):           "at most 1048576 bytes",
		"a 1\n" + strings.Repeat("y", 2<<20): "line 2: expected at most",
	} {
		if _, err := Read(strings.NewReader(text), &sel); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.20q: %v, want %q", text, err, want)
		}
	}
	var many strings.Builder
	for i := range maxSeries + 1 {
		fmt.Fprintf(&many, "a{i=\"%d\"} 1\n", i)
	}
	if _, err := Read(strings.NewReader(many.String()), &sel); err == nil || !strings.Contains(err.Error(), "series of a") {
		t.Errorf("too many series: %v", err)
	}
}

func TestSelectorRefuses(t *testing.T) {
	for text, want := range map[string]string{
		"":             "name of a metric",
		"{}":           "name of a metric",
		"5xx":          "name of a metric",
		`a{code}`:      "expected =, !=, =~ or !~",
		`a{code=500}`:  "in double quotes",
		`a{code="500"`: "expected , or }",
		`a{code=~"("}`: "missing closing",
		`a{"b"}`:       "second",
		`a{code=~"` + strings.Repeat("x", 2000) + `"}`: "at most 1000 bytes",
		`a{` + strings.Repeat(`b="c",`, 300) + `}`:     "at most 256 matchers",
	} {
		if _, _, err := ParseSelector(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.30s: %v, want %q", text, err, want)
		}
	}
	if _, rest, err := ParseSelector(`a{code="500"}>0.9`); err != nil || rest != ">0.9" {
		t.Errorf("rest %q, %v", rest, err)
	}
}

func TestBetween(t *testing.T) {
	read := func(values map[string]float64) *Reading { return &Reading{Series: values} }
	g := Between(
		read(map[string]float64{"same": 5, "up": 5, "down": 9, "gone": 2, "nan": math.NaN(), "inf": 1}),
		read(map[string]float64{"same": 5, "up": 8, "down": 4, "new": 7, "nan": 1, "inf": math.Inf(1)}))
	if g != (Growth{Sum: 3 + 4 + 7, Restarts: 1, Gone: 1, New: 1, Unknown: 2}) {
		t.Errorf("%+v", g)
	}
}

// What is written in the format comes back, whatever the labels hold.
func TestWrittenIsRead(t *testing.T) {
	escape := strings.NewReplacer(`\`, `\\`, "\n", `\n`, `"`, `\"`)
	rapid.Check(t, func(t *rapid.T) {
		name := rapid.StringMatching(`[a-z_:][a-z0-9_:]{0,8}`).Draw(t, "name")
		value := rapid.Float64().Draw(t, "value")
		line := name + "{"
		var want []Label
		for range rapid.IntRange(0, 4).Draw(t, "labels") {
			l := Label{rapid.StringMatching(`[a-z_][a-z0-9_]{0,5}`).Draw(t, "label"), rapid.String().Draw(t, "text")}
			if strings.ContainsRune(l.Value, '\r') {
				continue
			}
			want = append(want, l)
			line += l.Name + `="` + escape.Replace(l.Value) + `",`
		}
		s, ok, err := parseLine(line + "} " + strconv.FormatFloat(value, 'g', -1, 64))
		if err != nil || !ok || s.Name != name || s.Value != value || len(s.Labels) != len(want) {
			t.Fatalf("%s: %+v, %v", line, s, err)
		}
		for i := range want {
			if s.Labels[i] != want[i] {
				t.Fatalf("%s: %+v", line, s.Labels)
			}
		}
	})
}

func FuzzRead(f *testing.F) {
	f.Add(exposition, `http_requests_total{code=~"5.."}`)
	f.Add(`a{b="\`, "a")
	f.Add("{\"x\"} 1\n", `{"x",y!="z"}`)
	f.Fuzz(func(t *testing.T, text, selector string) {
		sel, _, err := ParseSelector(selector)
		if err != nil {
			return
		}
		if again, rest, err := ParseSelector(sel.String()); err != nil || rest != "" || again.Name != sel.Name {
			t.Fatalf("%q is no selector any more: %v", sel.String(), err)
		}
		r, err := Read(strings.NewReader(text), &sel)
		if err == nil && (r.Samples < len(r.Series) || r.Bad > strings.Count(text, "\n")+1) {
			t.Fatalf("%+v of %q", r, text)
		}
	})
}
