package cmd

import (
	"context"
	"errors"
	"fmt"
	"time"

	"example.com/kneeline/analyze/pending"
	"example.com/kneeline/analyze/pending/goproc"
	"example.com/kneeline/heapdump/goroutines"
	"example.com/kneeline/heapdump/pprof"
	"example.com/kneeline/internal/heapinput"
	"example.com/kneeline/internal/input"
)

// judgeGo judges the profiles and stacks of one process of Go. What cannot be read
// of them is an error beside the judgement of the rest.
func (r *heapRun) judgeGo(ctx context.Context, c *heapCase) (*pending.Result, error) {
	in := goproc.Input{Base: r.base}
	var inputs []pending.Input
	var errs []error
	for _, one := range append([]*heapInput{c.main}, c.beside...) {
		if ctx.Err() != nil {
			break
		}
		var told pending.Input
		var err error
		switch one.kind {
		case heapinput.Pprof:
			var p *pprof.Profile
			if p, told, err = r.readProfile(one); p != nil {
				in.Profiles = append(in.Profiles, p)
			}
		case heapinput.GoStacks:
			var s *goroutines.Set
			if s, told, err = r.readGoroutines(one); s != nil {
				in.Texts = append(in.Texts, s)
			}
		default:
			told, err = pending.Input{}, fmt.Errorf("%s: expected profiles of Go beside one another, found %s", one.Name, one.kind.Title())
		}
		if err != nil {
			errs = append(errs, err)
		}
		if told.Name != "" {
			inputs = append(inputs, told)
		}
		r.view.end(one)
	}
	if len(in.Profiles)+len(in.Texts) == 0 {
		return nil, errors.Join(errs...)
	}
	res := goproc.Judge(in, goproc.Options{
		Table: r.tables.goes, Patterns: r.opts.patterns, Capacity: r.capacity, Timeout: r.timeout, ServiceTime: r.serviceTime,
		MinEntries: int64(r.opts.minEntries), Rows: r.wantedRows(),
	})
	res.Inputs = inputs
	return res, errors.Join(errs...)
}

// readProfile reads one profile.
func (r *heapRun) readProfile(in *heapInput) (*pprof.Profile, pending.Input, error) {
	src, err := in.open()
	if err != nil {
		return nil, pending.Input{}, err
	}
	defer src.Close()
	p, err := pprof.Read(src)
	if err != nil {
		return nil, pending.Input{}, named(in.Name, err)
	}
	told := pending.Input{Name: in.Name, Format: "pprof " + string(p.Kind), Complete: true, Taken: takenAt(p.Taken), Losses: []pending.Loss{}}
	if p.Unnamed > 0 {
		told.Losses = append(told.Losses, pending.Loss{What: "samples with a function that has no name", Count: &p.Unnamed})
	}
	if p.Dropped > 0 {
		told.Losses = append(told.Losses, pending.Loss{What: "samples beyond what is kept", Count: &p.Dropped})
	}
	return p, told, nil
}

// readGoroutines reads the text of all goroutines.
func (r *heapRun) readGoroutines(in *heapInput) (*goroutines.Set, pending.Input, error) {
	src, err := in.open()
	if err != nil {
		return nil, pending.Input{}, err
	}
	defer src.Close()
	s, err := goroutines.Read(src)
	if s == nil || len(s.Stacks) == 0 {
		return nil, pending.Input{}, named(in.Name, err)
	}
	told := pending.Input{Name: in.Name, Format: "goroutines", Complete: !s.Cut && err == nil, Taken: takenAt(s.Taken), Losses: []pending.Loss{}}
	if s.Unread > 0 {
		told.Losses = append(told.Losses, pending.Loss{What: "lines that could not be understood", Count: &s.Unread})
	}
	if s.Elided > 0 {
		told.Losses = append(told.Losses, pending.Loss{What: "stacks with frames left out", Count: &s.Elided})
	}
	if err != nil {
		err = named(in.Name, err)
	}
	return s, told, err
}

// named puts the name of the input before an error that lacks it.
func named(name string, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%s: %w", name, err)
}

func takenAt(t time.Time) *time.Time {
	if t.IsZero() {
		return nil
	}
	t = t.UTC()
	return &t
}

// readBase reads the profiles of --base.
func (r *heapRun) readBase() error {
	if len(r.opts.base) == 0 {
		return nil
	}
	x := input.Expand(r.opts.base)
	if len(x.Problems) > 0 {
		return errors.Join(x.Problems...)
	}
	for _, src := range x.Sources {
		in, err := recogniseOne(src, r.Stdin, heapinput.Unknown)
		if err != nil {
			return err
		}
		if in.kind != heapinput.Pprof {
			return fmt.Errorf("--base %s: expected a profile of pprof, found %s", src.Name, in.kind.Title())
		}
		p, _, err := r.readProfile(in)
		if err != nil {
			return err
		}
		r.base = append(r.base, p)
	}
	return nil
}
