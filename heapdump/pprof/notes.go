package pprof

import (
	"bytes"
	"regexp"
	"strconv"
	"strings"

	"example.com/kneeline/heapdump/goroutines"
)

// The text form has the names of functions in comments below each record, which
// the parser of pprof skips:
//
//	9992 @ 0x47d0ae 0x414c65 0x6cf0e5
//	#	0x6cf0e4	main.work+0x24	/src/main.go:22
//
// and, in heap profiles, figures of runtime.MemStats at the end: "# Stack = 1 / 2".

// notes are what comments say.
type notes struct {
	// records are the frames below each record, in the order of records.
	records [][]goroutines.Frame
	stats   map[string]int64
}

var (
	textForm = regexp.MustCompile(`^(heap profile:|goroutine profile:|threadcreate profile:|--- (contention|mutex|contentionz))`)
	record   = regexp.MustCompile(`^\s*[0-9].* @`)
	stat     = regexp.MustCompile(`^# ([A-Za-z_]+) = ([0-9]+)`)
)

// readNotes reads the comments of a profile in text form; nil if it is none.
func readNotes(data []byte) *notes {
	if !textForm.Match(data) {
		return nil
	}
	n := &notes{stats: map[string]int64{}}
	frames := 0
	first := true
	for line := range bytes.Lines(data) {
		text := strings.TrimRight(string(line), "\r\n")
		switch {
		case first:
			first = false
		case strings.HasPrefix(text, "#\t"):
			if len(n.records) == 0 || frames >= MaxTotalFrames {
				continue
			}
			if f, ok := note(text); ok {
				last := &n.records[len(n.records)-1]
				if len(*last) < MaxFrames {
					*last = append(*last, f)
					frames++
				}
			}
		case strings.HasPrefix(text, "#"):
			if m := stat.FindStringSubmatch(text); m != nil && len(n.stats) < 64 {
				if v, err := strconv.ParseInt(m[2], 10, 64); err == nil {
					n.stats[m[1]] = v
				}
			}
		case record.MatchString(text):
			n.records = append(n.records, nil)
		}
	}
	return n
}

// note reads one frame: "#", address, name+offset and file:line, split by tabs,
// of which some writers put several.
func note(text string) (goroutines.Frame, bool) {
	var parts []string
	for p := range strings.SplitSeq(text, "\t") {
		if p != "" {
			parts = append(parts, p)
		}
	}
	if len(parts) < 3 {
		return goroutines.Frame{}, false
	}
	f := goroutines.Frame{Func: parts[2]}
	if i := strings.LastIndex(f.Func, "+0x"); i > 0 {
		f.Func = f.Func[:i]
	}
	if len(parts) > 3 {
		f.File = parts[3]
		if i := strings.LastIndexByte(f.File, ':'); i >= 0 {
			if n, err := strconv.Atoi(f.File[i+1:]); err == nil && n >= 0 {
				f.File, f.Line = f.File[:i], n
			}
		}
	}
	return f, true
}
