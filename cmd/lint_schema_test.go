package cmd

import (
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"testing"

	"example.com/kneeline/analyze/lint"
	"example.com/kneeline/analyze/lint/effective"
	"example.com/kneeline/analyze/lint/graph"
)

// TestLintSchemas pins the keys of both documents: those of the published schemas and
// no others, at every depth.
func TestLintSchemas(t *testing.T) {
	for name, result := range map[string]reflect.Type{
		"lint-v1": reflect.TypeFor[lint.Result](), "lint-effective-v1": reflect.TypeFor[effective.Result](),
		"lint-graph-v1": reflect.TypeFor[graph.Result](),
	} {
		data, err := os.ReadFile(filepath.Join(schemaDir, name+".schema.json"))
		if err != nil {
			t.Fatal(err)
		}
		var schema map[string]any
		if err := json.Unmarshal(data, &schema); err != nil {
			t.Fatal(err)
		}
		published := slices.Sorted(slices.Values(publishedKeys(schema, "")))
		written := slices.Sorted(slices.Values(writtenKeys(result, "")))
		for _, k := range written {
			if !slices.Contains(published, k) {
				t.Errorf("%s: %s is written and not in the schema", name, k)
			}
		}
		for _, k := range published {
			if !slices.Contains(written, k) {
				t.Errorf("%s: %s is in the schema and not written", name, k)
			}
		}
	}
}
