package cmd

import (
	"bufio"
	"encoding/csv"
	"encoding/json"
	"errors"
	"io"
	"strconv"

	"example.com/kneeline/analyze/pending"
	"example.com/kneeline/internal/fault"
)

// histogramColumns are the columns of a histogram in CSV, and the keys of NDJSON.
// They may be added at the end, never changed or removed.
var histogramColumns = []string{"heap", "class", "count", "bytes", "mat_bytes"}

// rowSinks write the classes of heaps, in the formats that were asked for.
type rowSinks []rowSink

// rowSink writes rows. An error stays with it, and is what close returns.
type rowSink interface {
	row(heap string, r *pending.ClassRow)
	close() error
}

func newRowSinks(writers []streamWriter) rowSinks {
	var s rowSinks
	for _, w := range writers {
		switch w.format {
		case "csv":
			s = append(s, newRowCSV(w))
		case "ndjson":
			s = append(s, newRowNDJSON(w))
		}
	}
	return s
}

// write writes all classes of a heap.
func (s rowSinks) write(heap string, res *pending.Result) {
	for i := range res.Histogram {
		for _, sink := range s {
			sink.row(heap, &res.Histogram[i])
		}
	}
}

func (s rowSinks) close() error {
	var errs []error
	for _, sink := range s {
		if err := sink.close(); err != nil {
			errs = append(errs, fault.NoAnswerf("cannot write the histogram: %w", err))
		}
	}
	return errors.Join(errs...)
}

type rowCSV struct{ w *csv.Writer }

func newRowCSV(w io.Writer) rowCSV {
	c := csv.NewWriter(w)
	_ = c.Write(histogramColumns)
	return rowCSV{c}
}

func (s rowCSV) row(heap string, r *pending.ClassRow) {
	mat := ""
	if r.MATBytes != nil {
		mat = strconv.FormatInt(*r.MATBytes, 10)
	}
	_ = s.w.Write([]string{heap, r.Class, strconv.FormatInt(r.Count, 10), strconv.FormatInt(r.Bytes, 10), mat})
}

func (s rowCSV) close() error {
	s.w.Flush()
	return s.w.Error()
}

// rowLine is a line of NDJSON.
type rowLine struct {
	Heap     string `json:"heap"`
	Class    string `json:"class"`
	Count    int64  `json:"count"`
	Bytes    int64  `json:"bytes"`
	MATBytes *int64 `json:"mat_bytes,omitempty"`
}

type rowNDJSON struct {
	b   *bufio.Writer
	enc *json.Encoder
}

func newRowNDJSON(w io.Writer) rowNDJSON {
	b := bufio.NewWriter(w)
	enc := json.NewEncoder(b)
	enc.SetEscapeHTML(false)
	return rowNDJSON{b, enc}
}

func (s rowNDJSON) row(heap string, r *pending.ClassRow) {
	_ = s.enc.Encode(rowLine{heap, r.Class, r.Count, r.Bytes, r.MATBytes})
}

func (s rowNDJSON) close() error { return s.b.Flush() }
