package pending

import (
	"example.com/kneeline/analyze/pending/pattern"
	"example.com/kneeline/heapdump"
)

// Limits of looking for chains.
const (
	// maxChainSteps is how many nodes are gone along in one heap, all chains
	// together: a few seconds of work at most, and far above any queue that fits a
	// laptop's idea of one.
	maxChainSteps = 8 << 20
	// maxHeads is how many beginnings of chains of one class are tried.
	maxHeads = 1000
	// chainSpread is from how many kept nodes the few are taken that tell how the
	// class is linked.
	chainSpread = 1024
)

// chainClass is a class whose objects form chains.
type chainClass struct {
	class *heapdump.Class
	// next is the column of the link, item that of the entry, -1 when the node is
	// the entry itself.
	next, item int
}

// chainShapes finds chains of nodes that an object or a static field of the
// application holds.
func chainShapes(h *heapdump.Heap, table *pattern.Table) []shape {
	chains := make(map[int]chainClass)
	for _, c := range h.Classes {
		if c.Kept < minShape || ofJDK(c.Name) || table != nil && table.IsPlain(line(h, c.Index)) != nil {
			continue
		}
		if cc, ok := chainOf(h, c); ok {
			chains[c.Index] = cc
		}
	}
	if len(chains) == 0 {
		return nil
	}
	w := chainWalker{h: h, left: maxChainSteps, tried: make(map[int]int)}
	var out []shape
	for _, c := range h.Classes {
		// The nodes refer to their neighbours: they are holders of nothing.
		if _, node := chains[c.Index]; node {
			continue
		}
		if s, ok := w.statics(c, chains); ok {
			out = append(out, s)
		}
		refs := refColumns(c)
		if len(refs) == 0 || !isHolder(c) || knownHolder(h, table, c) {
			continue
		}
		for in := range h.Instances(c.Index) {
			if s, ok := w.held(in, refs, chains); ok {
				out = append(out, s)
			}
		}
	}
	return out
}

// chainOf reports whether the objects of a class form chains: most refer, by one
// field, to another of the class. Fields of trees and ways back are no links, and
// nodes that a hash table holds as well are entries of a map in the order of
// their use.
func chainOf(h *heapdump.Heap, c *heapdump.Class) (chainClass, bool) {
	for _, index := range h.ClassNamed(c.Name + "[]") {
		if 2*h.Class(index).Filled >= c.Instances {
			return chainClass{}, false
		}
	}
	nodes := someNodes(h, c)
	cc := chainClass{class: c, next: -1, item: -1}
	selves := 0
	for _, col := range refColumns(c) {
		filled, same := 0, 0
		var targets []heapdump.ID
		for _, in := range nodes {
			id := heapdump.ID(in.At(col))
			if id == 0 {
				continue
			}
			filled++
			targets = append(targets, id)
			if index, ok := h.ClassOf(id); ok && related(h, index, c.Index) && id != in.ID {
				same++
			}
		}
		name := c.Columns[col].Name
		switch {
		case 2*filled < len(nodes):
		case float64(same) >= mainShare*float64(filled):
			selves++
			if hasWord(name, notNextWords) {
				continue
			}
			if cc.next < 0 || hasWord(name, nextWords) && !hasWord(c.Columns[cc.next].Name, nextWords) {
				cc.next = col
			}
		default:
			if main, s := mainClass(h, targets); main != nil && s >= mainShare && !isValue(main) && cc.betterItem(name) {
				cc.item = col
			}
		}
	}
	// Three links and more are those of a graph or a tree.
	return cc, cc.next >= 0 && selves <= 2
}

// betterItem reports whether a field is a likelier entry than the one so far.
func (cc *chainClass) betterItem(name string) bool {
	return cc.item < 0 || hasWord(name, itemWords) && !hasWord(cc.class.Columns[cc.item].Name, itemWords)
}

// someNodes returns a few kept objects of a class, spread over the first many.
func someNodes(h *heapdump.Heap, c *heapdump.Class) []heapdump.Instance {
	step := max(min(c.Kept, chainSpread)/shapeSample, 1)
	var out []heapdump.Instance
	n := int64(0)
	for in := range h.Instances(c.Index) {
		if n%step == 0 {
			out = append(out, in)
		}
		if n++; len(out) >= shapeSample {
			break
		}
	}
	return out
}

// related reports whether one class is the other or inherits from it.
func related(h *heapdump.Heap, a, b int) bool {
	if a == b {
		return true
	}
	isBelow := func(a, b int) bool {
		for range maxSupers {
			c := h.Class(a)
			if c == nil {
				return false
			}
			if a = c.Super; a == b {
				return h.Class(b) != nil && h.Class(b).Name != "java.lang.Object"
			}
		}
		return false
	}
	return isBelow(a, b) || isBelow(b, a)
}
