package baseline

import (
	"bytes"
	"reflect"
	"strings"
	"testing"

	"example.com/kneeline/internal/finding"
	"pgregory.net/rapid"
)

func at(rule, file, key string, line int) finding.Finding {
	loc := finding.Location{File: file, Line: line, Object: "hop"}
	return finding.Finding{Rule: rule, Message: "m", Location: loc, Fingerprint: finding.Fingerprint(rule, loc, key)}
}

func all(string, string) bool { return true }

func TestCompare(t *testing.T) {
	one, two, moved := at("AAA-01", "a", "k", 1), at("AAA-01", "a", "k2", 2), at("AAA-01", "a", "k", 9)
	f := Of([]finding.Finding{one, one, two, at("BBB-01", "b", "k", 1)})
	c := f.Compare([]finding.Finding{moved, at("AAA-01", "c", "k", 1)}, []finding.Finding{two}, func(rule, _ string) bool { return rule != "BBB-01" })
	if len(c.Still) != 1 || c.Still[0].Location.Line != 9 {
		t.Errorf("still %v", c.Still)
	}
	if len(c.New) != 1 || c.New[0].Location.File != "c" {
		t.Errorf("new %v", c.New)
	}
	if len(c.Fixed) != 1 || c.Fixed[0].Fingerprint != one.Fingerprint || c.Fixed[0].Count != 1 {
		t.Errorf("fixed %v", c.Fixed)
	}
	if c.Unseen != 1 {
		t.Errorf("unseen %d", c.Unseen)
	}
}

func TestReadRefuses(t *testing.T) {
	for text, want := range map[string]string{
		"":                    "byte 0: expected a baseline",
		"[]":                  "expected a baseline",
		"{}":                  `expected the schema kneeline.lint-baseline/v1, found ""`,
		`{"schema":"x"}`:      `found "x"`,
		`{"schema":"x"} more`: "expected the end of the file",
		`{"schema":"kneeline.lint-baseline/v1","findings":[{"fingerprint":"0","count":0,"rule":"A"}]}`: "finding 1: expected a fingerprint",
	} {
		if _, err := Read([]byte(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
}

// Whatever was found, none of it is new beside the baseline of it, and all of it is new
// or still there beside any other.
func TestCompareProperty(t *testing.T) {
	gen := rapid.Custom(func(t *rapid.T) finding.Finding {
		return at("AAA-0"+rapid.StringMatching("[1-3]").Draw(t, "rule"), rapid.StringMatching("[ab]").Draw(t, "file"), rapid.StringMatching("[xy]").Draw(t, "key"), rapid.IntRange(1, 99).Draw(t, "line"))
	})
	rapid.Check(t, func(t *rapid.T) {
		before, now := rapid.SliceOfN(gen, 0, 12).Draw(t, "before"), rapid.SliceOfN(gen, 0, 12).Draw(t, "now")
		var b bytes.Buffer
		if err := Of(before).Write(&b); err != nil {
			t.Fatal(err)
		}
		f, err := Read(b.Bytes())
		if err != nil || !reflect.DeepEqual(f, Of(before)) {
			t.Fatalf("read back: %v %v", err, f)
		}
		if c := f.Compare(before, nil, all); len(c.New)+len(c.Fixed)+c.Unseen != 0 || len(c.Still) != len(before) {
			t.Fatalf("beside itself: %+v", c)
		}
		c := f.Compare(now, nil, all)
		fixed := 0
		for _, e := range c.Fixed {
			fixed += e.Count
		}
		if len(c.New)+len(c.Still) != len(now) || len(c.Still)+fixed != len(before) {
			t.Fatalf("%d of %d new, %d still, %d of %d fixed", len(c.New), len(now), len(c.Still), fixed, len(before))
		}
	})
}

func FuzzRead(f *testing.F) {
	f.Add([]byte(`{"schema":"kneeline.lint-baseline/v1","findings":[{"fingerprint":"0","count":2,"rule":"A"}]}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		file, err := Read(data)
		if err != nil {
			return
		}
		var b bytes.Buffer
		if err := file.Write(&b); err != nil {
			t.Fatal(err)
		}
		if again, err := Read(b.Bytes()); err != nil || len(again.Findings) != len(file.Findings) {
			t.Errorf("%v: %v", err, again)
		}
	})
}
