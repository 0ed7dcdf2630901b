package config

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"example.com/kneeline/internal/fault"
)

var schema = &Schema{
	Settings: map[string]Kind{"color": Scalar, "output": List},
	Sections: map[string]*Schema{
		"headroom": {Settings: map[string]Kind{"peak": Scalar, "header": List, "zones": Scalar}},
	},
}

func TestParse(t *testing.T) {
	tests := []struct {
		name, text string
		want       []Setting
	}{
		{"empty", "", nil},
		{"comments only", "# nothing\n---\n", nil},
		{"all kinds", "color: never # comment\noutput: [text, 'json=x']\nheadroom:\n  peak: 800/s\n  zones: 3\n  header:\n    - a\n    - \"b: c\"\n", []Setting{
			{"color", []string{"never"}, 1},
			{"output", []string{"text", "json=x"}, 2},
			{"headroom.peak", []string{"800/s"}, 4},
			{"headroom.zones", []string{"3"}, 5},
			{"headroom.header", []string{"a", "b: c"}, 6},
		}},
		{"one value for a list", "output: json", []Setting{{"output", []string{"json"}, 1}}},
		{"empty list", "output: []", []Setting{{"output", nil, 1}}},
		{"empty section", "headroom:\n", nil},
		{"values as written", "headroom: {zones: 0x10, peak: 1e3}", []Setting{
			{"headroom.zones", []string{"0x10"}, 1}, {"headroom.peak", []string{"1e3"}, 1},
		}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			f, err := Parse("f.yaml", []byte(tt.text), schema)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, f.Settings); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestParseErrors(t *testing.T) {
	tests := []struct {
		name, text string
		want       string // all of the message
		hint       string
	}{
		{"unknown", "colour: never", `f.yaml:1: unknown setting "colour"`, `did you mean "color"?`},
		{"unknown in a section", "headroom:\n  paek: 3", `f.yaml:2: unknown setting "headroom.paek"`, `did you mean "headroom.peak"?`},
		{"setting without its section", "peak: 3", `f.yaml:1: unknown setting "peak"`, ""},
		{"two problems", "a: 1\nb: 2", "f.yaml:1: unknown setting \"a\"\nf.yaml:2: unknown setting \"b\"", ""},
		{"twice", "color: a\n\ncolor: b", `f.yaml:3: "color" is set a second time, first in line 1`, ""},
		{"no value", "color:", `f.yaml:1: "color": expected a value, found nothing`, ""},
		{"list for a scalar", "color: [a]", `f.yaml:1: "color": expected a value, found a list`, ""},
		{"section for a scalar", "color: {a: b}", `f.yaml:1: "color": expected a value, found a section`, ""},
		{"value for a section", "headroom: 3", `f.yaml:1: "headroom": expected settings as 'name: value', found "3"`, ""},
		{"list at the top", "- color", `f.yaml:1: expected settings as 'name: value', found a list`, ""},
		{"section in a list", "output: [{a: b}]", `f.yaml:1: "output": expected a list of values, found a section in it`, ""},
		{"nothing in a list", "output:\n  - text\n  -", `f.yaml:3: "output": expected a list of values, found nothing in it`, ""},
		{"alias", "output: &o [text]\ncolor: *o", `f.yaml:2: "color": expected a value, found the alias *o, which settings files do not support`, ""},
		{"list as a key", "[a, b]: c", `f.yaml:1: expected a setting's name, found a list`, ""},
		{"second document", "color: a\n---\ncolor: b", `f.yaml: expected a single YAML document, found another after it`, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := Parse("f.yaml", []byte(tt.text), schema)
			if err == nil || err.Error() != tt.want {
				t.Errorf("error:\n%v\nwant:\n%s", err, tt.want)
			}
			if got := fault.HintOf(err); got != tt.hint {
				t.Errorf("hint %q, want %q", got, tt.hint)
			}
			if fault.KindOf(err) != fault.Usage {
				t.Errorf("%v is no usage error", err)
			}
		})
	}
	if _, err := Parse("f.yaml", []byte("color: ["), schema); err == nil || !strings.HasPrefix(err.Error(), "f.yaml: not valid YAML: line 1") {
		t.Errorf("syntax error: %v", err)
	}
}

func TestFileSizeLimit(t *testing.T) {
	path := filepath.Join(t.TempDir(), "big.yaml")
	text := "color: never\n" + strings.Repeat("#", MaxFileSize-len("color: never\n"))
	write := func(text string) {
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write(text)
	if f, err := Read(path, "big.yaml", schema); err != nil || len(f.Settings) != 1 {
		t.Errorf("a file of the limit: %v, %v", f, err)
	}
	write(text + "#")
	want := fmt.Sprintf("big.yaml: expected at most %d bytes of settings, found more", MaxFileSize)
	if _, err := Read(path, "big.yaml", schema); err == nil || err.Error() != want {
		t.Errorf("a file over the limit: %v, want %s", err, want)
	}
}

func TestFind(t *testing.T) {
	base := t.TempDir()
	dirs := func(names ...string) string {
		path := filepath.Join(append([]string{base}, names...)...)
		if err := os.MkdirAll(path, 0o755); err != nil {
			t.Fatal(err)
		}
		return path
	}
	file := func(dir string) string {
		path := filepath.Join(dir, "k.yaml")
		if err := os.WriteFile(path, nil, 0o644); err != nil {
			t.Fatal(err)
		}
		return path
	}
	upper := file(dirs("upper"))
	repository := dirs("upper", "repo")
	dirs("upper", "repo", ".git")
	inner := file(dirs("upper", "repo", "inner"))
	dirs("upper", "plain", "k.yaml") // a directory of that name is no file
	tests := []struct {
		name, from, want string
	}{
		{"here", filepath.Dir(upper), upper},
		{"above", dirs("upper", "plain", "deep"), upper},
		{"nearest", dirs("upper", "repo", "inner", "deep"), inner},
		{"not above the repository", repository, ""},
	}
	for _, tt := range tests {
		if got, err := Find(tt.from, "k.yaml"); err != nil || got != tt.want {
			t.Errorf("%s: Find = %q, %v; want %q", tt.name, got, err, tt.want)
		}
	}
}

// Whatever the bytes, Parse returns settings that the schema has, each with a
// line of the file and at most once, or an error that names the file.
func FuzzParse(f *testing.F) {
	for _, s := range []string{
		"", "color: never", "output: [a, b]\nheadroom: {peak: 3}", "a: &x [*x]", "color: !!binary aGk=",
		"? [a]\n: b", "headroom:\n  header:\n  - |\n    x\n", "\xff\xfe", "color: a\n---\n", "{", "<<: {color: a}",
	} {
		f.Add([]byte(s))
	}
	known := map[string]bool{"color": true, "output": true, "headroom.peak": true, "headroom.header": true, "headroom.zones": true}
	f.Fuzz(func(t *testing.T, data []byte) {
		file, err := Parse("f.yaml", data, schema)
		if err != nil {
			if fault.KindOf(err) != fault.Usage || !strings.HasPrefix(err.Error(), "f.yaml") {
				t.Fatalf("error %v", err)
			}
			return
		}
		seen := map[string]bool{}
		for _, s := range file.Settings {
			if !known[s.Key] || seen[s.Key] {
				t.Fatalf("setting %q is unknown or there twice", s.Key)
			}
			seen[s.Key] = true
			if s.Line < 1 || s.Line > 1+len(data) {
				t.Fatalf("setting %q in line %d", s.Key, s.Line)
			}
		}
	})
}
