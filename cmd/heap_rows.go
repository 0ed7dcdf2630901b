package cmd

import (
	"bufio"
	"encoding/csv"
	"encoding/json"
	"io"
	"strconv"

	"example.com/kneeline/analyze/pending"
)

// histogramColumns are the columns of a histogram in CSV, and the keys of NDJSON.
// They may be added at the end, never changed or removed.
var histogramColumns = []string{"heap", "class", "count", "bytes", "mat_bytes"}

// namedHeap is a judgement with the name of its heap.
type namedHeap struct {
	name string
	res  *pending.Result
}

// histogramCSV writes the classes of heaps, a line each.
func histogramCSV(w io.Writer, heaps []namedHeap) error {
	c := csv.NewWriter(w)
	// An error stays with the writer, and is what it is asked for at the end.
	_ = c.Write(histogramColumns)
	for _, h := range heaps {
		for _, r := range h.res.Histogram {
			mat := ""
			if r.MATBytes != nil {
				mat = strconv.FormatInt(*r.MATBytes, 10)
			}
			_ = c.Write([]string{h.name, r.Class, strconv.FormatInt(r.Count, 10), strconv.FormatInt(r.Bytes, 10), mat})
		}
	}
	c.Flush()
	return c.Error()
}

// histogramLine is a line of NDJSON.
type histogramLine struct {
	Heap     string `json:"heap"`
	Class    string `json:"class"`
	Count    int64  `json:"count"`
	Bytes    int64  `json:"bytes"`
	MATBytes *int64 `json:"mat_bytes,omitempty"`
}

// histogramNDJSON writes the classes of heaps, a document a line.
func histogramNDJSON(w io.Writer, heaps []namedHeap) error {
	b := bufio.NewWriter(w)
	enc := json.NewEncoder(b)
	enc.SetEscapeHTML(false)
	for _, h := range heaps {
		for _, r := range h.res.Histogram {
			if err := enc.Encode(histogramLine{h.name, r.Class, r.Count, r.Bytes, r.MATBytes}); err != nil {
				return err
			}
		}
	}
	return b.Flush()
}
