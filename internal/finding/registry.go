package finding

import (
	"cmp"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"example.com/kneeline/internal/nearest"
)

// Registry is a set of rules with complete pages and unique IDs and names.
type Registry struct {
	rules []Rule         // by ID
	index map[string]int // by ID and by name, folded
}

// NewRegistry returns the registry of all rules given. It refuses rules whose
// pages are incomplete, and two that share an ID or a name; the error names every
// problem, so that one run shows all of them. A rule that two analyses share, page
// and all, counts once.
func NewRegistry(rules ...[]Rule) (*Registry, error) {
	r := &Registry{rules: slices.Concat(rules...), index: make(map[string]int)}
	slices.SortStableFunc(r.rules, func(a, b Rule) int { return cmp.Compare(a.ID, b.ID) })
	r.rules = slices.CompactFunc(r.rules, func(a, b Rule) bool { return a.ID != "" && reflect.DeepEqual(a, b) })
	var problems []error
	for i, rule := range r.rules {
		if err := rule.validate(); err != nil {
			problems = append(problems, err)
		}
		for _, key := range []string{fold(rule.ID), fold(rule.Name)} {
			if key == "" {
				continue // validate has said so
			}
			if first, taken := r.index[key]; taken {
				problems = append(problems, fmt.Errorf("rule %s: rule %s has taken %q", rule.label(), r.rules[first].label(), key))
				continue
			}
			r.index[key] = i
		}
	}
	if err := errors.Join(problems...); err != nil {
		return nil, err
	}
	return r, nil
}

func fold(s string) string { return strings.ToLower(strings.TrimSpace(s)) }

// All returns the rules by ID. The caller may change the slice.
func (r *Registry) All() []Rule { return slices.Clone(r.rules) }

// Lookup returns the rule with the ID or name given, in whatever case.
func (r *Registry) Lookup(idOrName string) (Rule, bool) {
	i, ok := r.index[fold(idOrName)]
	if !ok {
		return Rule{}, false
	}
	return r.rules[i], true
}

// maxSuggestions bounds what [Registry.Suggest] returns.
const maxSuggestions = 5

// Suggest returns the IDs of the rules that a wrong ID or name most likely meant,
// the nearest first: those a few edits away, else those of the family it begins
// with, such as QUE.
func (r *Registry) Suggest(wrong string) []string {
	text := fold(wrong)
	if text == "" || len(text) > maxTitle {
		return nil
	}
	type candidate struct {
		id       string
		distance int
	}
	var near []candidate
	for _, rule := range r.rules {
		d := nearest.Distance(text, fold(rule.ID))
		if byName := nearest.Distance(text, fold(rule.Name)); byName <= len(rule.Name)/3 {
			d = min(d, byName)
		} else if d > 2 {
			continue
		}
		near = append(near, candidate{rule.ID, d})
	}
	if len(near) == 0 {
		family := text[:min(3, len(text))]
		for _, rule := range r.rules {
			if strings.HasPrefix(fold(rule.ID), family) {
				near = append(near, candidate{rule.ID, 0})
			}
		}
	}
	slices.SortStableFunc(near, func(a, b candidate) int { return cmp.Compare(a.distance, b.distance) })
	var ids []string
	for _, c := range near[:min(len(near), maxSuggestions)] {
		ids = append(ids, c.id)
	}
	return ids
}
