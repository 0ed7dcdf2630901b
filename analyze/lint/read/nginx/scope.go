package nginx

import "example.com/kneeline/analyze/lint/model"

// scope is one block with what it inherits: nginx's simple settings hold in all blocks
// below the one that sets them, until one sets them again.
type scope struct {
	parent *scope
	dir    *directive // nil for the file
	// server is the nearest server block, nil outside of any.
	server *scope
	// stream marks blocks of the stream module.
	stream bool
	own    map[string]*directive
	// used names the families for which a block in it passes requests on.
	used map[string]bool
	// open marks a block that takes in a file which may set limits of its own.
	open bool
}

func newScope(parent *scope, d *directive, block []*directive) *scope {
	s := &scope{parent: parent, dir: d, own: map[string]*directive{}, used: map[string]bool{}}
	if parent != nil {
		s.server, s.stream = parent.server, parent.stream
	}
	if d != nil && d.name == "server" {
		s.server = s
	}
	if d != nil && d.name == "stream" {
		s.stream = true
	}
	for _, c := range block {
		s.own[c.name] = c
		if c.name == "include" && limitsFile(c.arg(0)) {
			s.open = true
		}
	}
	return s
}

// lookup returns the setting that holds in a block, nil if none does.
func (s *scope) lookup(key string) *directive {
	for ; s != nil; s = s.parent {
		if d := s.own[key]; d != nil {
			return d
		}
	}
	return nil
}

// isOpen reports whether a file that is not read may set limits here.
func (s *scope) isOpen() bool {
	for ; s != nil; s = s.parent {
		if s.open {
			return true
		}
	}
	return false
}

// at is the place of the block.
func (s *scope) at(file string) model.Position {
	if s.dir == nil {
		return model.Position{File: file, Line: 1, Column: 1}
	}
	return s.dir.at
}

// mark notes that a block passes requests on with a family.
func (s *scope) mark(family string) {
	for ; s != nil; s = s.parent {
		s.used[family] = true
	}
}
