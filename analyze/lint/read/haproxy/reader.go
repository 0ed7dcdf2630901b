package haproxy

import (
	"bytes"
	"path"
	"strings"

	"example.com/kneeline/analyze/lint/model"
	"example.com/kneeline/analyze/lint/read"
)

// Reader reads HAProxy configuration.
var Reader = read.Text{Name: "haproxy", Recognise: recognise, Read: readFile}

// endings are those of files that may hold HAProxy's configuration; some have none.
var endings = map[string]bool{"": true, ".cfg": true, ".conf": true, ".config": true, ".haproxy": true, ".hap": true}

var templateEnds = []string{".tmpl", ".tpl", ".gotmpl", ".template", ".j2", ".jinja", ".jinja2", ".erb", ".dist", ".example", ".sample", ".default", ".in", ".ctmpl"}

// sniffed is how much of a file is looked at.
const sniffed = 256 << 10

// recognise takes files with a section of HAProxy's and a line that HAProxy has in
// such a section.
func recognise(name string, data []byte) bool {
	base := strings.ToLower(path.Base(name))
	for _, end := range templateEnds {
		base = strings.TrimSuffix(base, end)
	}
	if !endings[path.Ext(base)] || bytes.HasPrefix(data, []byte("#!")) {
		return false
	}
	head := data[:min(len(data), sniffed)]
	if !bytes.Contains(head, []byte("defaults")) && !bytes.Contains(head, []byte("frontend")) && !bytes.Contains(head, []byte("backend")) && !bytes.Contains(head, []byte("listen")) {
		return false
	}
	section, setting := false, false
	for rest := head; len(rest) > 0; {
		line := rest
		if i := bytes.IndexByte(rest, '\n'); i >= 0 {
			line, rest = rest[:i], rest[i+1:]
		} else {
			rest = nil
		}
		words := bytes.Fields(line)
		if len(words) == 0 || len(words) > 64 || bytes.HasSuffix(words[len(words)-1], []byte("{")) || bytes.HasSuffix(words[len(words)-1], []byte(";")) {
			continue
		}
		switch string(words[0]) {
		case "defaults", "global":
			section = section || len(words) <= 4
		case "frontend", "backend", "listen":
			section = section || len(words) == 2 || len(words) == 4 && string(words[2]) == "from"
		case "timeout":
			setting = setting || len(words) >= 3 && timeouts[string(words[1])]
		case "server":
			setting = setting || len(words) >= 3
		case "bind", "default_backend", "default-server", "mode", "maxconn", "retries":
			setting = setting || len(words) >= 2
		}
		if section && setting {
			return true
		}
	}
	return false
}

// timeouts are the names behind timeout in a proxy's section, in
// resolvers and in the mailers section apart.
var timeouts = map[string]bool{
	"check": true, "client": true, "client-fin": true, "client-hs": true, "connect": true, "http-keep-alive": true, "http-request": true,
	"queue": true, "server": true, "server-fin": true, "tarpit": true, "tunnel": true,
}

func readFile(in *read.Input) []*model.Document {
	b := &builder{in: in, doc: &model.Document{File: in.Name, Line: 1, Format: "haproxy", Product: product}, seen: map[int]bool{}}
	lines, problems := lex(in.Name, in.Data)
	b.doc.Problems = problems
	if len(lines) > 0 {
		b.doc.Line = lines[0].at().Line
	}
	b.sections = sections(lines)
	used := map[*section]bool{}
	for _, s := range b.sections {
		b.unknown(s)
		switch s.kind {
		case "backend", "listen":
			if b.backend(s) {
				used[s.defaults] = true
			}
		}
		switch s.kind {
		case "frontend", "listen":
			b.frontend(s)
			used[s.defaults] = true
		}
	}
	for _, s := range b.sections {
		if s.kind == "defaults" && !used[s] {
			b.lone(s)
		}
	}
	return []*model.Document{b.doc}
}

// lone adds a hop for a defaults section that no proxy of the file uses: fragments set
// limits for proxies in other files. What it does not set is left open.
func (b *builder) lone(s *section) {
	h := &model.Hop{Name: "defaults", From: "haproxy", Layer: model.Balancer, At: s.head.at()}
	if s.name != "" {
		h.Name += " " + b.shown(s.head.word(1))
	}
	found := false
	for _, t := range []struct {
		name string
		to   *model.Value
		low  float64
	}{{"connect", &h.Connect, lowConnect}, {"server", &h.GapRead, lowTimeout}, {"queue", &h.Caps.QueueWait, lowTimeout}} {
		if l := s.own("timeout", t.name); l != nil {
			*t.to = b.duration(l.word(2), "timeout "+t.name, t.low)
			found = true
		}
	}
	h.GapSend = h.GapRead
	if l := s.own("retries"); l != nil {
		h.Retry.Written = b.count(l.word(1), "retries")
		h.Retry.Tries, h.Retry.Dialect = extra(h.Retry.Written), model.ExtraTries
		found = true
	}
	if found {
		b.doc.Hops = append(b.doc.Hops, h)
	}
}

// extra is how many tries a number of further ones makes.
func extra(v model.Value) model.Value {
	v.Amount++
	return v
}

// unknown notes settings of a proxy that are near misses of those that are read.
func (b *builder) unknown(s *section) {
	switch s.kind {
	case "frontend", "backend", "listen", "defaults":
	default:
		return
	}
	for _, l := range s.lines {
		switch {
		case l.is("timeout") && len(l.words) > 1:
			name := l.words[1].text
			if near := nearest(name, timeouts, nil); near != "" {
				b.doc.Unknown = append(b.doc.Unknown, model.UnknownKey{Key: "timeout " + name, In: b.title(s), Nearest: "timeout " + near, At: l.words[1].at})
			}
		case l.is("server") || l.is("default-server"):
			b.unknownParams(s, l)
		default:
			if near := nearest(l.words[0].text, settings, others); near != "" {
				b.doc.Unknown = append(b.doc.Unknown, model.UnknownKey{Key: l.words[0].text, In: b.title(s), Nearest: near, At: l.at()})
			}
		}
	}
}

// unknownParams looks at the words of a server's line that have a number behind them.
func (b *builder) unknownParams(s *section, l *line) {
	for i := 1; i+1 < len(l.words); i++ {
		if next := l.words[i+1].text; next == "" || next[0] < '0' || next[0] > '9' {
			continue
		}
		if near := nearest(l.words[i].text, params, otherParams); near != "" {
			b.doc.Unknown = append(b.doc.Unknown, model.UnknownKey{Key: l.words[i].text, In: b.title(s), Nearest: near, At: l.words[i].at})
		}
	}
}

// title calls a section as reports do.
func (b *builder) title(s *section) string {
	if s.name == "" {
		return s.kind
	}
	return s.kind + " " + b.shown(s.head.word(1))
}
