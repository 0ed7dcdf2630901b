package graph

// foldTrees folds into its only referrer what has one and refers to nothing that is
// not folded into itself: a string's bytes, then the string, then the map that alone
// holds it. Who alone refers to an object dominates it, so the rest of the graph is
// all that dominators have to be found of. Class objects that are hubs are not counted,
// see [builder.check].
//
// Objects mostly refer to higher addresses, so they are gone through from the top.
func (b *builder) foldTrees() {
	g := b.g
	b.fold = newBits(g.n)
	pred, live, fold := b.pred.V, b.live.V, b.fold
	for v := g.n - 1; v >= 0; v-- {
		if v%walkEvery == 0 {
			b.tell(Pruning, int64(g.n-v), int64(g.n))
			if b.ctx.Err() != nil {
				return
			}
		}
		for x := uint32(v); live[x] == 0 && single(pred[x]) && !fold.has(x); {
			p := pred[x] - 1
			fold.set(x)
			g.retained.move(p, x)
			if live[p] != manyLive {
				live[p]--
			}
			if p < uint32(v) {
				break // its turn will come
			}
			x = p
		}
	}
}

// single says of a state whether it is the number of the only referrer.
func single(p uint32) bool { return p-1 < rootHeld-1 }

// unfold takes the instances of some classes out of what they are folded into, with
// all between.
func (b *builder) unfold(class func(uint32) bool) {
	g := b.g
	var path []uint32
	for r := range uint32(g.n) {
		if !b.fold.has(r) || !class(g.class.at(r)) {
			continue
		}
		path = path[:0]
		for x := r; b.fold.has(x); x = b.pred.V[x] - 1 {
			path = append(path, x)
		}
		for i := len(path) - 1; i >= 0; i-- {
			x := path[i]
			p := b.pred.V[x] - 1
			g.retained.set(p, g.retained.at(p)-g.retained.at(x))
			b.fold.clear(x)
		}
	}
}

// anchors finds what objects are folded into in the end. Places on long ways are
// remembered, so that a long list that is folded takes time in proportion to it.
type anchors struct {
	b     *builder
	known map[uint32]anchor
	way   []uint32
}

// anchor is what takes part in finding dominators, and the one of the objects folded
// into it through which another is.
type anchor struct{ at, under uint32 }

func newAnchors(b *builder) *anchors { return &anchors{b: b, known: map[uint32]anchor{}} }

// of gives the object that takes part in finding dominators into which r is folded, and
// by which child of it; r itself and None when it is not.
func (a *anchors) of(r uint32) (at, under uint32) {
	b := a.b
	a.way = a.way[:0]
	x, last := r, uint32(None)
	for b.fold.has(x) {
		if x*markFactor>>27 == 0 {
			if y, ok := a.known[x]; ok {
				x, last = y.at, y.under
				break
			}
			a.way = append(a.way, x)
		}
		last = x
		x = b.pred.V[x] - 1
	}
	for _, y := range a.way {
		a.known[y] = anchor{x, last}
	}
	return x, last
}

// markFactor spreads objects; one of 32 is a place to remember.
const markFactor = 0x9e3779b1
