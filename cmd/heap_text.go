package cmd

import (
	"context"
	"errors"
	"time"

	"example.com/kneeline/analyze/pending"
	"example.com/kneeline/analyze/pending/histoonly"
	"example.com/kneeline/heapdump/classhisto"
	"example.com/kneeline/internal/fault"
	"example.com/kneeline/internal/heapinput"
)

// judgeText judges the histograms and thread dumps of one process of which there is
// no heap dump. What cannot be read of them is an error beside the judgement of the
// rest.
func (r *heapRun) judgeText(ctx context.Context, c *heapCase) (*pending.Result, error) {
	in := histoonly.Input{Interval: time.Duration(r.opts.interval)}
	var errs []error
	for _, one := range append([]*heapInput{c.main}, c.beside...) {
		if ctx.Err() != nil {
			break
		}
		switch one.kind {
		case heapinput.Histogram:
			f, err := r.readHistograms(one)
			if f != nil {
				in.Histograms = append(in.Histograms, histoonly.Histograms{Name: one.Name, File: f})
			}
			errs = append(errs, err)
		case heapinput.Threads:
			f, err := r.readStacks(one)
			if f != nil {
				in.Threads = append(in.Threads, histoonly.Threads{Name: one.Name, File: f})
			}
			errs = append(errs, err)
		}
		r.view.end(one)
	}
	if len(in.Histograms)+len(in.Threads) == 0 {
		return nil, errors.Join(errs...)
	}
	return histoonly.Judge(in, r.options(c.name)), errors.Join(errs...)
}

// readHistograms reads the class histograms of a file.
func (r *heapRun) readHistograms(in *heapInput) (*classhisto.File, error) {
	src, err := in.open()
	if err != nil {
		return nil, err
	}
	defer src.Close()
	f, err := classhisto.Read(src)
	if f == nil || len(f.Histograms) == 0 {
		if err == nil {
			err = fault.NoAnswerf("expected a class histogram, found none")
		}
		return nil, named(in.Name, err)
	}
	return f, named(in.Name, err)
}
