package gc

import (
	"cmp"
	"context"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"example.com/kneeline/gcparse"
	"example.com/kneeline/internal/input"
)

// corpusDir is where the public logs lie, beside the repository, which does not
// hold them.
func corpusDir(t *testing.T) string {
	t.Helper()
	dir := os.Getenv("KNEELINE_CORPUS")
	if dir == "" {
		dir = filepath.Join("..", "..", "..", "shared", "corpus")
	}
	dir = filepath.Join(dir, "gc")
	if _, err := os.Stat(dir); err != nil {
		t.Skipf("no corpus of GC logs: %v", err)
	}
	return dir
}

// On every public log the meter agrees with brute force over milliseconds, a log
// that is quiet over all and spends a minute at 50% is an overload, and none that
// stays below 10% is.
func TestCorpusAgainstBruteForce(t *testing.T) {
	dir := corpusDir(t)
	names, err := filepath.Glob(filepath.Join(dir, "*"))
	if err != nil {
		t.Fatal(err)
	}
	judged, hidden, quiet := 0, 0, 0
	for _, name := range names {
		if strings.HasSuffix(name, ".tsv") {
			continue
		}
		a, err := New(Config{})
		if err != nil {
			t.Fatal(err)
		}
		var stops [][2]int64
		runs := map[int32]bool{}
		plain := true
		res, err := gcparse.Read(context.Background(), gcparse.Stream{Name: name, Sources: []input.Source{{Name: name, Path: name}}},
			gcparse.Options{}, func(e *gcparse.Event) {
				a.Event(e)
				runs[e.Run] = true
				if e.Kind == gcparse.Hole || e.Incremental > 0 {
					plain = false
				}
				if !e.Stops() {
					return
				}
				at := e.Start.Uptime
				if !e.Start.HasUptime {
					at = e.Start.Wall
				}
				stops = append(stops, [2]int64{at, at + e.Duration})
			})
		if err != nil {
			t.Fatal(err)
		}
		l := a.Finish(res)
		s := series(t, l, Pauses)
		if len(runs) != 1 || !plain || s.Peak == nil || l.Observed > 100_000 {
			continue
		}
		judged++
		r := a.order[0]
		peak, half := bruteStops(stops, r.from, r.newest)
		// The peak may lie between two steps.
		if math.Abs(peak-*s.Peak) > float64(bruteStep(r.newest-r.from))/10e9 {
			t.Errorf("%s: peak %v, brute force %v", filepath.Base(name), *s.Peak, peak)
		}
		if s.Overall < 0.05 && half >= 60 {
			hidden++
			if l.Verdict.Answer != Overload {
				t.Errorf("%s: %v s at 50%%: %s", filepath.Base(name), half, l.Verdict.Sentence)
			}
		}
		if peak < 0.1 {
			quiet++
			for _, v := range l.Violations {
				if v.Series == Pauses.String() {
					t.Errorf("%s: peak %v: %+v", filepath.Base(name), peak, v)
				}
			}
		}
	}
	t.Logf("%d logs, %d hidden incidents, %d quiet", judged, hidden, quiet)
	if judged < 50 || quiet < 20 {
		t.Errorf("%d logs, %d quiet: expected more of the corpus", judged, quiet)
	}
}

// bruteStep makes at most 300,000 steps of a log.
func bruteStep(span int64) int64 { return max(1e6, span/300_000) }

// bruteStops looks at a log's stops again and again, each step a little later.
func bruteStops(stops [][2]int64, from, to int64) (peak, half float64) {
	slices.SortFunc(stops, func(a, b [2]int64) int { return cmp.Compare(a[0], b[0]) })
	// Each of the two ends of the window goes over the stops by itself: what was
	// stopped before it, of stops that may overlap.
	type edge struct {
		i        int
		sum, end int64
	}
	step := bruteStep(to - from)
	before := func(e *edge, t int64) int64 {
		for e.i < len(stops) && stops[e.i][0] <= t {
			s := stops[e.i]
			e.sum += max(0, s[1]-max(s[0], e.end))
			e.end = max(e.end, s[1])
			e.i++
		}
		return e.sum - max(0, e.end-t)
	}
	a, b := edge{end: from}, edge{end: from}
	for t := from + 10e9; t <= to; t += step {
		low := max(from, t-30e9)
		o := float64(before(&a, t)-before(&b, low)) / float64(t-low)
		peak = max(peak, o)
		if o >= 0.5 {
			half += float64(step) / 1e9
		}
	}
	return peak, half
}
