package targets

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"

	"example.com/kneeline/internal/fault"
)

// jsonTarget is a target of vegeta's JSON form, with a weight.
type jsonTarget struct {
	Method *string             `json:"method"`
	URL    *string             `json:"url"`
	Body   []byte              `json:"body"` // base64
	Header map[string][]string `json:"header"`
	Weight *float64            `json:"weight"`
}

// parseJSON reads targets as JSON objects, one after the other.
func parseJSON(name string, text []byte) (*List, error) {
	l := &List{Format: "json"}
	dec := json.NewDecoder(bytes.NewReader(text))
	for len(l.Targets) <= MaxTargets {
		var j jsonTarget
		err := dec.Decode(&j)
		if errors.Is(err, io.EOF) {
			break
		}
		// The decoder stands behind the object, whose end is on its line.
		place := fmt.Sprintf("%s:%d", name, 1+bytes.Count(text[:dec.InputOffset()], []byte("\n")))
		if err != nil {
			return nil, fault.Usagef("%s: expected a target as a JSON object with method and url: %w", place, err)
		}
		t, err := j.target(place)
		if err != nil {
			return nil, err
		}
		l.Targets = append(l.Targets, t)
	}
	return l, nil
}

func (j *jsonTarget) target(place string) (Target, error) {
	t := Target{Weight: 1, Body: j.Body, Place: place}
	switch {
	case j.Method == nil || *j.Method == "":
		return t, fault.Usagef("%s: expected a target with a method, found none", place)
	case j.URL == nil:
		return t, fault.Usagef("%s: expected a target with a url, found none", place)
	case j.Weight != nil && !(*j.Weight > 0 && *j.Weight <= 1e12):
		return t, fault.Usagef("%s: expected a weight over 0, found %v", place, *j.Weight)
	case len(j.Body) > MaxBody:
		return t, fault.Usagef("%s: expected a body of at most %d bytes, found %d", place, MaxBody, len(j.Body))
	}
	t.Method, t.URL = *j.Method, *j.URL
	if j.Weight != nil {
		t.Weight = *j.Weight
	}
	if _, err := Origin(t.URL); err != nil {
		return t, fault.Usagef("%s: %w", place, err)
	}
	for _, k := range slices.Sorted(maps.Keys(j.Header)) {
		for _, v := range j.Header[k] {
			t.Headers = append(t.Headers, Header{k, v})
		}
	}
	return t, nil
}
