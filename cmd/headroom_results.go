package cmd

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"example.com/kneeline/analyze/headroom"
	"example.com/kneeline/internal/fault"
	"example.com/kneeline/internal/input"
	"example.com/kneeline/internal/meta"
	"example.com/kneeline/internal/units"
)

// readResults reads whole results of headroom, as 'compare' and 'merge' take them:
// all that the arguments stand for, in their order.
func readResults(a *app, args []string) ([]*headroom.Result, []string, error) {
	x := input.Expand(args)
	if err := errors.Join(x.Problems...); err != nil {
		return nil, nil, err
	}
	var results []*headroom.Result
	var names []string
	for _, src := range x.Sources {
		r, err := readResult(src, a.Stdin)
		if err != nil {
			return nil, nil, err
		}
		results = append(results, r)
		names = append(names, src.Name)
	}
	return results, names, nil
}

// readResult reads one result. Keys that are not known are left out.
func readResult(src input.Source, stdin io.Reader) (*headroom.Result, error) {
	in, err := src.Open(stdin)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	data, err := io.ReadAll(io.LimitReader(in, maxResult+1))
	if err != nil {
		return nil, fault.NoAnswerf("%s: %w", src.Name, err)
	}
	if len(data) > maxResult {
		return nil, fault.NoAnswerf("%s: expected at most %s, found more", src.Name, units.Size(maxResult))
	}
	hint := fmt.Sprintf("'%s headroom URL -o json=FILE' makes such a file", meta.Name)
	r := &headroom.Result{}
	if err := json.Unmarshal(data, r); err != nil {
		var syntax *json.SyntaxError
		if errors.As(err, &syntax) {
			err = fmt.Errorf("at byte %d: %w", syntax.Offset, err)
		}
		return nil, fault.WithHint(fault.NoAnswerf("%s: expected a result of headroom in JSON: %w", src.Name, err), hint)
	}
	if r.Schema != headroom.Schema {
		return nil, fault.WithHint(fault.NoAnswerf("%s: expected the schema %q, found %q", src.Name, headroom.Schema, r.Schema), hint)
	}
	return r, nil
}
