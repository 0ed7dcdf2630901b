package graph

import (
	"context"
	"iter"
	"slices"

	"example.com/kneeline/heapdump/graph/disk"
)

func (g *Graph) retainedOfSet(ctx context.Context, set func(Rank) bool) (SetRetained, error) {
	var out SetRetained
	seen := newBits(g.n)
	stack, err := disk.Make[uint32](g.arena, g.n)
	if err != nil {
		return out, err
	}
	defer stack.Free()
	top := 0
	visit := func(r uint32) {
		if r >= uint32(g.n) || seen.has(r) {
			return
		}
		seen.set(r)
		if set(Rank(r)) {
			seen.clear(r)
			return
		}
		stack.V[top] = r
		top++
	}
	left, leftBytes := int64(0), int64(0)
	for _, root := range g.rootRanks {
		visit(root)
		for top > 0 {
			top--
			r := stack.V[top]
			left++
			leftBytes += g.Shallow(Rank(r))
			if left%walkEvery == 0 && !g.goesOn(ctx) {
				return out, ctx.Err()
			}
			for _, t := range g.follow(r, g.ignore) {
				visit(t)
			}
			visit(g.mirrorOf(r))
		}
	}
	for r, d := range g.idom.V {
		if d != uint32(None) && set(Rank(r)) {
			out.Members++
			out.Shallow += g.Shallow(Rank(r))
		}
	}
	out.Objects, out.Bytes = g.Objects-left, g.Bytes-leftBytes
	return out, nil
}

func (g *Graph) out(r Rank) iter.Seq[Ref] {
	return func(yield func(Ref) bool) {
		strength := g.strengthOf(uint32(r))
		for i, t := range g.targets(uint32(r)) {
			ref := Ref{Rank: Rank(t)}
			if i == 0 && strength != 0 {
				if t == uint32(r) {
					continue // no referent
				}
				ref.Strength = strength
			}
			if !yield(ref) {
				return
			}
		}
		if m := g.mirrorOf(uint32(r)); m != uint32(None) {
			yield(Ref{Rank: Rank(m), Class: true})
		}
	}
}

func (g *Graph) inAll(ctx context.Context, ranks []Rank, limit int) ([][]Ref, error) {
	wanted := newBits(g.n)
	places := map[uint32][]int{}
	for i, r := range ranks {
		if int(r) < g.n {
			wanted.set(uint32(r))
			places[uint32(r)] = append(places[uint32(r)], i)
		}
	}
	out := make([][]Ref, len(ranks))
	add := func(i int, ref Ref) {
		if n := len(out[i]); n > 0 && out[i][n-1].Rank == ref.Rank || limit > 0 && n >= limit {
			return
		}
		out[i] = append(out[i], ref)
	}
	for r := range uint32(g.n) {
		if r%walkEvery == 0 && !g.goesOn(ctx) {
			return nil, ctx.Err()
		}
		strength := Strength(0)
		for k, t := range g.targets(r) {
			if !wanted.has(t) {
				continue
			}
			if strength = 0; k == 0 {
				if strength = g.strengthOf(r); strength != 0 && t == r {
					continue
				}
			}
			for _, i := range places[t] {
				add(i, Ref{Rank: Rank(r), Strength: strength})
			}
		}
	}
	return out, nil
}

func (g *Graph) paths(ctx context.Context, ranks []Rank, without Strength) ([][]Step, error) {
	from, err := disk.Make[uint32](g.arena, g.n) // whence an object was reached, plus 1
	if err != nil {
		return nil, err
	}
	defer from.Free()
	queue, err := disk.Make[uint32](g.arena, g.n)
	if err != nil {
		return nil, err
	}
	defer queue.Free()
	wanted, left := newBits(g.n), 0
	for _, r := range ranks {
		if int(r) < g.n && !wanted.has(uint32(r)) {
			wanted.set(uint32(r))
			left++
		}
	}
	end := 0
	visit := func(r, by uint32) {
		if r >= uint32(g.n) || from.V[r] != 0 {
			return
		}
		from.V[r] = by + 1
		queue.V[end] = r
		end++
		if wanted.has(r) {
			left--
		}
	}
	for _, r := range g.rootRanks {
		visit(r, uint32(Root))
	}
	for at := 0; at < end && left > 0; at++ {
		if at%walkEvery == 0 && !g.goesOn(ctx) {
			return nil, ctx.Err()
		}
		r := queue.V[at]
		for _, t := range g.follow(r, without|g.ignore) {
			visit(t, r)
		}
		visit(g.mirrorOf(r), r)
	}
	out := make([][]Step, len(ranks))
	for i, r := range ranks {
		if int(r) < g.n && from.V[r] != 0 {
			out[i] = g.steps(from.V, r, without)
		}
	}
	return out, nil
}

// steps follows a path back to its root and gives it from there.
func (g *Graph) steps(from []uint32, r Rank, without Strength) []Step {
	var path []Step
	for {
		by := Rank(from[r] - 1)
		step := Step{Rank: r}
		if by != Root {
			step.Strength, step.Class = g.by(by, r, without|g.ignore)
		}
		path = append(path, step)
		if by == Root {
			break
		}
		r = by
	}
	slices.Reverse(path)
	return path
}

// by says what the reference is by which one object leads to another: the strongest
// when there are several.
func (g *Graph) by(from, to Rank, without Strength) (Strength, bool) {
	strength := g.strengthOf(uint32(from))
	found := false
	for i, t := range g.targets(uint32(from)) {
		switch {
		case t != uint32(to):
		case i > 0 || strength == 0:
			return 0, false
		case strength&without == 0:
			found = true
		}
	}
	if found {
		return strength, false
	}
	return 0, true
}
