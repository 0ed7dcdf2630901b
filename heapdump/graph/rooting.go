package graph

import (
	"cmp"
	"slices"
)

// maxLocals bounds what frames hold, and maxRoots the roots whose kind is known; what
// is beyond is held by a root of an unknown kind.
const (
	maxLocals = 4 << 20
	maxRoots  = 8 << 20
)

// roots finds what roots hold. What frames and native code of a thread hold whose
// object is in the dump is held by that object, as in MAT.
func (b *builder) roots() error {
	g := b.g
	b.root = newBits(g.n)
	threads := map[uint32]uint32{}
	sticky := false
	var buf []byte
	err := b.eachRoot(&buf, func(kind RootKind, id uint64, thread uint32) {
		if kind == ThreadObject && len(threads) < maxLocals {
			if r, ok := g.addresses.Rank(id); ok {
				threads[thread] = r
			}
		}
		sticky = sticky || kind == StickyClass
	})
	if err != nil {
		return err
	}
	kinds := map[uint32]RootKinds{}
	hold := func(kind RootKind, r uint32) {
		b.root.set(r)
		if k, ok := kinds[r]; ok || len(kinds) < maxRoots {
			kinds[r] = k | 1<<kind
		}
	}
	err = b.eachRoot(&buf, func(kind RootKind, id uint64, thread uint32) {
		r, ok := g.addresses.Rank(id)
		if !ok {
			g.DanglingRoots++
			return
		}
		if kind == JNILocal || kind == JavaFrame || kind == NativeStack {
			if t, ok := threads[thread]; ok && len(b.locals) < maxLocals {
				b.locals = append(b.locals, local{t, r})
				return
			}
		}
		hold(kind, r)
	})
	if err != nil {
		return err
	}
	if len(kinds) == 0 && !b.heap.Complete {
		return errNoRoots
	}
	if !sticky {
		for _, c := range b.heap.Classes {
			if described(c) && c.Loader == 0 && !c.IsArray() {
				if r, ok := g.addresses.Rank(uint64(c.ID)); ok {
					hold(BootClass, r)
				}
			}
		}
	}
	b.sortRoots(kinds)
	if g.Held == 0 {
		return errNoRoots
	}
	return nil
}

// sortRoots puts the roots in the order of the objects, and the locals in that of the
// threads.
func (b *builder) sortRoots(kinds map[uint32]RootKinds) {
	g := b.g
	for r := range uint32(g.n) {
		if r&63 == 0 && b.root[r>>6] == 0 {
			continue
		}
		if b.root.has(r) {
			k, ok := kinds[r]
			if !ok {
				k = 1 << UnknownRoot
			}
			g.rootRanks = append(g.rootRanks, r)
			g.rootKinds = append(g.rootKinds, k)
			g.Held++
			for kind := range NumRootKinds {
				if k.Has(kind) {
					g.ByKind[kind]++
				}
			}
		}
	}
	slices.SortFunc(b.locals, func(a, b local) int {
		return cmp.Or(cmp.Compare(a.thread, b.thread), cmp.Compare(a.object, b.object))
	})
	b.locals = slices.Compact(b.locals)
	for i, l := range b.locals {
		if i == 0 || l.thread != b.locals[i-1].thread {
			b.extras++
		}
	}
}

func (b *builder) eachRoot(buf *[]byte, do func(RootKind, uint64, uint32)) error {
	for i := range b.jobs {
		roots, err := b.spill.read(b.jobs[i].roots, buf)
		if err != nil {
			return err
		}
		for at := 0; at < len(roots); {
			kind := RootKind(roots[at])
			var id, thread uint64
			id, at = get(roots, at+1)
			thread, at = get(roots, at)
			do(kind, id, uint32(thread))
		}
	}
	return nil
}
