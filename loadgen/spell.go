package loadgen

import (
	"slices"
	"time"

	"example.com/kneeline/internal/outcome"
)

// Spell is a stretch of time in which requests ended in one and the same way, no
// two in a row further apart than [SpellGap].
type Spell struct {
	// First and Last are when the first and the last of them ended, since the
	// run's start.
	First, Last time.Duration
	Count       uint64
}

// SpellGap is how long a trouble has to be away to have come again.
const SpellGap = time.Second

// maxSpells bounds the spells of one kind: where there would be more, the two
// that lie closest together become one.
const maxSpells = 16

// Spells are the spells of one kind, in order of time.
type Spells []Spell

// note adds one request that ended at t. Instants come nearly in order.
func (s *Spells) note(t int64) {
	at := time.Duration(t)
	if n := len(*s); n > 0 {
		if last := &(*s)[n-1]; at >= last.First && at-last.Last <= SpellGap {
			last.Last = max(last.Last, at)
			last.Count++
			return
		}
	}
	s.Merge(Spells{{First: at, Last: at, Count: 1}}, 0)
}

// Merge adds the spells of another account, later by shift.
func (s *Spells) Merge(o Spells, shift time.Duration) {
	list := slices.Clone(*s)
	for _, p := range o {
		list = append(list, Spell{First: p.First + shift, Last: p.Last + shift, Count: p.Count})
	}
	slices.SortFunc(list, func(a, b Spell) int { return int(a.First - b.First) })
	joined := list[:0]
	for _, p := range list {
		if n := len(joined); n > 0 && p.First-joined[n-1].Last <= SpellGap {
			joined[n-1].join(p)
		} else {
			joined = append(joined, p)
		}
	}
	for len(joined) > maxSpells {
		at := 1
		for i := 2; i < len(joined); i++ {
			if joined[i].First-joined[i-1].Last < joined[at].First-joined[at-1].Last {
				at = i
			}
		}
		joined[at-1].join(joined[at])
		joined = slices.Delete(joined, at, at+1)
	}
	*s = joined
}

func (p *Spell) join(o Spell) {
	p.Last = max(p.Last, o.Last)
	p.Count += o.Count
}

// troubleName is under which name [Segment.When] has a request: its cause where
// it failed, its class where it was refused or timed out, and "" where all was well.
func troubleName(c outcome.Class, cause string) string {
	switch c {
	case outcome.Failed:
		return cause
	case outcome.Shed, outcome.TimedOut:
		return c.String()
	}
	return ""
}

// noteTrouble keeps when a request ended in trouble.
func (s *Segment) noteTrouble(c outcome.Class, cause string, t int64) {
	name := troubleName(c, cause)
	if name == "" {
		return
	}
	if s.When == nil {
		s.When = map[string]*Spells{}
	}
	p := s.When[name]
	if p == nil {
		p = &Spells{}
		s.When[name] = p
	}
	p.note(t)
}

// mergeTrouble adds what another loop noted.
func (s *Segment) mergeTrouble(o *Segment) {
	for name, p := range o.When {
		if s.When == nil {
			s.When = map[string]*Spells{}
		}
		if s.When[name] == nil {
			s.When[name] = &Spells{}
		}
		s.When[name].Merge(*p, 0)
	}
}
