package cmd

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"
	"github.com/rogpeppe/go-internal/testscript"

	"example.com/kneeline/analyze/headroom"
	"example.com/kneeline/analyze/headroom/ab"
	"example.com/kneeline/analyze/headroom/compare"
	"example.com/kneeline/analyze/headroom/virtual"
	"example.com/kneeline/internal/report"
	"example.com/kneeline/internal/slo"
	"example.com/kneeline/loadgen/target"
)

// virtualResult is what a measurement of the demo in virtual time finds: a hold of
// a rate, or a search where it is 0.
func virtualResult(demo string, hold float64, seed uint64, overload bool) (*headroom.Result, error) {
	service, err := target.ParseDemo(demo)
	if err != nil {
		return nil, err
	}
	cfg := headroom.Config{
		Target: "the demo service (" + describeService(service) + ")",
		SLO:    slo.Default(demoTimeout), Timeout: demoTimeout, Seed: seed,
		Budget: headroom.Budget{Search: 16 * time.Second, Overload: 6 * time.Second, Recovery: 18 * time.Second},
	}
	if hold > 0 {
		cfg.Gate = headroom.Gate{HoldRate: hold, HoldFor: 18 * time.Second}
	} else {
		cfg.Overload = overload
	}
	res, err := headroom.Measure(context.Background(), virtual.New(service, seed), cfg)
	if res != nil {
		started := 1_900_000_000 + float64(seed)/10
		res.StartedUnix = &started
	}
	return res, err
}

// headroomResultCommand is the script command "headroomresult FILE DEMO HOLD SEED",
// which writes the result of a measurement in virtual time. DEMO is - for the
// demo as it is, HOLD 0 for a search.
func headroomResultCommand(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 4 {
		ts.Fatalf("usage: headroomresult FILE DEMO HOLD SEED")
	}
	hold, err := strconv.ParseFloat(args[2], 64)
	ts.Check(err)
	seed, err := strconv.ParseUint(args[3], 10, 64)
	ts.Check(err)
	res, err := virtualResult(strings.Trim(args[1], "-"), hold, seed, false)
	ts.Check(err)
	data, err := json.Marshal(res)
	ts.Check(err)
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), data, 0o644))
}

// mustResult is a virtualResult as a file gives it back.
func mustResult(t *testing.T, demo string, hold float64, seed uint64) *headroom.Result {
	t.Helper()
	res, err := virtualResult(demo, hold, seed, true)
	if err != nil {
		t.Fatal(err)
	}
	return res
}

func goldenReport(t *testing.T, name string, doc any, rep *report.Report) {
	t.Helper()
	var text, document bytes.Buffer
	if err := report.Text(&text, rep, report.TextOptions{Width: 80}); err != nil {
		t.Fatal(err)
	}
	if err := writeJSON(&document, doc); err != nil {
		t.Fatal(err)
	}
	golden(t, name+".txt", text.Bytes())
	golden(t, name+".json", document.Bytes())
	validate(t, document.String())
}

// TestCompareGolden guards what people and programs read of a comparison.
func TestCompareGolden(t *testing.T) {
	c, err := compare.Results(mustResult(t, "", 0, 1), mustResult(t, "queue=400,workers=11", 0, 2), compare.Config{Before: "before.json", After: "after.json"})
	if err != nil {
		t.Fatal(err)
	}
	goldenReport(t, "headroom-compare", c, headroomCompareReport(c))
}

// TestABGolden does the same for a comparison side by side.
func TestABGolden(t *testing.T) {
	slow, err := target.ParseDemo("service=exp:13ms")
	if err != nil {
		t.Fatal(err)
	}
	res, err := ab.Measure(t.Context(), virtual.New(target.Default(), 1), virtual.New(slow, 2), ab.Config{
		Headroom: headroom.Config{SLO: slo.Default(demoTimeout), Timeout: demoTimeout, Seed: 4},
		A:        "http://127.0.0.1:8080/", B: "http://127.0.0.1:8081/", Rate: 700, Pairs: 8, Block: time.Second,
	})
	if err != nil {
		t.Fatal(err)
	}
	goldenReport(t, "headroom-ab", res, abReport(res, nil))
}

// TestPrometheusGolden guards the names, and holds them to the conventions of
// Prometheus: one help and type for each, base units at the end of the name, no
// counter of what is measured once.
func TestHeadroomFormats(t *testing.T) {
	hold := mustResult(t, "", 900, 1)
	testHDRLog(t, hold)
	for name, res := range map[string]*headroom.Result{"headroom-search.prom": mustResult(t, "", 0, 1), "headroom-hold.prom": hold} {
		var b bytes.Buffer
		if err := headroomPrometheus(&b, res); err != nil {
			t.Fatal(err)
		}
		golden(t, name, b.Bytes())
		lintExposition(t, b.String())
	}
}

var (
	sampleLine = regexp.MustCompile(`^([a-z_]+)\{((?:[a-z_]+="(?:[^"\\\n]|\\.)*",?)*)\} (\S+)$`)
	unitEnd    = regexp.MustCompile(`_(seconds|per_second|ratio|positions|requests|complete|recovers|passed|finding)$`)
)

// lintExposition checks what promtool's check metrics does, as far as it applies.
func lintExposition(t *testing.T, text string) {
	t.Helper()
	kind, helped := map[string]string{}, map[string]bool{}
	series := map[string]bool{}
	current := ""
	for line := range strings.Lines(text) {
		line = strings.TrimSuffix(line, "\n")
		if rest, ok := strings.CutPrefix(line, "# HELP "); ok {
			name, help, _ := strings.Cut(rest, " ")
			if helped[name] || help == "" {
				t.Errorf("%s: helped twice, or by nothing", name)
			}
			helped[name], current = true, name
			continue
		}
		if rest, ok := strings.CutPrefix(line, "# TYPE "); ok {
			name, k, _ := strings.Cut(rest, " ")
			if name != current || kind[name] != "" || k != "gauge" && k != "summary" {
				t.Errorf("%q does not follow its help, is there twice or is of another type", line)
			}
			kind[name] = k
			if !unitEnd.MatchString(name) || strings.HasSuffix(name, "_total") {
				t.Errorf("%s: its name does not end in a base unit or a word that needs none", name)
			}
			continue
		}
		m := sampleLine.FindStringSubmatch(line)
		if m == nil || !strings.HasPrefix(m[1], current) {
			t.Errorf("%q is no sample of %s", line, current)
			continue
		}
		if _, err := strconv.ParseFloat(m[3], 64); err != nil || series[m[1]+m[2]] {
			t.Errorf("%q: no number, or there twice", line)
		}
		series[m[1]+m[2]] = true
		if strings.Contains(m[2], "quantile=") != (kind[current] == "summary" && m[1] == current) {
			t.Errorf("%q: quantiles are of summaries", line)
		}
	}
	if len(series) < 5 {
		t.Errorf("only %d series", len(series))
	}
}

// testHDRLog: readers of such logs find every trial, with every answer.
func testHDRLog(t *testing.T, res *headroom.Result) {
	t.Helper()
	var b bytes.Buffer
	if err := headroomHDR(&b, res); err != nil {
		t.Fatal(err)
	}
	r := hdrhistogram.NewHistogramLogReader(&b)
	var total, found uint64
	for {
		h, err := r.NextIntervalHistogram()
		if err != nil || h == nil {
			break
		}
		if h.Tag() != "hold/full" {
			t.Errorf("tag %q", h.Tag())
		}
		found++
		total += uint64(h.TotalCount())
	}
	if found != 2 || total != res.Account.Full {
		t.Errorf("%d histograms of %d answers, %d were counted", found, total, res.Account.Full)
	}
	none := &headroom.Result{Result: headroom.Answer{Trials: []headroom.Trial{{Phase: "ramp"}}}}
	if err := headroomHDR(&b, none); err == nil || !strings.Contains(err.Error(), "no trial kept") {
		t.Errorf("a search that kept none: %v", err)
	}
}

// TestCompareSchemas pins the keys of both documents.
func TestCompareSchemas(t *testing.T) {
	for name, written := range map[string][]string{
		"headroom-compare": writtenKeysOf[compare.Comparison](),
		"headroom-ab":      writtenKeysOf[ab.Result](),
	} {
		data, err := os.ReadFile(filepath.Join(schemaDir, name+"-v1.schema.json"))
		if err != nil {
			t.Fatal(err)
		}
		var schema map[string]any
		if err := json.Unmarshal(data, &schema); err != nil {
			t.Fatal(err)
		}
		published := map[string]bool{}
		for _, k := range publishedKeys(schema, "") {
			published[k] = true
		}
		for _, k := range written {
			if !published[k] {
				t.Errorf("%s: %s is written and not in the schema", name, k)
			}
			delete(published, k)
		}
		for k := range published {
			t.Errorf("%s: %s is in the schema and not written", name, k)
		}
	}
}

// TestSignalsBlock: what the service says of itself is in the report.
func TestSignalsBlock(t *testing.T) {
	if signalsBlock(&headroom.Result{}) != nil {
		t.Error("a block without anything to say")
	}
	increase, ratio, no := 1204.0, 4.0, false
	res := &headroom.Result{
		StoppedBy: &headroom.StopSignal{Found: "usage was 0.95, >0.9", Condition: "usage>0.9", AtSeconds: 12},
		MetricChecks: []headroom.MetricCheck{
			{Metric: "n", Counts: "status:500", Increase: &increase, Ratio: &ratio, Agrees: &no, OursLow: 301, OursHigh: 302},
			{Metric: "m", Counts: "all", Error: "no answer"}, {Metric: "o", Counts: "all"},
		},
	}
	kv := signalsBlock(res).(report.KeyValues)
	var text string
	for _, i := range kv.Items {
		text += i.Key + " " + i.Value + " " + i.Note + "\n"
	}
	for _, want := range []string{"after 12s", "n +1,204 ours of status:500: 301 to 302; it counts 4 times as many", "m not known", "o not known"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
}

func writtenKeysOf[T any]() []string { return writtenKeys(reflect.TypeFor[T](), "") }
