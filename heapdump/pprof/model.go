package pprof

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"example.com/kneeline/heapdump/goroutines"
)

// Kind is what a profile counts.
type Kind string

// The kinds that are read.
const (
	Heap         Kind = "heap"
	Goroutine    Kind = "goroutine"
	Block        Kind = "block"
	Mutex        Kind = "mutex"
	ThreadCreate Kind = "threadcreate"
)

// Sample is one stack with what was counted for it. Which fields are set depends
// on the kind of the profile.
type Sample struct {
	// Frames are the innermost first.
	Frames []goroutines.Frame
	// Size is the bytes of one object, in a heap profile; 0 is not known.
	Size int64

	// Of a heap profile, estimated by the runtime from samples: what is reachable
	// or not yet collected, and what was allocated since the start.
	InuseObjects, InuseBytes int64
	AllocObjects, AllocBytes int64

	// Count is goroutines, threads, or the waits that ended (block, mutex).
	Count int64
	// Delay is how long these waits lasted together, in nanoseconds.
	Delay int64
}

// Profile is one profile, or several of a kind added up.
type Profile struct {
	Kind Kind
	// Samples are in a fixed order, one for each stack and size.
	Samples []Sample
	// Processes is how many profiles were added up.
	Processes int
	// Taken is when, the latest of several; zero where the source does not tell.
	Taken time.Time
	// Duration is the time a profile of differences covers (?seconds=N); 0 for one
	// since the start of the process.
	Duration time.Duration
	// Period is how many bytes are allocated between two samples of a heap
	// profile, on average (runtime.MemProfileRate); 0 is not known.
	Period int64
	// Text is true for the older text form, whose stacks lack the runtime's frames.
	Text bool
	// Allocs is true for the profile "allocs", which is the profile "heap" with another
	// figure in front: who adds up a process must not count both.
	Allocs bool
	// Stats are the figures of runtime.MemStats that the text form of a heap
	// profile ends with, summed over processes: "Stack" is bytes of stacks in use.
	Stats map[string]int64
	// Unnamed counts samples in which a function has no name, Dropped those beyond
	// [MaxSamples] or [MaxTotalFrames].
	Unnamed, Dropped int64
}

// add adds the values of b, times sign.
func (s *Sample) add(b *Sample, sign int64) {
	s.InuseObjects += sign * b.InuseObjects
	s.InuseBytes += sign * b.InuseBytes
	s.AllocObjects += sign * b.AllocObjects
	s.AllocBytes += sign * b.AllocBytes
	s.Count += sign * b.Count
	s.Delay += sign * b.Delay
}

func (s *Sample) zero() bool {
	return s.InuseObjects == 0 && s.InuseBytes == 0 && s.AllocObjects == 0 && s.AllocBytes == 0 && s.Count == 0 && s.Delay == 0
}

func (s *Sample) key() string {
	var b strings.Builder
	b.WriteString(strconv.FormatInt(s.Size, 10))
	for _, f := range s.Frames {
		b.WriteByte(0)
		b.WriteString(f.Func)
		b.WriteByte(1)
		b.WriteString(f.File)
		b.WriteByte(1)
		b.WriteString(strconv.Itoa(f.Line))
	}
	return b.String()
}

// sum joins samples of one stack and size, in the fixed order. Those of minus are
// taken away.
func sum(plus, minus []Sample) []Sample {
	index := map[string]int{}
	var keys []string
	var out []Sample
	add := func(samples []Sample, sign int64) {
		for i := range samples {
			k := samples[i].key()
			j, ok := index[k]
			if !ok {
				j = len(out)
				index[k] = j
				keys = append(keys, k)
				out = append(out, Sample{Frames: samples[i].Frames, Size: samples[i].Size})
			}
			out[j].add(&samples[i], sign)
		}
	}
	add(plus, 1)
	add(minus, -1)
	order := make([]int, 0, len(out))
	for i := range out {
		if !out[i].zero() {
			order = append(order, i)
		}
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Compare(keys[a], keys[b]) })
	sorted := make([]Sample, len(order))
	for i, j := range order {
		sorted[i] = out[j]
	}
	return sorted
}

// Merge adds up profiles of one kind, such as those of a fleet. The order does
// not matter.
func Merge(profiles ...*Profile) (*Profile, error) {
	if len(profiles) == 0 {
		return nil, errors.New("expected profiles to merge, found none")
	}
	m := &Profile{Kind: profiles[0].Kind}
	var samples []Sample
	for _, p := range profiles {
		if p.Kind != m.Kind {
			return nil, fmt.Errorf("expected profiles of one kind, found %s and %s", min(m.Kind, p.Kind), max(m.Kind, p.Kind))
		}
		samples = append(samples, p.Samples...)
		m.Processes += p.Processes
		if p.Taken.After(m.Taken) {
			m.Taken = p.Taken
		}
		m.Duration = max(m.Duration, p.Duration)
		m.Period = max(m.Period, p.Period)
		m.Text = m.Text || p.Text
		m.Allocs = m.Allocs || p.Allocs
		m.Unnamed += p.Unnamed
		m.Dropped += p.Dropped
		for k, v := range p.Stats {
			if m.Stats == nil {
				m.Stats = map[string]int64{}
			}
			m.Stats[k] += v
		}
	}
	m.Samples = sum(samples, nil)
	return m, nil
}

// Diff is what p has more than base; values may be negative.
func Diff(p, base *Profile) (*Profile, error) {
	if p.Kind != base.Kind {
		return nil, fmt.Errorf("expected a base of kind %s, found %s", p.Kind, base.Kind)
	}
	d := *p
	d.Samples = sum(p.Samples, base.Samples)
	d.Duration = 0
	if !p.Taken.IsZero() && p.Taken.After(base.Taken) && !base.Taken.IsZero() {
		d.Duration = p.Taken.Sub(base.Taken)
	}
	d.Unnamed += base.Unnamed
	d.Dropped += base.Dropped
	return &d, nil
}

// Goroutines are those of a goroutine profile, in groups of equal stacks.
func (p *Profile) Goroutines() *goroutines.Set {
	stacks := make([]goroutines.Stack, 0, len(p.Samples))
	for i := range p.Samples {
		s := &p.Samples[i]
		stacks = append(stacks, goroutines.Stack{
			Frames: s.Frames, Count: s.Count, State: goroutines.StateOf(s.Frames, p.Text),
		})
	}
	set := goroutines.New(stacks)
	set.Processes = p.Processes
	set.Taken = p.Taken
	set.Unread = p.Dropped
	return set
}
