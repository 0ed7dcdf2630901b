package rule

import "example.com/kneeline/analyze/lint/model"

// place is one setting as a file has it.
type place struct {
	file         string
	line, column int
	key          string
}

// First reports whether the pass has not asked for this setting at this place before.
// Many hops inherit one setting, such as all locations of a server; a rule reports it
// once, where it is written.
func (p *Pass) First(at model.Position, key string) bool {
	if p.asked == nil {
		p.asked = map[place]bool{}
	}
	k := place{at.File, at.Line, at.Column, key}
	if p.asked[k] {
		return false
	}
	p.asked[k] = true
	return true
}
