package finding

import (
	"slices"
	"strings"
	"testing"
)

// example returns a complete rule.
func example(id string) Rule {
	return Rule{
		ID: id, Name: "example-" + strings.ToLower(id), Title: "queue outlives the client's timeout",
		Why:     "Requests are served\nafter their clients left.\n\nGoodput falls.",
		Formula: "\nuseful = capacity x timeout\n       = 480\n", Sources: []string{"Little 1961"},
		Bad: "queue: 5000", Good: "queue: 400", Fix: "Set the queue to the safe value.", Severity: Warning, Since: "0.1",
	}
}

func TestRegistry(t *testing.T) {
	reg, err := NewRegistry([]Rule{example("TMO-06"), example("QUE-02")}, nil, []Rule{example("QUE-01")})
	if err != nil {
		t.Fatal(err)
	}
	var ids []string
	for _, r := range reg.All() {
		ids = append(ids, r.ID)
	}
	if !slices.Equal(ids, []string{"QUE-01", "QUE-02", "TMO-06"}) {
		t.Errorf("rules in order %v", ids)
	}
	reg.All()[0].ID = "changed"
	for _, key := range []string{"QUE-01", " que-01", "example-que-01"} {
		if r, ok := reg.Lookup(key); !ok || r.ID != "QUE-01" {
			t.Errorf("Lookup(%q) = %q, %v", key, r.ID, ok)
		}
	}
	if r, ok := reg.Lookup("QUE-99"); ok || r.ID != "" {
		t.Errorf("Lookup of no rule gave %q", r.ID)
	}
	if shared, err := NewRegistry([]Rule{example("QUE-01")}, []Rule{example("QUE-01")}); err != nil || len(shared.All()) != 1 {
		t.Errorf("a rule that two analyses share: %v", err)
	}
	if empty, err := NewRegistry(); err != nil || len(empty.All()) != 0 || empty.Suggest("QUE-01") != nil {
		t.Errorf("the empty registry: %v", err)
	}
}

func TestRegistryRefuses(t *testing.T) {
	for _, c := range []struct {
		says   string
		change func(*Rule)
	}{
		{"expected an ID of three capitals", func(r *Rule) { r.ID = "QUEUE-1" }},
		{"expected an ID of three capitals", func(r *Rule) { r.ID = "" }},
		{"expected an ID of three capitals", func(r *Rule) { r.ID = "QUE-01\n" }},
		{"expected a name of lower-case words", func(r *Rule) { r.Name = "Queue Too Long" }},
		{"expected a name of lower-case words", func(r *Rule) { r.Name = "" }},
		{"expected a version", func(r *Rule) { r.Since = "soon" }},
		{"no severity", func(r *Rule) { r.Severity = 0 }},
		{"no severity", func(r *Rule) { r.Severity = 9 }},
		{"no final period", func(r *Rule) { r.Title = "Queue is long." }},
		{"expected a title of one line", func(r *Rule) { r.Title = strings.Repeat("x", maxTitle+1) }},
		{"Title is empty", func(r *Rule) { r.Title = "" }},
		{"Why is empty", func(r *Rule) { r.Why = " \n" }},
		{"Formula is empty", func(r *Rule) { r.Formula = "" }},
		{"Bad is empty", func(r *Rule) { r.Bad = "" }},
		{"Good is empty", func(r *Rule) { r.Good = "" }},
		{"Fix is empty", func(r *Rule) { r.Fix = "" }},
		{"no source", func(r *Rule) { r.Sources = nil }},
		{"source 2 is empty", func(r *Rule) { r.Sources = []string{"RFC 9110", ""} }},
		{`rule QUE-02: rule QUE-01 has taken "example-que-01"`, func(r *Rule) { r.ID = "QUE-02" }},
		{`rule QUE-01: rule QUE-01 has taken "que-01"`, func(r *Rule) { r.Name = "other" }},
	} {
		broken := example("QUE-01")
		c.change(&broken)
		reg, err := NewRegistry([]Rule{example("QUE-01")}, []Rule{broken})
		if err == nil || reg != nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("want %q, got %v", c.says, err)
		}
	}
}

func TestRegistryNamesEveryProblem(t *testing.T) {
	one, two := example("QUE-01"), example("QUE-02")
	one.Why, one.Fix, two.Sources = "", "", nil
	_, err := NewRegistry([]Rule{one, two})
	for _, want := range []string{"rule QUE-01: Why", "rule QUE-01: Fix", "rule QUE-02: no source"} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("want %q among the problems, got %v", want, err)
		}
	}
}

func TestSuggest(t *testing.T) {
	long := example("BUD-03")
	long.Name = "retry-budget-per-group"
	reg, err := NewRegistry([]Rule{example("QUE-01"), example("QUE-02"), example("QUE-13"), example("TMO-06"), long})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		wrong string
		want  []string
	}{
		{"QUE01", []string{"QUE-01", "QUE-02", "QUE-13"}},
		{"que-1", []string{"QUE-01", "QUE-13", "QUE-02"}},
		{"TM0-06", []string{"TMO-06"}},
		{"retry-budgets-per-group", []string{"BUD-03"}},
		{"que", []string{"QUE-01", "QUE-02", "QUE-13"}},
		{"QUEUE-SIZE", []string{"QUE-01", "QUE-02", "QUE-13"}},
		{"", nil},
		{"xyz-99", nil},
		{strings.Repeat("QUE", 1000), nil},
	} {
		if got := reg.Suggest(c.wrong); !slices.Equal(got, c.want) {
			t.Errorf("Suggest(%q) = %v, want %v", c.wrong, got, c.want)
		}
	}
}

func TestPage(t *testing.T) {
	page := example("QUE-01").Page()
	var headings []string
	for _, s := range page {
		headings = append(headings, s.Heading)
		if len(s.Lines) == 0 || s.Lines[0] == "" {
			t.Errorf("section %s is empty", s.Heading)
		}
	}
	if !slices.Equal(headings, []string{"Why", "Formula", "Bad", "Good", "Fix", "Sources"}) {
		t.Errorf("sections %v", headings)
	}
	if why := page[0]; why.Code || !slices.Equal(why.Lines, []string{"Requests are served after their clients left.", "Goodput falls."}) {
		t.Errorf("prose is not made of paragraphs: %q", why.Lines)
	}
	if f := page[1]; !f.Code || !slices.Equal(f.Lines, []string{"useful = capacity x timeout", "       = 480"}) {
		t.Errorf("code is not kept as it is: %q", f.Lines)
	}
}
