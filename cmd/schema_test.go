package cmd

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

const schemaDir = "../docs/schema"

// validate checks a JSON result against the published schema that it names.
func validate(t *testing.T, result string) {
	t.Helper()
	doc, err := jsonschema.UnmarshalJSON(strings.NewReader(result))
	if err != nil {
		t.Fatalf("%v in %q", err, result)
	}
	var head struct{ Schema string }
	if err := json.Unmarshal([]byte(result), &head); err != nil {
		t.Fatal(err)
	}
	name, ok := strings.CutPrefix(head.Schema, "kneeline.")
	if !ok {
		t.Fatalf("the result names the schema %q", head.Schema)
	}
	path := filepath.Join(schemaDir, strings.Replace(name, "/", "-", 1)+".schema.json")
	schema, err := jsonschema.NewCompiler().Compile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := schema.Validate(doc); err != nil {
		t.Errorf("%s: %v", head.Schema, err)
	}
}

func TestResultsFollowTheirSchemas(t *testing.T) {
	rules, err := allRules()
	if err != nil {
		t.Fatal(err)
	}
	lines := [][]string{{"version"}, {"rules"}, {"config"}, {"target", "--truth"}, {"headroom", "--dry-run"},
		{"target", "--for", "1ms", "--listen", "127.0.0.1:0"}}
	for _, r := range rules.All() {
		lines = append(lines, []string{"explain", r.ID})
	}
	for _, args := range lines {
		t.Run(strings.Join(args, " "), func(t *testing.T) {
			p := newPlace(t, "color: never", "")
			got := runIn(t, t.Context(), p.state([]string{"KNEELINE_COLOR=auto"}, append(args, "-o", "json")...))
			if got.code != 0 {
				t.Fatalf("exit code %d: %s", got.code, got.stderr)
			}
			validate(t, got.stdout)
		})
	}
}

// The published schemas are valid themselves and named as results name them.
func TestSchemasAreWellFormed(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(schemaDir, "*.json"))
	if err != nil || len(files) < 4 {
		t.Fatalf("schemas: %v, %v", files, err)
	}
	for _, path := range files {
		if _, err := jsonschema.NewCompiler().Compile(path); err != nil {
			t.Error(err)
			continue
		}
		var s struct {
			ID         string `json:"$id"`
			Properties struct {
				Schema struct{ Const string }
			}
		}
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal(data, &s); err != nil {
			t.Error(err)
		}
		base := filepath.Base(path)
		if s.ID != base {
			t.Errorf("%s: $id %q", base, s.ID)
		}
		if named := strings.Replace(strings.TrimPrefix(s.Properties.Schema.Const, "kneeline."), "/", "-", 1) + ".schema.json"; named != base {
			t.Errorf("%s: results of schema %q would not find it", base, s.Properties.Schema.Const)
		}
	}
}
