// Package rendered takes apart what `helm template` writes: documents of many templates
// in one stream, each behind a comment
//
//	# Source: chart/templates/deployment.yaml
//
// and finds the lines of the templates that lines of the stream come from.
//
// It renders nothing.
package rendered

import (
	"bytes"
	"strings"
)

// Part is what a stream has of one template.
type Part struct {
	// Source is the template's path as the mark gives it, empty for what stands before
	// the first mark.
	Source string
	// Data is the stream with everything else taken out but the ends of lines, so that
	// lines of it are lines of the stream.
	Data []byte
}

const mark = "# Source: "

// IsStream reports whether data has marks.
func IsStream(data []byte) bool {
	return bytes.HasPrefix(data, []byte(mark)) || bytes.Contains(data, []byte("\n"+mark))
}

// Split takes a stream apart. Documents of one template are one part, in the order in
// which templates first come; a document without a mark belongs to the template of the
// document before it, as parts of one template do.
func Split(data []byte) []Part {
	type span struct{ from, to int }
	var order []string
	spans := map[string][]span{}
	take := func(source string, from, to int) {
		if from == to {
			return
		}
		if _, ok := spans[source]; !ok {
			order = append(order, source)
		}
		spans[source] = append(spans[source], span{from, to})
	}
	source, from := "", 0
	document := 0 // where the last mark between documents is, which belongs to what follows
	for at := 0; at < len(data); {
		end := len(data)
		if i := bytes.IndexByte(data[at:], '\n'); i >= 0 {
			end = at + i + 1
		}
		line := data[at:end]
		switch {
		case bytes.HasPrefix(line, []byte("---")):
			document = at
		case bytes.HasPrefix(line, []byte(mark)):
			begin := at
			if document >= from && len(bytes.TrimSpace(data[document:at])) <= len("---") {
				begin = document
			}
			take(source, from, begin)
			source, from = strings.TrimSpace(string(line[len(mark):])), begin
		}
		at = end
	}
	take(source, from, len(data))
	var parts []Part
	for _, s := range order {
		p := Part{Source: s}
		at := 0
		for _, sp := range spans[s] {
			p.Data = append(p.Data, bytes.Repeat([]byte("\n"), bytes.Count(data[at:sp.from], []byte("\n")))...)
			p.Data = append(p.Data, data[sp.from:sp.to]...)
			at = sp.to
		}
		if len(bytes.TrimSpace(p.Data)) > 0 {
			parts = append(parts, p)
		}
	}
	return parts
}
