package gcparse

import (
	"bufio"
	"context"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"example.com/kneeline/internal/input"
)

// reference is a row of the corpus's table: what is known of a log.
type reference struct {
	file, collector string
	agreed          bool
	stops           int
	total, longest  float64 // seconds
	hasTotal        bool
	full            int
}

// corpus is the directory of public logs, beside the repository or where the
// environment says.
func corpus(t testing.TB) string {
	dir := os.Getenv("KNEELINE_CORPUS")
	if dir == "" {
		dir = filepath.Join("..", "..", "shared", "corpus")
	}
	dir = filepath.Join(dir, "gc")
	if _, err := os.Stat(dir); err != nil {
		t.Skip("no corpus of public logs at ", dir)
	}
	return dir
}

func references(t testing.TB, dir string) []reference {
	f, err := os.Open(filepath.Join(dir, "reference.tsv"))
	if err != nil {
		t.Skip("no reference results: ", err)
	}
	defer f.Close()
	var refs []reference
	s := bufio.NewScanner(f)
	s.Buffer(nil, 1<<20)
	for s.Scan() {
		row := strings.Split(s.Text(), "\t")
		if len(row) < 9 || row[0] == "file" || strings.HasPrefix(row[0], "#") {
			continue
		}
		r := reference{file: row[0], collector: row[1], agreed: row[4] == "yes"}
		r.stops, err = strconv.Atoi(row[5])
		r.hasTotal = err == nil
		r.total, _ = strconv.ParseFloat(row[6], 64)
		r.longest, _ = strconv.ParseFloat(row[7], 64)
		r.full, _ = strconv.Atoi(row[8])
		refs = append(refs, r)
	}
	if err := s.Err(); err != nil {
		t.Fatal(err)
	}
	return refs
}

// measured is what a reading gives of the same.
type measured struct {
	stops          int
	total, longest float64
	result         *Result
}

func measure(t testing.TB, path string) measured {
	var m measured
	stream := Stream{Name: path, Sources: []input.Source{{Name: path, Path: path}}}
	res, err := Read(context.Background(), stream, Options{}, func(e *Event) {
		if !e.Stops() {
			return
		}
		m.stops++
		d := float64(e.Duration) / 1e9
		m.total += d
		m.longest = max(m.longest, d)
	})
	if err != nil {
		t.Fatal(err)
	}
	m.result = res
	return m
}

// agrees allows a tenth of a percent, or a microsecond where the reference has
// no more digits.
func agrees(got, want float64) bool {
	return math.Abs(got-want) <= max(0.001*want, 2e-6)
}

// The readers agree with what other analyzers and a bracket matcher of our own
// agreed on, log by log: count of stops exact, total and longest within 0.1 %.
func TestCorpus(t *testing.T) {
	dir := corpus(t)
	refs := judged(t, references(t, dir))
	agreed := map[string]int{}
	for _, ref := range refs {
		if !ref.agreed {
			continue
		}
		family, _, _ := strings.Cut(ref.collector, " ")
		t.Run(family+"/"+ref.file, func(t *testing.T) {
			m := measure(t, filepath.Join(dir, ref.file))
			if m.stops != ref.stops || !agrees(m.total, ref.total) || !agrees(m.longest, ref.longest) {
				t.Errorf("%s: %d stops, %.6f s, longest %.6f s; want %d, %.6f s, %.6f s",
					ref.collector, m.stops, m.total, m.longest, ref.stops, ref.total, ref.longest)
			} else {
				agreed[family]++
			}
			for _, s := range m.result.Ledger.Shapes {
				t.Logf("unknown %d× %q: line %d: %s", s.Count, s.Pattern, s.Examples[0].Line, s.Examples[0].Text)
			}
			for _, err := range m.result.Problems {
				t.Error(err)
			}
		})
	}
	for family, n := range agreed {
		t.Logf("%s: %d logs agree", family, n)
	}
}
