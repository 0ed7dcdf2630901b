package cmd

import (
	"bufio"
	"io"
	"maps"
	"slices"
	"strings"

	"example.com/kneeline/analyze/headroom"
	"example.com/kneeline/internal/fault"
	"example.com/kneeline/internal/hist"
)

// headroomFormats are offered beside those of every command.
var headroomFormats = []string{"prometheus", "hdr"}

// headroomExtra are the writers of these formats.
func headroomExtra(res *headroom.Result) map[string]func(io.Writer) error {
	return map[string]func(io.Writer) error{
		"prometheus": func(w io.Writer) error { return headroomPrometheus(w, res) },
		"hdr":        func(w io.Writer) error { return headroomHDR(w, res) },
	}
}

// refuseFormats refuses the formats of a measurement where there is none.
func refuseFormats(o *output) error {
	for _, d := range o.dests {
		if slices.Contains(headroomFormats, d.format) {
			return fault.Usagef("output format %q: it is of the measurement of one service, which --ab and --dry-run do not make", d.format)
		}
	}
	return nil
}

// headroomHDR writes the latencies of all sound trials as a log of HdrHistogram, a
// line a trial and class. The tag names both.
func headroomHDR(w io.Writer, res *headroom.Result) error {
	b := bufio.NewWriter(w)
	start, lines := 0.0, 0
	if res.StartedUnix != nil {
		start = *res.StartedUnix
	}
	b.WriteString(hist.HDRLogHead(start))
	for i := range res.Result.Trials {
		t := &res.Result.Trials[i]
		if t.Kept == nil || t.Void != "" {
			continue
		}
		for _, class := range slices.Sorted(maps.Keys(t.Kept.Histograms)) {
			tag := strings.ReplaceAll(t.Phase+"/"+class, " ", "-")
			b.WriteString(t.Kept.Histograms[class].HDRLogLine(tag, t.Start, t.Seconds))
			lines++
		}
	}
	if lines == 0 && len(res.Result.Trials) > 0 {
		return fault.WithHint(fault.NoAnswerf("no trial kept its histograms"), "run with --keep-histograms")
	}
	return b.Flush()
}
