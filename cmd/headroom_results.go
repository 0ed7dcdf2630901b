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
	r := &headroom.Result{}
	if err := decodeResult(src, stdin, r, &r.Schema); err != nil {
		return nil, err
	}
	return r, nil
}

// maxResult bounds the result that is read.
const maxResult = 64 << 20

// decodeResult reads a result of headroom into as much of one as v has. schema is
// where v has its schema.
func decodeResult(src input.Source, stdin io.Reader, v any, schema *string) error {
	data, err := src.ReadAll(stdin, maxResult)
	if err != nil {
		return err
	}
	if err := json.Unmarshal(data, v); err != nil {
		var syntax *json.SyntaxError
		if errors.As(err, &syntax) {
			err = fmt.Errorf("at byte %d: %w", syntax.Offset, err)
		}
		return noHeadroomResult("%s: expected a result of headroom in JSON: %w", src.Name, err)
	}
	if *schema != headroom.Schema {
		return noHeadroomResult("%s: expected the schema %q, found %q", src.Name, headroom.Schema, *schema)
	}
	return nil
}

// noHeadroomResult is the error about a file that is no result of headroom.
func noHeadroomResult(format string, args ...any) error {
	return fault.WithHint(fault.NoAnswerf(format, args...),
		fmt.Sprintf("'%s headroom URL -o json=FILE' makes such a file", meta.Name))
}
