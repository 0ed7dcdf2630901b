package haproxy

// section is one section of a file.
type section struct {
	kind, name string
	head       *line
	lines      []*line
	// defaults is the section whose settings hold where this one says nothing.
	defaults *section
}

// kinds are the words that begin a section.
var kinds = map[string]bool{
	"global": true, "defaults": true, "frontend": true, "backend": true, "listen": true, "peers": true, "resolvers": true, "mailers": true, "userlist": true,
	"program": true, "ring": true, "cache": true, "http-errors": true, "log-forward": true, "fcgi-app": true, "crt-store": true, "traces": true, "acme": true, "log-profile": true,
}

// sections splits a file into its sections and joins each with its defaults: those that
// it names by from, otherwise the last ones before it.
func sections(lines []*line) []*section {
	var out []*section
	var cur, last *section
	named := map[string]*section{}
	for _, l := range lines {
		if !kinds[l.words[0].text] {
			if cur != nil {
				cur.lines = append(cur.lines, l)
			}
			continue
		}
		cur = &section{kind: l.words[0].text, head: l}
		from := ""
		for i := 1; i < len(l.words); i++ {
			if l.words[i].text == "from" && i+1 < len(l.words) {
				from = l.words[i+1].text
				break
			}
			if i == 1 {
				cur.name = l.words[1].text
			}
		}
		switch cur.kind {
		case "defaults":
			cur.defaults = named[from]
			named[cur.name] = cur
			last = cur
		case "frontend", "backend", "listen":
			cur.defaults = last
			if from != "" {
				cur.defaults = named[from]
			}
		}
		out = append(out, cur)
	}
	return out
}

// own returns the last line of a section that begins with these words.
func (s *section) own(words ...string) *line {
	for i := len(s.lines) - 1; i >= 0; i-- {
		if s.lines[i].is(words...) {
			return s.lines[i]
		}
	}
	return nil
}

// lookup returns the line that holds in a section.
func (s *section) lookup(words ...string) *line {
	for ; s != nil; s = s.defaults {
		if l := s.own(words...); l != nil {
			return l
		}
	}
	return nil
}

// option returns the line by which an option is on, nil where it is off.
func (s *section) option(name string) *line {
	for ; s != nil; s = s.defaults {
		for i := len(s.lines) - 1; i >= 0; i-- {
			switch l := s.lines[i]; {
			case l.is("option", name):
				return l
			case l.is("no", "option", name):
				return nil
			}
		}
	}
	return nil
}

// server is one server line with the default-server lines that hold for it.
type server struct {
	line     *line
	defaults []*line
	// count is how many servers it stands for.
	count int
}

// servers returns the servers of a section.
func (s *section) servers() []server {
	var base []*line
	for d := s.defaults; d != nil; d = d.defaults {
		for _, l := range d.lines {
			if l.is("default-server") {
				base = append(base, l)
			}
		}
	}
	var out []server
	for _, l := range s.lines {
		switch l.words[0].text {
		case "default-server":
			base = append(base, l)
		case "server", "server-template":
			if len(l.words) < 2 {
				continue
			}
			out = append(out, server{line: l, defaults: append([]*line(nil), base...), count: 1})
		}
	}
	return out
}

// param returns the word behind a name on a server's line, or on the default-server
// lines that hold for it.
func (s server) param(name string) (word, bool) {
	if w, ok := after(s.line, name, s.first()); ok {
		return w, true
	}
	for i := len(s.defaults) - 1; i >= 0; i-- {
		if w, ok := after(s.defaults[i], name, 1); ok {
			return w, true
		}
	}
	return word{}, false
}

// flag reports whether a word stands on a server's line or holds from the defaults and
// is not taken back.
func (s server) flag(name string) (word, bool) {
	for i := s.first(); i < len(s.line.words); i++ {
		switch s.line.words[i].text {
		case name:
			return s.line.words[i], true
		case "no-" + name:
			return word{}, false
		}
	}
	for i := len(s.defaults) - 1; i >= 0; i-- {
		for _, w := range s.defaults[i].words[1:] {
			switch w.text {
			case name:
				return w, true
			case "no-" + name:
				return word{}, false
			}
		}
	}
	return word{}, false
}

// first is where the settings of a server begin: behind its name and address.
func (s server) first() int {
	if s.line.words[0].text == "server-template" {
		return 4
	}
	return 3
}

func after(l *line, name string, from int) (word, bool) {
	for i := from; i+1 < len(l.words); i++ {
		if l.words[i].text == name {
			return l.words[i+1], true
		}
	}
	return word{}, false
}
