package cmd

import (
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"example.com/kneeline/analyze/pending"
	"example.com/kneeline/analyze/pending/fleet"
	"example.com/kneeline/analyze/retained"
)

// The keys of results of heap are those of the schemas and no others, at every
// depth: a key may be added to both, and none may go.
func TestHeapSchemasHaveAllKeys(t *testing.T) {
	for name, written := range map[string]reflect.Type{
		"heap-v1.schema.json": reflect.TypeFor[pending.Result](), "heap-fleet-v1.schema.json": reflect.TypeFor[fleet.Result](),
		"heap-path-v1.schema.json": reflect.TypeFor[retained.PathResult](),
	} {
		data, err := os.ReadFile(filepath.Join(schemaDir, name))
		if err != nil {
			t.Fatal(err)
		}
		var s map[string]any
		if err := json.Unmarshal(data, &s); err != nil {
			t.Fatal(err)
		}
		a, b := schemaPaths(s, s, ""), jsonPaths(written, "")
		slices.Sort(a)
		slices.Sort(b)
		for _, k := range a {
			if !slices.Contains(b, k) {
				t.Errorf("%s publishes %s, which no result has", name, k)
			}
		}
		for _, k := range b {
			if !slices.Contains(a, k) {
				t.Errorf("%s does not publish %s", name, k)
			}
		}
	}
}

// schemaPaths are the paths of the keys of a schema, whose references are to its
// own definitions.
func schemaPaths(root, s map[string]any, path string) (keys []string) {
	if strings.Count(path, ".children.") > 1 {
		return nil // a tree, whose nodes are alike
	}
	if ref, ok := s["$ref"].(string); ok {
		def := root["$defs"].(map[string]any)[strings.TrimPrefix(ref, "#/$defs/")]
		return schemaPaths(root, def.(map[string]any), path)
	}
	for _, k := range []string{"items", "additionalProperties"} {
		if sub, ok := s[k].(map[string]any); ok {
			keys = append(keys, schemaPaths(root, sub, path)...)
		}
	}
	props, _ := s["properties"].(map[string]any)
	for name, sub := range props {
		keys = append(keys, path+"."+name)
		keys = append(keys, schemaPaths(root, sub.(map[string]any), path+"."+name)...)
	}
	return keys
}

// jsonPaths are the paths of the keys that a type has as JSON.
func jsonPaths(t reflect.Type, path string) (keys []string) {
	if strings.Count(path, ".children.") > 1 {
		return nil
	}
	switch t.Kind() {
	case reflect.Pointer, reflect.Slice, reflect.Map:
		return jsonPaths(t.Elem(), path)
	case reflect.Struct:
		if t == reflect.TypeFor[time.Time]() {
			return nil
		}
	default:
		return nil
	}
	for i := range t.NumField() {
		name, _, _ := strings.Cut(t.Field(i).Tag.Get("json"), ",")
		if name == "" || name == "-" {
			continue
		}
		keys = append(keys, path+"."+name)
		keys = append(keys, jsonPaths(t.Field(i).Type, path+"."+name)...)
	}
	return keys
}
