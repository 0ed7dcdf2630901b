package queuecalc

// InSystem counts the requests in a server, those that run and those that
// wait: the K of M/M/c/K.
type InSystem int64

// Positions counts places in which requests wait: the queue setting of a
// server, K − c.
type Positions int64

// Unbounded stands for a server that refuses nothing. It is the largest count
// up to which every count is exact in a float64.
const Unbounded InSystem = 1 << 53

// Positions returns the waiting positions that leave k requests in a system of
// that many workers: k − workers, never below 0.
func (k InSystem) Positions(workers int) Positions {
	return Positions(max(k-InSystem(workers), 0))
}

// InSystem returns the requests in a system of that many workers when every
// one of the p positions is taken: p + workers, never above Unbounded.
func (p Positions) InSystem(workers int) InSystem {
	if InSystem(p) >= Unbounded-InSystem(workers) {
		return Unbounded
	}
	return InSystem(p) + InSystem(workers)
}
