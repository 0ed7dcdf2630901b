// Package ab compares two services side by side: at one rate, in short blocks that
// alternate in random order, so that what changes on the machine or the network
// while it goes on meets both alike. It says better, worse or no difference, by a
// test that is exact for two services that are alike.
//
// It tells how two services do at that rate, and nothing of their capacities.
package ab

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"time"

	"example.com/kneeline/analyze/headroom"
	"example.com/kneeline/analyze/headroom/compare"
	"example.com/kneeline/analyze/headroom/stat"
	"example.com/kneeline/internal/fault"
	"example.com/kneeline/internal/units"
	"example.com/kneeline/loadgen"
)

// Defaults.
const (
	// DefaultPairs is how many blocks each side has.
	DefaultPairs = 10
	// DefaultBlock is how long a block is judged.
	DefaultBlock = 4 * time.Second
	// settling is the part of a block that is left for connections to open and the
	// queue to fill, of the part that is judged.
	settling = 0.25
	// spare is how many blocks may be void, for each side, as a share of pairs.
	spare = 0.5
)

// orderStream tells the random numbers of the order of blocks from those of arrivals,
// which have the same seed.
const orderStream = 0x6162

// limits of a Config.
const (
	maxPairs = 1000
	minBlock = 500 * time.Millisecond
	maxBlock = 10 * time.Minute
)

// Config says how to compare. Zero fields have defaults where they have one.
type Config struct {
	// Headroom has the objective, the timeout, the caps, the retries and the seed;
	// the caps are for each side.
	Headroom headroom.Config
	// A and B are the names of the two services.
	A, B string
	// Rate is offered to either, per second.
	Rate float64
	// Pairs is how many blocks each side has, Block how long each is judged.
	Pairs int
	Block time.Duration
	// Alpha is the chance of calling two services that are alike better or worse.
	Alpha float64
}

func (c Config) withDefaults() Config {
	if c.Pairs == 0 {
		c.Pairs = DefaultPairs
	}
	if c.Block == 0 {
		c.Block = DefaultBlock
	}
	if c.Alpha == 0 {
		c.Alpha = compare.DefaultAlpha
	}
	return c
}

// Validate returns a usage error that names the first field out of range.
func (c Config) Validate() error {
	c = c.withDefaults()
	switch {
	case !(c.Rate > 0) || math.IsInf(c.Rate, 0):
		return fault.Usagef("rate: expected more than 0, found %s", units.Rate(c.Rate))
	case c.Headroom.Caps.Rate > 0 && c.Rate > c.Headroom.Caps.Rate:
		return fault.Usagef("rate: expected at most the rate cap of %s, found %s", units.Rate(c.Headroom.Caps.Rate), units.Rate(c.Rate))
	case c.Block < minBlock || c.Block > maxBlock:
		return fault.Usagef("block: expected %s to %s, found %s", minBlock, maxBlock, units.ExactDuration(c.Block))
	case !(c.Alpha > 0 && c.Alpha <= 0.5):
		return fault.Usagef("alpha: expected more than 0 and at most 50%%, found %s", units.ExactShare(c.Alpha))
	case c.Pairs > maxPairs:
		return fault.Usagef("pairs: expected at most %d, found %d", maxPairs, c.Pairs)
	}
	if least := leastPairs(c.Alpha); c.Pairs < least {
		return fault.Usagef("pairs: expected %d or more, since fewer cannot tell anything at an error of %s, found %d", least, units.Share(c.Alpha), c.Pairs)
	}
	return c.Headroom.Validate()
}

// leastPairs is how many pairs can tell a difference at all: with fewer, even if
// all of them point one way, that is too likely by chance.
func leastPairs(alpha float64) int {
	n := 1
	for float64(figures)*stat.LeastP(n) > alpha {
		n++
	}
	return n
}

// Load bounds the time of load of a comparison, both sides together.
func (c Config) Load() time.Duration {
	c = c.withDefaults()
	blocks := 2 * time.Duration(c.Pairs+int(spare*float64(c.Pairs)))
	return blocks * (c.settle() + c.Block)
}

func (c Config) settle() time.Duration {
	return time.Duration(settling * float64(c.Block)).Round(10 * time.Millisecond)
}

// Measure compares two services. A result comes with every error once load was
// offered: with Complete false, and what is known so far.
func Measure(ctx context.Context, a, b loadgen.Offerer, cfg Config) (*Result, error) {
	if err := cfg.Validate(); err != nil {
		return nil, err
	}
	cfg = cfg.withDefaults()
	m := &match{cfg: cfg, rng: rand.New(rand.NewPCG(cfg.Headroom.Seed, orderStream)), sides: [2]*side{{}, {}}}
	for i, o := range []loadgen.Offerer{a, b} {
		c := cfg.Headroom
		c.Seed = 2*cfg.Headroom.Seed + uint64(i)
		if c.Caps.Rate < cfg.Rate {
			c.Caps.Rate = cfg.Rate
		}
		c.Gate = headroom.Gate{}
		blocks, err := headroom.NewBlocks(o, c)
		if err != nil {
			return nil, err
		}
		m.sides[i].blocks = blocks
	}
	err := m.run(ctx)
	return m.result(err), m.failure(err)
}

// match is one comparison.
type match struct {
	cfg   Config
	rng   *rand.Rand
	sides [2]*side
	// pairs are the sound ones.
	pairs []pair
	rows  []BlockRow
	void  int
	why   string
	load  time.Duration
}

type side struct{ blocks *headroom.Blocks }

// pair has a block of each side.
type pair [2]*headroom.Block

// run offers the blocks: two at a time, one to each side, in an order drawn anew
// for each pair. A pair of which a block is void counts for nothing.
func (m *match) run(ctx context.Context) error {
	most := m.cfg.Pairs + int(spare*float64(m.cfg.Pairs))
	for tried := 0; len(m.pairs) < m.cfg.Pairs && tried < most; tried++ {
		first := m.rng.IntN(2)
		var p pair
		for _, i := range []int{first, 1 - first} {
			block, err := m.offer(ctx, i)
			if err != nil {
				return err
			}
			p[i] = block
			m.rows = append(m.rows, m.row(tried+1, i, block))
			if block.Stopped != "" && block.Counts.Planned == 0 {
				return fault.NoAnswerf("%s: %s", m.name(i), block.Stopped)
			}
		}
		if v := p[0].Void + p[1].Void; v != "" {
			m.void++
			m.why = v
			continue
		}
		m.pairs = append(m.pairs, p)
	}
	if len(m.pairs) < m.cfg.Pairs {
		return fault.WithHint(
			fault.NoAnswerf("the load generator was the limit in %d of %d pairs of blocks: %s", m.void, most, m.why),
			"give it more of a machine, or a lower rate")
	}
	return nil
}

// offer offers one block to a side.
func (m *match) offer(ctx context.Context, i int) (*headroom.Block, error) {
	b := m.sides[i].blocks
	if tell := m.cfg.Headroom.Observe; tell != nil {
		other, _ := m.sides[1-i].blocks.Account()
		began := m.load
		_, gen := b.Account()
		b.Observe(func(p headroom.Progress) {
			p.Phase = "blocks"
			p.Elapsed += began - time.Duration(gen.LoadSeconds*float64(time.Second))
			p.Planned += other.Planned
			p.Bad += bad(other)
			tell(p)
		})
	}
	block, err := b.Offer(ctx, m.cfg.Rate, m.cfg.settle(), m.cfg.Block, m.cfg.Load())
	m.load += m.cfg.settle() + m.cfg.Block
	return block, err
}

func bad(a headroom.Account) uint64 { return a.Shed + a.Failed + a.TimedOut }

func (m *match) name(i int) string { return []string{m.cfg.A, m.cfg.B}[i] }

// failure is the error of a comparison: that of the run, or that nothing could be
// judged.
func (m *match) failure(err error) error {
	if err != nil {
		return err
	}
	for i, s := range m.sides {
		if a, _ := s.blocks.Account(); a.Full+a.Degraded == 0 {
			return fault.NoAnswerf("%s answered not one of %d requests rightly", m.name(i), a.Planned)
		}
	}
	return nil
}

func (m *match) warnings() []string {
	w := []string{}
	if m.void > 0 {
		w = append(w, fmt.Sprintf("the load generator was the limit in %d pairs of blocks, which count for nothing", m.void))
	}
	for i := range m.sides {
		stopped := 0
		for _, p := range m.pairs {
			if p[i].Stopped != "" {
				stopped++
			}
		}
		if stopped > 0 {
			w = append(w, fmt.Sprintf("%s: the load was cut short in %d of %d blocks, since most requests ended badly; response times are of those that were answered", m.name(i), stopped, len(m.pairs)))
		}
	}
	return w
}
