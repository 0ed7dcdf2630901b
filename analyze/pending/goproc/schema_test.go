package goproc

import (
	"bytes"
	"encoding/json"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"example.com/kneeline/analyze/pending"
)

// published is the schema of the result.
func published(t *testing.T) *jsonschema.Schema {
	t.Helper()
	s, err := jsonschema.NewCompiler().Compile("../../../docs/schema/heap-v1.schema.json")
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// follows validates a result as JSON against the schema.
func follows(t *testing.T, s *jsonschema.Schema, res *pending.Result) {
	t.Helper()
	data, err := json.Marshal(res)
	if err != nil {
		t.Fatal(err)
	}
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Validate(doc); err != nil {
		t.Error(err)
	}
}
