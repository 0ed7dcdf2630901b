package classhisto

import (
	"bytes"
	"io"
	"math"
	"regexp"
	"strconv"
	"time"

	"example.com/kneeline/heapdump/lines"
	"example.com/kneeline/internal/fault"
)

const (
	// MaxRows is how many rows of one file are kept; more are counted in the sums.
	// Large application servers load some 100,000 classes.
	MaxRows = 1 << 20
	// MaxNameBytes bounds the names that are kept, each distinct one once.
	MaxNameBytes = 128 << 20
	// MaxProblems is how many unreadable lines are kept with their numbers.
	MaxProblems = 20
	// MaxHistograms is how many histograms of one file are kept.
	MaxHistograms = 10_000
	// stampLines is how many lines before a histogram may tell its time.
	stampLines = 5
	// quoted is how much of an unreadable line a message shows.
	quoted = 60
)

var (
	header = regexp.MustCompile(`\bnum\s+(#instances\s+#bytes\s+([Cc]lass)\s+(name|description)|object count\s+total size\s+class name)`)
	pid    = regexp.MustCompile(`^(\d{1,10}):\s*$`)
	uptime = regexp.MustCompile(`\[(\d{1,12}\.\d{3})s\]`)
	rule   = regexp.MustCompile(`^\s*-{5,}\s*$`)
)

// Read reads all histograms of a text. Lines that cannot be read are counted; it
// is an error when reading fails or when there is no histogram, and what was read
// until then is returned with it.
func Read(in io.Reader) (*File, error) {
	r := reader{in: lines.New(in), names: map[string]string{}}
	for r.in.Next() {
		r.line(r.in.Line())
	}
	r.file.Lines, r.file.Cut = r.in.Number(), r.in.Cut()
	if err := r.in.Err(); err != nil {
		return &r.file, fault.NoAnswerf("line %d: cannot read further: %w", r.file.Lines+1, err)
	}
	if len(r.file.Histograms) == 0 {
		return &r.file, fault.NoAnswerf("expected a class histogram, a line \"num  #instances  #bytes  class name\" and rows, found none in %d lines", r.file.Lines)
	}
	return &r.file, nil
}

type reader struct {
	in        *lines.Reader
	file      File
	names     map[string]string
	nameBytes int
	rows      int
	open      bool
	prefix    lines.Prefix
	// recent are the last lines outside of a histogram, which may tell of the next.
	recent []string
}

// at is the histogram that is being read.
func (r *reader) at() *Histogram { return &r.file.Histograms[len(r.file.Histograms)-1] }

func (r *reader) line(line []byte) {
	if bytes.Contains(line, []byte("num")) {
		if m := header.FindSubmatchIndex(line); m != nil {
			r.begin(line, m)
			return
		}
	}
	if r.open {
		if rest, ok := r.prefix.Strip(line); ok {
			r.within(rest)
			return
		}
		// Another stream's line between those of a log.
		r.file.Other++
		return
	}
	if len(r.file.Histograms) == MaxHistograms {
		r.file.Other++
		return
	}
	if row, ok := parseRow(line, true); ok {
		// Rows without a head: the output of grep or tail.
		r.start(Histogram{Form: HotSpot, Line: r.in.Number(), Uptime: -1, next: row.rank})
		r.row(row)
		return
	}
	r.outside(line)
}

// outside counts a line as none of a histogram, and keeps it for what it may say of
// the next one.
func (r *reader) outside(line []byte) {
	r.file.Other++
	if len(r.recent) == stampLines {
		r.recent = append(r.recent[:0], r.recent[1:]...)
	}
	r.recent = append(r.recent, string(line[:min(len(line), lines.MaxPrefix)]))
}

// begin starts the histogram that a header announces; m are the bounds of what
// [header] found.
func (r *reader) begin(line []byte, m []int) {
	h := Histogram{Form: HotSpot, Line: r.in.Number(), Uptime: -1, next: 1}
	switch {
	case m[4] < 0:
		h.Form = OpenJ9
	case bytes.HasPrefix(line[m[6]:m[7]], []byte("description")):
		h.Form = Agent
	}
	before := bytes.TrimRight(line[:m[0]], " \t")
	r.prefix = lines.PrefixOf(line, len(before))
	for _, text := range r.recent {
		if s, ok := lines.StampOf([]byte(text)); ok {
			h.Stamp = s
		}
		if m := pid.FindStringSubmatch(text); m != nil {
			h.PID, _ = strconv.ParseInt(m[1], 10, 64)
		}
	}
	if s, ok := lines.StampOf(before); ok {
		h.Stamp = s
	}
	if u := uptime.FindSubmatch(before); u != nil {
		seconds, _ := strconv.ParseFloat(string(u[1]), 64)
		if ns := seconds * 1e9; ns < math.MaxInt64 {
			h.Uptime = time.Duration(ns)
		}
	}
	r.start(h)
}

func (r *reader) start(h Histogram) {
	if len(r.file.Histograms) == MaxHistograms {
		r.open = false
		r.problem("no more than "+strconv.Itoa(MaxHistograms)+" histograms in a file", nil)
		return
	}
	r.file.Histograms = append(r.file.Histograms, h)
	r.open = true
	r.recent = r.recent[:0]
}

// within reads a line of a histogram.
func (r *reader) within(line []byte) {
	h := r.at()
	if len(bytes.TrimSpace(line)) == 0 || rule.Match(line) {
		return
	}
	if total, ok := parseTotal(line); ok && h.Form != OpenJ9 {
		h.Stated = &total
		r.close()
		return
	}
	if row, ok := parseRow(line, h.Form != OpenJ9); ok {
		if row.rank < h.next && h.Form != OpenJ9 && row.rank == 1 {
			// The next one, without its head.
			r.start(Histogram{Form: h.Form, Line: r.in.Number(), Uptime: -1, next: 1})
		}
		r.row(row)
		return
	}
	if pid.Match(line) {
		r.close() // the next one begins
		r.outside(line)
		return
	}
	if _, ok := lines.StampOf(line); ok {
		r.close()
		r.outside(line)
		return
	}
	r.problem(`a row "rank: instances bytes class", or the total`, line)
}

func (r *reader) close() { r.open, r.prefix = false, lines.Prefix{} }

func (r *reader) row(row rawRow) {
	if !r.open {
		return
	}
	h := r.at()
	if row.rank > h.next {
		h.Missing = add(h.Missing, row.rank-h.next)
	}
	if row.rank < math.MaxInt64 {
		h.next = row.rank + 1
	}
	h.Sum = Count{add(h.Sum.Instances, row.Instances), add(h.Sum.Bytes, row.Bytes)}
	name, fits := r.name(row.name)
	module, fitsToo := r.name(row.module)
	if !fits || !fitsToo || r.rows == MaxRows {
		h.Dropped++
		return
	}
	r.rows++
	h.Rows = append(h.Rows, Row{Name: name, Module: module, Count: row.Count})
}

// name keeps each distinct name once, and says whether there is room for it.
func (r *reader) name(text []byte) (string, bool) {
	if len(text) == 0 {
		return "", true
	}
	if s, ok := r.names[string(text)]; ok {
		return s, true
	}
	if r.nameBytes+2*len(text) > MaxNameBytes {
		return "", false
	}
	r.nameBytes += 2 * len(text)
	vm := string(text)
	r.names[vm] = JavaName(vm)
	return r.names[vm], true
}

func (r *reader) problem(expected string, found []byte) {
	r.file.Unreadable++
	if len(r.file.Problems) < MaxProblems {
		r.file.Problems = append(r.file.Problems, Problem{
			Line: r.in.Number(), Expected: expected, Found: string(bytes.ToValidUTF8(found[:min(len(found), quoted)], []byte("?"))),
		})
	}
}
