package pprof

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/google/pprof/profile"

	"example.com/kneeline/heapdump/goroutines"
)

// Limits of the reader.
const (
	// MaxBytes bounds a profile, uncompressed. Reading one takes some 20 times its
	// size at worst. Profiles of large services have a few MiB.
	MaxBytes = 64 << 20
	// MaxSamples and MaxTotalFrames bound what is kept; the rest is counted.
	MaxSamples     = 1_000_000
	MaxTotalFrames = 8_000_000
	// MaxFrames bounds one stack; the runtime's own limit is 128.
	MaxFrames = 512
)

// Read reads one profile, packed by gzip or not.
func Read(r io.Reader) (p *Profile, err error) {
	data, err := bounded(r)
	if err != nil {
		return nil, err
	}
	if len(data) >= 2 && data[0] == 0x1f && data[1] == 0x8b {
		gz, err := gzip.NewReader(bytes.NewReader(data))
		if err != nil {
			return nil, fmt.Errorf("damaged gzip: %w", err)
		}
		if data, err = bounded(gz); err != nil {
			return nil, err
		}
		if len(data) >= 2 && data[0] == 0x1f && data[1] == 0x8b {
			return nil, errors.New("expected a profile, found gzip in gzip")
		}
	}
	return decode(data)
}

func bounded(r io.Reader) ([]byte, error) {
	data, err := io.ReadAll(io.LimitReader(r, MaxBytes+1))
	if err != nil {
		return nil, err
	}
	if len(data) > MaxBytes {
		return nil, fmt.Errorf("expected a profile of at most %d MiB, found more", MaxBytes>>20)
	}
	return data, nil
}

func decode(data []byte) (p *Profile, err error) {
	if len(data) == 0 {
		return nil, errors.New("expected a profile, found nothing")
	}
	// The parser is not ours. What it makes of hostile bytes must not end the
	// program.
	defer func() {
		if v := recover(); v != nil {
			p, err = nil, fmt.Errorf("damaged profile: %v", v)
		}
	}()
	raw, err := profile.ParseData(data)
	if err != nil {
		return nil, fmt.Errorf("expected a profile in pprof's format: %w", err)
	}
	p, err = convert(raw, readNotes(data))
	if err == nil && p.Kind == Block && bytes.HasPrefix(data, []byte("--- mutex:")) {
		p.Kind = Mutex
	}
	return p, err
}

func convert(raw *profile.Profile, notes *notes) (*Profile, error) {
	kind, columns, err := kindOf(raw)
	if err != nil {
		return nil, err
	}
	p := &Profile{Kind: kind, Processes: 1, Duration: max(0, time.Duration(raw.DurationNanos)), Text: notes != nil}
	if raw.TimeNanos > 0 {
		p.Taken = time.Unix(0, raw.TimeNanos).UTC()
	}
	if kind == Heap {
		p.Period = max(0, raw.Period)
		p.Allocs = raw.DefaultSampleType == "alloc_space"
	}
	if notes != nil {
		p.Stats = notes.stats
	}
	c := &converter{frames: map[*profile.Location][]goroutines.Frame{}}
	named := notes != nil && len(notes.records) == len(raw.Sample)
	samples := make([]Sample, 0, min(len(raw.Sample), MaxSamples))
	for i, s := range raw.Sample {
		if len(samples) >= MaxSamples || c.total >= MaxTotalFrames {
			p.Dropped++
			continue
		}
		out := Sample{Size: size(s)}
		columns.fill(&out, s.Value)
		if named && len(notes.records[i]) > 0 {
			out.Frames = notes.records[i]
		} else {
			var unnamed bool
			out.Frames, unnamed = c.stack(s.Location)
			if unnamed {
				p.Unnamed++
			}
		}
		if kind == Block && unlocks(out.Frames) {
			p.Kind = Mutex
		}
		samples = append(samples, out)
	}
	p.Samples = sum(samples, nil)
	return p, nil
}

// size is the label that the runtime gives a heap sample.
func size(s *profile.Sample) int64 {
	if v := s.NumLabel["bytes"]; len(v) == 1 && v[0] > 0 {
		return v[0]
	}
	return 0
}

// unlocks tells a mutex profile, which counts at the call that lets the others
// go on, from a block profile, which counts at the one that waits; the formats
// are the same.
func unlocks(frames []goroutines.Frame) bool {
	for _, f := range frames[:min(2, len(frames))] {
		switch f.Func {
		case "sync.(*Mutex).Unlock", "sync.(*RWMutex).Unlock", "sync.(*RWMutex).RUnlock", "internal/sync.(*Mutex).Unlock", "runtime.unlock", "runtime._LostContendedRuntimeLock":
			return true
		}
	}
	return false
}

// columns say which value of a sample is which; -1 is not there.
type columns struct {
	inuseObjects, inuseBytes, allocObjects, allocBytes int
	count, delay                                       int
}

func (c columns) fill(s *Sample, v []int64) {
	at := func(i int) int64 {
		if i < 0 || i >= len(v) {
			return 0
		}
		return v[i]
	}
	s.InuseObjects, s.InuseBytes = at(c.inuseObjects), at(c.inuseBytes)
	s.AllocObjects, s.AllocBytes = at(c.allocObjects), at(c.allocBytes)
	s.Count, s.Delay = at(c.count), at(c.delay)
}

func kindOf(raw *profile.Profile) (Kind, columns, error) {
	find := func(names ...string) int {
		for i, t := range raw.SampleType {
			for _, n := range names {
				if t.Type == n {
					return i
				}
			}
		}
		return -1
	}
	c := columns{
		inuseObjects: find("inuse_objects", "objects"), inuseBytes: find("inuse_space", "space"),
		allocObjects: find("alloc_objects"), allocBytes: find("alloc_space"), count: -1, delay: -1,
	}
	if c.inuseBytes >= 0 || c.allocBytes >= 0 {
		return Heap, c, nil
	}
	for _, k := range []Kind{Goroutine, ThreadCreate} {
		if c.count = find(string(k)); c.count >= 0 {
			return k, c, nil
		}
	}
	if c.count = find("contentions"); c.count >= 0 {
		c.delay = find("delay")
		return Block, c, nil
	}
	var found []string
	for _, t := range raw.SampleType {
		found = append(found, fmt.Sprintf("%.40q", t.Type))
	}
	return "", c, fmt.Errorf("expected a heap, goroutine, block, mutex or threadcreate profile, found one of %s", strings.Join(found[:min(len(found), 8)], ", "))
}

// converter makes frames of locations, each once.
type converter struct {
	frames map[*profile.Location][]goroutines.Frame
	total  int
}

// stack returns the frames, and whether one of them has no name.
func (c *converter) stack(locations []*profile.Location) (frames []goroutines.Frame, unnamed bool) {
	for _, l := range locations {
		if l == nil {
			continue
		}
		of, ok := c.frames[l]
		if !ok {
			of = location(l)
			c.frames[l] = of
		}
		for _, f := range of {
			if len(frames) >= MaxFrames {
				return frames, unnamed
			}
			unnamed = unnamed || strings.HasPrefix(f.Func, "0x")
			frames = append(frames, f)
			c.total++
		}
	}
	return frames, unnamed
}

// location are the frames of one address: inlined calls first.
func location(l *profile.Location) []goroutines.Frame {
	var out []goroutines.Frame
	for _, line := range l.Line[:min(len(l.Line), MaxFrames)] {
		if line.Function == nil || line.Function.Name == "" {
			continue
		}
		out = append(out, goroutines.Frame{
			Func: line.Function.Name, File: line.Function.Filename, Line: int(max(0, line.Line)),
		})
	}
	if len(out) == 0 {
		out = append(out, goroutines.Frame{Func: fmt.Sprintf("%#x", l.Address)})
	}
	return out
}
