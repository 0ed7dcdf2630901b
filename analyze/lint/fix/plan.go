package fix

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"

	"example.com/kneeline/internal/finding"
)

// Change is what the fixes of one file come to.
type Change struct {
	File     string
	Old, New []byte
	// Fixed are the findings whose fixes are in New, Left those with a fix that has one
	// right value and is not, each with the reason in NoEdit.
	Fixed, Left []finding.Finding
}

// Relint holds the rules against the bytes of the file once more. It returns all
// findings, and how many parts of the file could not be read.
type Relint func(data []byte) (found []finding.Finding, problems int)

// Plan makes the edits of the findings of one file. What it returns is proven: with New
// in the place of Old, no fixed finding is left and none is added, or the fix is left
// out.
func Plan(file string, data []byte, findings []finding.Finding, relint Relint) Change {
	c := Change{File: file, Old: data, New: data}
	before, problems := relint(data)
	var wanted []finding.Finding
	for _, f := range findings {
		switch {
		case len(f.Edits) > 0:
			wanted = append(wanted, f)
		case f.NoEdit != "":
			c.Left = append(c.Left, f)
		}
	}
	proven := func(fixed []finding.Finding, to []byte) string {
		after, now := relint(to)
		return objection(before, after, fixed, now-problems)
	}
	all, accepted := []finding.Edit(nil), []finding.Finding(nil)
	for _, f := range wanted {
		if edits, why := join(data, all, f.Edits); why == "" {
			all, accepted = edits, append(accepted, f)
		} else {
			c.leave(f, why)
		}
	}
	if to := apply(data, all); len(accepted) > 0 && proven(accepted, to) == "" {
		c.New, c.Fixed = to, accepted
		return c
	}
	// One of them does harm: each is tried beside those that do none.
	all = nil
	for _, f := range accepted {
		edits, _ := join(data, all, f.Edits)
		fixed := append(slices.Clone(c.Fixed), f)
		if why := proven(fixed, apply(data, edits)); why != "" {
			c.leave(f, why)
			continue
		}
		all, c.Fixed = edits, fixed
	}
	c.New = apply(data, all)
	return c
}

func (c *Change) leave(f finding.Finding, why string) {
	f.Edits, f.NoEdit = nil, why
	c.Left = append(c.Left, f)
}

// join adds edits to others of the file, in the order of their places, or says why they
// cannot be made together.
func join(data []byte, others, edits []finding.Edit) ([]finding.Edit, string) {
	out := slices.Clone(others)
	for _, e := range edits {
		end := e.Offset + len(e.Old)
		if e.Offset < 0 || end > len(data) || string(data[e.Offset:end]) != e.Old {
			return nil, "the file has changed since it was read"
		}
		if slices.Contains(out, e) {
			continue // two findings with one fix
		}
		for _, o := range out {
			if e.Offset < o.Offset+len(o.Old) && o.Offset < end {
				return nil, fmt.Sprintf("the fix of another finding changes the same text on line %d", o.Line)
			}
		}
		out = append(out, e)
	}
	slices.SortFunc(out, func(a, b finding.Edit) int { return cmp.Compare(a.Offset, b.Offset) })
	return out, ""
}

// apply makes edits that are in order and do not overlap.
func apply(data []byte, edits []finding.Edit) []byte {
	var out bytes.Buffer
	at := 0
	for _, e := range edits {
		out.Write(data[at:e.Offset])
		out.WriteString(e.New)
		at = e.Offset + len(e.Old)
	}
	out.Write(data[at:])
	return out.Bytes()
}

// kind is what tells findings of two runs apart when messages change with the figures.
type kind struct{ rule, object string }

func count(all []finding.Finding) map[kind]int {
	out := map[kind]int{}
	for _, f := range all {
		out[kind{f.Rule, f.Location.Object}]++
	}
	return out
}

// objection says what is wrong with the outcome of fixes, empty if nothing is.
func objection(before, after, fixed []finding.Finding, problems int) string {
	if problems > 0 {
		return "with it, the file could not be read any more"
	}
	most := count(before)
	for k, n := range count(fixed) {
		most[k] -= n
	}
	fixes := count(fixed)
	now := count(after)
	for _, f := range after {
		k := kind{f.Rule, f.Location.Object}
		switch {
		case now[k] <= most[k]:
		case fixes[k] > 0:
			return "the value alone does not do away with the finding"
		default:
			return fmt.Sprintf("with it, %s objects: %s", f.Rule, f.Message)
		}
	}
	return ""
}
