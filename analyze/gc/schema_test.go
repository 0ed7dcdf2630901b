package gc

import (
	"bytes"
	"encoding/json"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"example.com/kneeline/gcparse"
	"example.com/kneeline/internal/finding"
)

const schemas = "../../docs/schema/"

// follows validates a value as JSON against a published schema.
func follows(t *testing.T, s *jsonschema.Schema, v any) {
	t.Helper()
	data, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Validate(doc); err != nil {
		t.Errorf("%v\n%.300s", err, data)
	}
}

func compiled(t *testing.T, name string) *jsonschema.Schema {
	t.Helper()
	s, err := jsonschema.NewCompiler().Compile(schemas + name)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// Every log of the tests of the rules follows the published schema.
func TestResultsFollowTheSchema(t *testing.T) {
	s := compiled(t, "gc-v1.schema.json")
	gates := Gates{MaxOverhead: 0.1, MaxPause: PauseLimits{{0.99, time.Second}}, FailOn: finding.Error}
	judge := func(logs ...*Log) {
		a, err := NewAssembly(Config{Timeout: time.Second}, gates)
		if err != nil {
			t.Fatal(err)
		}
		for _, l := range logs {
			a.Add(l)
		}
		follows(t, s, a.Result())
	}
	judge()
	var all []*Log
	for _, c := range cases {
		for _, make := range slices.Concat(c.bad, c.near) {
			p := newTape(t, c.coll)
			make(p)
			l := p.judge()
			judge(l)
			all = append(all, l)
		}
	}
	judge(all...)
	p := newTape(t, gcparse.AnyCollector)
	p.res.Runs = nil
	judge(p.judge())
	follows(t, compiled(t, "gc-compare-v1.schema.json"), Compare(all[0], all[1]))
}

// The keys are those of the schemas and no others, at every depth: a key may be
// added to both, and none may go.
func TestSchemasHaveAllKeys(t *testing.T) {
	for name, written := range map[string]reflect.Type{
		"gc-v1.schema.json": reflect.TypeFor[Result](), "gc-compare-v1.schema.json": reflect.TypeFor[Comparison](),
	} {
		data, err := os.ReadFile(schemas + name)
		if err != nil {
			t.Fatal(err)
		}
		var s map[string]any
		if err := json.Unmarshal(data, &s); err != nil {
			t.Fatal(err)
		}
		a, b := published(s, ""), keysOf(written, "")
		slices.Sort(a)
		slices.Sort(b)
		if !slices.Equal(a, b) {
			t.Errorf("%s: published %v\nwritten %v", name, a, b)
		}
	}
}

func published(s map[string]any, path string) (keys []string) {
	for _, k := range []string{"items", "additionalProperties"} {
		if sub, ok := s[k].(map[string]any); ok {
			keys = append(keys, published(sub, path)...)
		}
	}
	props, _ := s["properties"].(map[string]any)
	for name, sub := range props {
		keys = append(keys, path+"."+name)
		keys = append(keys, published(sub.(map[string]any), path+"."+name)...)
	}
	return keys
}

func keysOf(t reflect.Type, path string) (keys []string) {
	switch t.Kind() {
	case reflect.Pointer, reflect.Slice, reflect.Map:
		return keysOf(t.Elem(), path)
	case reflect.Struct:
	default:
		return nil
	}
	for i := range t.NumField() {
		name, _, _ := strings.Cut(t.Field(i).Tag.Get("json"), ",")
		if name == "" || name == "-" {
			continue
		}
		keys = append(keys, path+"."+name)
		keys = append(keys, keysOf(t.Field(i).Type, path+"."+name)...)
	}
	return keys
}
