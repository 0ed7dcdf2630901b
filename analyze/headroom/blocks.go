package headroom

import (
	"context"
	"time"

	"example.com/kneeline/internal/hist"
	"example.com/kneeline/internal/outcome"
	"example.com/kneeline/loadgen"
)

// PhaseBlock is a block of a comparison side by side.
const PhaseBlock = "block"

// Blocks offers one rate to a service for a short time, over and over, under the
// caps of one Config: what a comparison of two services side by side is made of.
type Blocks struct{ c *campaign }

// NewBlocks returns one for a service. Of cfg the objective, the timeout, the caps,
// the retries, the arrivals and the seed count.
func NewBlocks(o loadgen.Offerer, cfg Config) (*Blocks, error) {
	if err := cfg.Validate(); err != nil {
		return nil, err
	}
	cfg = cfg.withDefaults()
	return &Blocks{&campaign{cfg: cfg, offerer: o}}, nil
}

// Block is what came of one.
type Block struct {
	// Seconds is how long the judged part was, Counts the account of it.
	Seconds float64
	Counts  outcome.Counts
	// Good is how many requests were answered rightly and in time.
	Good uint64
	// Full is the time from the planned instant of full answers, in ns.
	Full hist.Hist
	// Void is why it is no measurement, Stopped why its load was cut short; both
	// are empty when all is well.
	Void, Stopped string
}

// Offer offers a rate for settle, which is not judged, and length. total bounds
// the load of all blocks, for progress.
func (b *Blocks) Offer(ctx context.Context, rate float64, settle, length, total time.Duration) (*Block, error) {
	b.c.total = total
	p := &holding{phase: PhaseBlock, rate: rate, warm: settle, last: settle + length}
	r, err := b.c.offer(ctx, loadgen.Offer{Arrivals: b.c.cfg.Arrivals}, rate, p)
	if err != nil {
		return nil, err
	}
	out := &Block{Stopped: r.stopped}
	if n := len(r.Segments); n > 0 {
		// A block that was cut short while it settled has that part to show.
		s := &r.Segments[n-1]
		out.Seconds, out.Counts, out.Void = s.Duration.Seconds(), s.Counts, s.Void
		out.Good = good(b.c.cfg, s.Counts)
		out.Full = s.Latency[outcome.Full].Clone()
	}
	return out, nil
}

// Observe has the progress told to f from now on, with so much load before that of
// these blocks.
func (b *Blocks) Observe(f func(Progress)) { b.c.cfg.Observe = f }

// Account is the account of all blocks, with the health of the generator.
func (b *Blocks) Account() (Account, Generator) {
	a := account(b.c.all, b.c.causes)
	if b.c.retries.Planned > 0 {
		a.Retries = ptr(account(b.c.retries, nil))
	}
	return a, b.c.health()
}
