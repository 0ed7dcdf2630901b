// Package virtual offers load on a virtual clock: a perfect client in front of
// a simulated service, behind the same [loadgen.Offerer] as the real client. A
// search of a minute runs in milliseconds and is the same for the same seed, so
// that the statistics of package headroom can be tested over hundreds of runs.
//
// It supports tests. It is not a model of a network and no part of a report.
package virtual

import (
	"context"
	"math/rand/v2"
	"time"

	"example.com/kneeline/loadgen"
	"example.com/kneeline/loadgen/target"
)

// Service is a simulated service; [target.Sim] is one. Instants do not decrease.
type Service interface {
	Arrive(at time.Duration, id uint64)
	Leave(id uint64)
	Advance(to time.Duration, done func(id uint64, at time.Duration, a target.Answer))
}

// Pause is a time during which the generator does not get to send.
type Pause struct {
	At, Length time.Duration
}

// Offerer offers load to a simulated service. Runs follow each other on one
// clock, so that the service keeps its state from run to run as a real one
// does.
type Offerer struct {
	Service Service
	// Seed fixes the arrivals and the client's own draws.
	Seed uint64
	// NetMin and NetMax bound the uniform time that the network adds to every
	// answer.
	NetMin, NetMax time.Duration
	// Pauses stall the generator, on the clock of all runs together.
	Pauses []Pause
	// Fail turns an answer into a failure; it is told the arrival rate over the
	// last tenth of a second and a uniform draw. Nil fails nothing.
	Fail func(rate, u float64) bool
	// Gap passes on the clock between two runs.
	Gap time.Duration

	now    time.Duration
	runs   uint64
	nextID uint64
}

// New returns an Offerer in front of the simulated service of package target.
func New(cfg target.Config, seed uint64) *Offerer {
	return &Offerer{
		Service: target.NewSim(cfg, seed^0x5eed),
		Seed:    seed,
		NetMin:  100 * time.Microsecond,
		NetMax:  time.Millisecond,
		Gap:     100 * time.Millisecond,
	}
}

// Load returns how long load was offered in all, gaps between runs included.
func (v *Offerer) Load() time.Duration { return v.now }

// Offer runs the pilot against the service in virtual time.
func (v *Offerer) Offer(ctx context.Context, o loadgen.Offer, p loadgen.Pilot) (*loadgen.Result, error) {
	v.runs++
	r := newRun(v, o, rand.New(rand.NewPCG(v.Seed, v.runs)))
	err := r.play(ctx, p)
	v.now += r.now + v.Gap
	v.nextID = r.base + uint64(len(r.reqs))
	return r.result(), err
}
