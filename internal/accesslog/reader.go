package accesslog

import (
	"bytes"
	"fmt"
	"io"
	"strings"

	"example.com/kneeline/internal/fault"
)

// Formats are the names of the formats, as [Options.Format] takes them.
var Formats = []string{"combined", "haproxy", "envoy", "alb", "json", "logfmt"}

// parser reads one line into a record. It returns why the line is none, in words
// that are the same for all lines of that kind; "" when it is one.
type parser interface {
	parse(line []byte, r *Record) string
}

func newParser(format string) parser {
	switch format {
	case "combined":
		return &combined{}
	case "haproxy":
		return &haproxy{}
	case "envoy":
		return &envoy{}
	case "alb":
		return &alb{}
	case "json":
		return &jsonLines{}
	case "logfmt":
		return &logfmt{}
	}
	return nil
}

// Options say how lines are read.
type Options struct {
	// Format is one of [Formats]; empty finds it by content, for each input anew.
	Format string
	// LogFormat is a log_format of nginx or a LogFormat of Apache, in place of one of
	// the formats.
	LogFormat string
}

// Check refuses options that make no sense.
func (o Options) Check() error {
	if o.LogFormat != "" {
		if o.Format != "" {
			return fault.Usagef("a log format says what lines are: expected no other name of a format beside it, found %q", o.Format)
		}
		_, err := parseTemplate(o.LogFormat)
		return err
	}
	if o.Format != "" && newParser(o.Format) == nil {
		return fault.Usagef("log format %q: expected one of %s", o.Format, strings.Join(Formats, ", "))
	}
	return nil
}

// Reader reads the records of one input.
type Reader struct {
	name   string
	lines  *lines
	parser parser
	loss   *Loss
	format string
	err    error
}

// detectLines is over how many of the first lines the format is voted.
const detectLines = 100

// NewReader reads records from src. What is lost is added to loss, which may be
// that of several inputs. An input in which no line is of any format is an error.
func NewReader(name string, src io.Reader, o Options, loss *Loss) (*Reader, error) {
	if err := o.Check(); err != nil {
		return nil, err
	}
	r := &Reader{name: name, lines: newLines(src), loss: loss, format: o.Format}
	switch {
	case o.LogFormat != "":
		t, err := parseTemplate(o.LogFormat)
		if err != nil {
			return nil, err
		}
		r.parser, r.format = t, "log format"
	case o.Format != "":
		r.parser = newParser(o.Format)
	default:
		head := r.lines.peek(detectLines)
		if len(head) == 0 {
			if err := r.lines.failure(); err != nil {
				return nil, err
			}
			found := "nothing"
			if r.lines.n > 0 { // blank lines, comments, or one without an end
				found = fmt.Sprintf("none of up to %d MiB", MaxLine>>20)
			}
			return nil, fault.NoAnswerf("%s: expected lines of an access log, found %s", name, found)
		}
		if r.format = Detect(head); r.format == "" {
			return nil, fault.WithHint(
				fault.NoAnswerf("%s:1: expected a line of an access log (%s), found %q", name, strings.Join(Formats, ", "), shown(head[0])),
				"say what the lines are with --log-format")
		}
		r.parser = newParser(r.format)
	}
	return r, nil
}

// Detect votes on the format of lines: the one in which most of them are records.
// It is "" where none is.
func Detect(head [][]byte) string {
	best, most := "", 0
	for _, f := range []string{"alb", "haproxy", "envoy", "json", "combined", "logfmt"} {
		p, n := newParser(f), 0
		for _, line := range head {
			var r Record
			r.reset()
			if p.parse(line, &r) == "" {
				n++
			}
		}
		if n > most {
			best, most = f, n
		}
	}
	return best
}

// Format is the name of the format that is read.
func (r *Reader) Format() string { return r.format }

// Next reads the next record into rec. It returns false at the end, or when the
// input cannot be read further: see Err.
func (r *Reader) Next(rec *Record) bool {
	for {
		line, long, ok := r.lines.next()
		if !ok {
			r.err = r.lines.failure()
			return false
		}
		if long {
			r.loss.Lines++
			r.loss.add(r.name, r.lines.no, "a line over 1 MiB", line)
			continue
		}
		if len(line) == 0 || len(bytes.TrimSpace(line)) == 0 || line[0] == '#' {
			continue // W3C and some proxies begin a file with comments
		}
		rec.reset()
		r.loss.Lines++
		reason := r.parser.parse(line, rec)
		if reason == "" {
			return true
		}
		r.loss.add(r.name, r.lines.no, reason, line)
	}
}

// Err is why the input ended early; nil at its end.
func (r *Reader) Err() error { return r.err }
