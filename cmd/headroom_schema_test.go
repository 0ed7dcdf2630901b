package cmd

import (
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
)

// TestHeadroomSchema pins the keys of the document: those of the published
// schema and no others, at every depth. A key may be added to both; none may go.
func TestHeadroomSchema(t *testing.T) {
	data, err := os.ReadFile(filepath.Join(schemaDir, "headroom-v1.schema.json"))
	if err != nil {
		t.Fatal(err)
	}
	var schema map[string]any
	if err := json.Unmarshal(data, &schema); err != nil {
		t.Fatal(err)
	}
	published := publishedKeys(schema, "")
	written := writtenKeys(reflect.TypeFor[headroomDocument](), "")
	for _, k := range written {
		if !slices.Contains(published, k) {
			t.Errorf("%s is written and not in the schema", k)
		}
	}
	for _, k := range published {
		if !slices.Contains(written, k) {
			t.Errorf("%s is in the schema and not written", k)
		}
	}
}

// publishedKeys lists the properties of a schema as paths.
func publishedKeys(s map[string]any, path string) []string {
	var keys []string
	if items, ok := s["items"].(map[string]any); ok {
		keys = append(keys, publishedKeys(items, path)...)
	}
	if more, ok := s["additionalProperties"].(map[string]any); ok {
		keys = append(keys, publishedKeys(more, path)...)
	}
	props, _ := s["properties"].(map[string]any)
	for name, sub := range props {
		keys = append(keys, path+"."+name)
		keys = append(keys, publishedKeys(sub.(map[string]any), path+"."+name)...)
	}
	return keys
}

// writtenKeys lists the JSON keys of a type in the same way. A type inside
// itself ends the descent.
func writtenKeys(t reflect.Type, path string) []string {
	switch t.Kind() {
	case reflect.Pointer, reflect.Slice, reflect.Map:
		return writtenKeys(t.Elem(), path)
	case reflect.Struct:
	default:
		return nil
	}
	var keys []string
	for i := range t.NumField() {
		f := t.Field(i)
		tag, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		switch {
		case f.Anonymous && tag == "":
			keys = append(keys, writtenKeys(f.Type, path)...)
		case tag == "" || tag == "-":
		default:
			keys = append(keys, path+"."+tag)
			if e := f.Type; !(e.Kind() == reflect.Pointer && e.Elem() == t) {
				keys = append(keys, writtenKeys(f.Type, path+"."+tag)...)
			}
		}
	}
	return keys
}
