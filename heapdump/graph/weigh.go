package graph

import "sync/atomic"

// weighed is how many objects one goroutine weighs at once.
const weighed = 1 << 18

// weigh gives each object its shallow size, to which what it retains is added later. It
// waits until what the reader wrote down is gone, as both need room.
func (b *builder) weigh() (err error) {
	g := b.g
	claimed := uint64(b.heap.Bytes)
	if g.sizes == MATSizes {
		claimed = uint64(b.heap.MATBytes)
	}
	if g.retained, err = newAmounts(b.arena, g.n, claimed, b.unit()); err != nil {
		return err
	}
	var sum atomic.Int64
	err = b.parallel((g.n+weighed-1)/weighed, Linking, 1, 1, func(_, i int) error {
		part := int64(0)
		for r := i * weighed; r < min(g.n, (i+1)*weighed); r++ {
			size := g.Shallow(Rank(r))
			g.retained.set(uint32(r), uint64(size))
			part += size
		}
		sum.Add(part)
		return nil
	})
	b.sum = uint64(sum.Load())
	return err
}
