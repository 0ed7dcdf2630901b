package fix

import (
	"strings"
	"testing"

	"example.com/kneeline/analyze/lint/model"
	"example.com/kneeline/analyze/lint/rule"
	"example.com/kneeline/internal/finding"
	"pgregory.net/rapid"
)

// wanted is an edit of the text between « and » of a file, which stand for nothing.
func wanted(t *testing.T, name, marked, old, to string, item bool) ([]byte, rule.Edit) {
	t.Helper()
	before, rest, ok := strings.Cut(marked, "«")
	inner, after, ok2 := strings.Cut(rest, "»")
	if !ok || !ok2 {
		t.Fatal(marked)
	}
	return []byte(before + inner + after), rule.Edit{At: model.Position{File: name, Offset: len(before), End: len(before) + len(inner)}, Old: old, New: to, Item: item}
}

func TestPlace(t *testing.T) {
	for name, tt := range map[string]struct {
		file, marked, old, to string
		item                  bool
		want, why             string
	}{
		"plain":              {"a.conf", "x «5000»; # keep", "5000", "5s", false, "x 5s; # keep", ""},
		"in quotes":          {"a.yaml", `x: «"5000"» # keep`, "5000", "5s", false, `x: "5s" # keep`, ""},
		"a number of JSON":   {"a.json", `{"x": «5000»}`, "5000", "5s", false, `{"x": "5s"}`, ""},
		"a number of TOML":   {"a.toml", `x = «5000»`, "5000", "5s", false, `x = "5s"`, ""},
		"a flag of JSON":     {"a.json", `{"x": «true»}`, "true", "false", false, `{"x": false}`, ""},
		"blanks around":      {"a.properties", "x =« 5 »", "5", "6", false, "x = 6 ", ""},
		"a template":         {"a.conf", "x «{{ .T }}»;", "5", "6", false, "", `the file writes it as "{{ .T }}"`},
		"behind a comma":     {"a", "m: GET,«POST»", "POST", "", true, "m: GET", ""},
		"before a comma":     {"a", "m: [«POST», GET]", "POST", "", true, "m: [GET]", ""},
		"between words":      {"a", "on error «non_idempotent»;", "non_idempotent", "", true, "on error;", ""},
		"a word in quotes":   {"a", `on: «"error non_idempotent"»`, "non_idempotent", "", true, `on: "error"`, ""},
		"a word twice":       {"a", `on: «"x x"»`, "x", "", true, "", "the file writes it as"},
		"part of a word":     {"a", `on: «"ax"»`, "x", "", true, "", "the file writes it as"},
		"a line":             {"a", "m:\n  - GET\n  - «POST»\nx: 1\n", "POST", "", true, "m:\n  - GET\nx: 1\n", ""},
		"a first line":       {"a", "m:\n- «POST» # why\n- GET\n", "POST", "", true, "m:\n- GET\n", ""},
		"a last line":        {"a", "m:\n- GET\n- «POST»", "POST", "", true, "m:\n- GET\n", ""},
		"the only line":      {"a", "m:\n- «POST»\nx:\n  - a\n", "POST", "", true, "", only},
		"the only one":       {"a", "m: [«POST»]", "POST", "", true, "", only},
		"the only value":     {"a", "m: «POST»\n", "POST", "", true, "", only},
		"the only argument":  {"a", "m=«POST»\n", "POST", "", true, "", only},
		"quoted item":        {"a", `m: ["GET", «"POST"»]`, "POST", "", true, `m: ["GET"]`, ""},
		"more on its line":   {"a", "m:\n- «POST» x\n- GET\n", "POST", "", true, "", "more than the item is on its line"},
		"outside":            {"a", "«»", "", "", false, "", "outside of the file"},
		"a line of its list": {"a", "- b: 1\n  m: - «POST»\n", "POST", "", true, "", "more than the item is on its line"},
	} {
		data, w := wanted(t, tt.file, tt.marked, tt.old, tt.to, tt.item)
		var f finding.Finding
		Place(data, &f, []rule.Edit{w})
		if tt.why != "" {
			if !strings.Contains(f.NoEdit, tt.why) || f.Edits != nil {
				t.Errorf("%s: %q %v, want %q", name, f.NoEdit, f.Edits, tt.why)
			}
			continue
		}
		if len(f.Edits) != 1 {
			t.Errorf("%s: %q", name, f.NoEdit)
			continue
		}
		if got := string(apply(data, f.Edits)); got != tt.want {
			t.Errorf("%s: %q, want %q", name, got, tt.want)
		}
	}
}

// found is a finding with one edit.
func found(id string, at int, old, to string) finding.Finding {
	return finding.Finding{Rule: id, Location: finding.Location{Object: id}, Edits: []finding.Edit{{Offset: at, Line: 1, Old: old, New: to}}}
}

// objects finds one thing for each capital of a file.
func objects(data []byte) (all []finding.Finding, problems int) {
	for _, c := range string(data) {
		switch {
		case c >= 'A' && c <= 'Z':
			all = append(all, finding.Finding{Rule: string(c), Location: finding.Location{Object: string(c)}, Message: "a capital"})
		case c == '!':
			problems++
		}
	}
	return all, problems
}

func TestPlan(t *testing.T) {
	noEdit := finding.Finding{Rule: "D", NoEdit: "it is a default"}
	c := Plan("f", []byte("A b B c C D E"), []finding.Finding{
		found("A", 0, "A", "a"),
		found("B", 4, "B", "X"),      // adds a finding
		found("C", 8, "C", "!"),      // cannot be read any more
		found("E", 12, "E", "E E"),   // is not fixed
		found("A", 0, "A", "aa"),     // not with the first
		found("B", 4, "other", "it"), // another file
		noEdit,
	}, objects)
	if string(c.New) != "a b B c C D E" || len(c.Fixed) != 1 || string(c.Old) != "A b B c C D E" {
		t.Errorf("%q, fixed %v", c.New, c.Fixed)
	}
	var why []string
	for _, f := range c.Left {
		why = append(why, f.NoEdit)
	}
	want := []string{"it is a default", "the fix of another finding changes the same text on line 1", "the file has changed since it was read",
		"with it, X objects: a capital", "with it, the file could not be read any more", "the value alone does not do away with the finding"}
	if strings.Join(why, "\n") != strings.Join(want, "\n") {
		t.Errorf("left for\n%s", strings.Join(why, "\n"))
	}
	if c := Plan("f", []byte("A b C"), []finding.Finding{found("A", 0, "A", "a"), found("A", 0, "A", "a"), found("C", 4, "C", "")}, objects); string(c.New) != "a b " {
		t.Errorf("two findings with one fix: %q", c.New)
	}
}

func TestDiff(t *testing.T) {
	c := Change{File: "./conf/a.conf", Old: []byte("a\nb\nc\n"), New: []byte("a\nB\nc\n")}
	if got, want := c.Diff(), "--- a/conf/a.conf\n+++ b/conf/a.conf\n@@ -1,3 +1,3 @@\n a\n-b\n+B\n c\n"; got != want {
		t.Errorf("%s", got)
	}
}

// All bytes that no edit names stay, in their order.
func TestApplyProperty(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var parts []string
		for range rapid.IntRange(1, 8).Draw(t, "parts") {
			parts = append(parts, rapid.StringMatching(`[a-z\n]{0,5}`).Draw(t, "kept"), rapid.StringMatching(`[0-9]{1,4}`).Draw(t, "old"))
		}
		data := []byte(strings.Join(parts, ""))
		var edits []finding.Edit
		at, want := 0, ""
		for i, p := range parts {
			if i%2 == 1 {
				e := finding.Edit{Offset: at, Old: p, New: rapid.StringMatching(`[A-Z]{0,6}`).Draw(t, "new")}
				edits = append(edits, e)
				want += e.New
			} else {
				want += p
			}
			at += len(p)
		}
		joined, why := join(data, nil, edits)
		if why != "" {
			t.Fatal(why)
		}
		if got := string(apply(data, joined)); got != want {
			t.Fatalf("%q, want %q", got, want)
		}
	})
}

// Whatever a place claims, nothing panics, and an edit is of the text that is there.
func FuzzPlace(f *testing.F) {
	f.Add([]byte("m:\n- POST\n- GET\n"), 5, 9, "POST", true)
	f.Add([]byte(`{"a": "5"}`), 6, 9, "5", false)
	f.Fuzz(func(t *testing.T, data []byte, from, to int, old string, item bool) {
		var got finding.Finding
		Place(data, &got, []rule.Edit{{At: model.Position{Offset: from, End: to}, Old: old, New: "6", Item: item}})
		for _, e := range got.Edits {
			if string(data[e.Offset:e.Offset+len(e.Old)]) != e.Old || e.Line < 1 || e.Column < 1 {
				t.Errorf("%+v", e)
			}
		}
		if (got.Edits == nil) == (got.NoEdit == "") {
			t.Errorf("edits %v and why not %q", got.Edits, got.NoEdit)
		}
	})
}
