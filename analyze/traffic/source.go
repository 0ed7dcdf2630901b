package traffic

import (
	"context"
	"io"
	"time"

	"example.com/kneeline/internal/accesslog"
	"example.com/kneeline/internal/fault"
	"example.com/kneeline/internal/input"
)

// Logs are the access logs to read.
type Logs struct {
	Inputs []input.Source
	// Stdin is what an input of "-" stands for.
	Stdin io.Reader
	// Options say how lines are read.
	Options accesslog.Options
	// Watch is told now and then how many lines were read; nil when nobody looks.
	Watch func(lines uint64)
}

// Reading is what became of the logs.
type Reading struct {
	// Files is how many inputs were read, Formats how many in which format.
	Files   int
	Formats map[string]int
	// Records counts requests.
	Records uint64
	Loss    accesslog.Loss
	// Problems are inputs that could not be read, or not to their end.
	Problems []error
	// WholeSeconds says that times have no fraction of the second in some input.
	WholeSeconds bool
	// Ends counts records whose time is that of the end and whose duration is not
	// known, so that the end stands for the arrival.
	Ends uint64
}

// watchLines is how many lines are read between two looks at the context.
const watchLines = 1 << 14

// each reads all inputs one after the other.
func (l *Logs) each(ctx context.Context, see func(file int, r *accesslog.Record)) (*Reading, error) {
	res := &Reading{Formats: map[string]int{}}
	for i := range l.Inputs {
		if err := l.file(ctx, i, res, see); err != nil {
			if ctx.Err() != nil {
				return res, err
			}
			res.Problems = append(res.Problems, err)
		}
	}
	switch {
	case res.Records > 0:
		return res, nil
	case len(res.Problems) == 1:
		return res, res.Problems[0]
	case len(res.Loss.Examples) > 0:
		return res, fault.NoAnswerf("no line of the log is a request: %s", res.Loss.Examples[0])
	case len(res.Problems) > 1:
		return res, fault.NoAnswerf("none of %d logs could be read; the first: %w", len(res.Problems), res.Problems[0])
	}
	return res, fault.NoAnswerf("the log has no requests")
}

func (l *Logs) file(ctx context.Context, i int, res *Reading, see func(int, *accesslog.Record)) error {
	src, err := l.Inputs[i].Open(l.Stdin)
	if err != nil {
		return err
	}
	defer src.Close()
	r, err := accesslog.NewReader(src.Name, src, l.Options, &res.Loss)
	if err != nil {
		return err
	}
	res.Files++
	res.Formats[r.Format()]++
	for rec := (accesslog.Record{}); r.Next(&rec); {
		if res.Records++; res.Records%watchLines == 0 {
			if ctx.Err() != nil {
				return context.Cause(ctx)
			}
			if l.Watch != nil {
				l.Watch(res.Loss.Lines)
			}
		}
		if rec.Resolution >= time.Second {
			res.WholeSeconds = true
		}
		if rec.AtEnd && rec.Duration == accesslog.Unknown {
			res.Ends++
		}
		see(i, &rec)
	}
	return r.Err()
}
