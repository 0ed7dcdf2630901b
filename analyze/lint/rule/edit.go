package rule

import (
	"example.com/kneeline/analyze/lint/model"
	"example.com/kneeline/internal/finding"
)

// Edit is a change of a file as a check asks for it: the bytes [At.Offset, At.End) hold
// Old, maybe in quotes, and are to hold New. Package fix finds out from the file itself
// whether it can be made, and where exactly.
type Edit struct {
	At       model.Position
	Old, New string
	// Item says that Old is an item of a list, to be taken out with what parts it from
	// its neighbours.
	Item bool
}

// Wanted are the edits of one finding, by its place among the findings of a pass.
type Wanted struct {
	Finding int
	Edits   []Edit
}

// Write says that the fix is to put one value in the place of another, and that no other
// value is right. What cannot be written, since nobody wrote the value or a template
// puts it in, is said with the finding.
func (f *Found) Write(v model.Value, text string) *Found {
	switch {
	case v.IsHole():
		return f.CannotWrite(v.Key + " is filled in by a template or a variable")
	case !v.IsSet():
		return f.CannotWrite(v.Key + " is not written in the file: its default holds")
	case v.At.End <= v.At.Offset:
		return f.CannotWrite("where the text of " + v.Key + " begins and ends is not known")
	}
	return f.edit(Edit{At: v.At, Old: v.Raw, New: text})
}

// TakeOut says that the fix is to take an item out of a list.
func (f *Found) TakeOut(at model.Position, item string) *Found {
	if at.End <= at.Offset {
		return f.CannotWrite("where " + item + " is written is not known")
	}
	return f.edit(Edit{At: at, Old: item, Item: true})
}

// CannotWrite says why a fix that has exactly one right value is left to a person.
func (f *Found) CannotWrite(why string) *Found {
	f.f.NoEdit = why
	return f
}

func (f *Found) edit(e Edit) *Found {
	last := len(f.p.findings) - 1
	if n := len(f.p.wanted); n == 0 || f.p.wanted[n-1].Finding != last {
		f.p.wanted = append(f.p.wanted, Wanted{Finding: last})
	}
	w := &f.p.wanted[len(f.p.wanted)-1]
	w.Edits = append(w.Edits, e)
	return f
}

// RunEdits is [Run] with the edits that the rule asks for. Place puts the edits of one
// finding into it, or says why they cannot be made; nil leaves them out.
func RunEdits(r *Rule, g *model.Graph, place func(*finding.Finding, []Edit)) ([]finding.Finding, []Missing) {
	p := &Pass{Graph: g, rule: r}
	if r.Check != nil { // otherwise it is of chains alone
		r.Check(p)
	}
	if place != nil {
		for _, w := range p.wanted {
			place(&p.findings[w.Finding], w.Edits)
		}
	}
	return p.findings, p.missing
}
