package slo

import (
	"os"
	"strings"
	"testing"
)

// TestDocumentation guards that the examples in the manual are what the program
// does: objectives parse, and the error shown is the error given.
func TestDocumentation(t *testing.T) {
	page, err := os.ReadFile("../../docs/slo-grammar.md")
	if err != nil {
		t.Fatal(err)
	}
	objectives, failures := 0, 0
	for i, block := range strings.Split(string(page), "```") {
		if i%2 == 0 || !strings.HasPrefix(block, "\n") {
			continue // prose, or a block in another language
		}
		for line := range strings.Lines(strings.TrimSpace(block)) {
			line = strings.TrimSpace(line)
			if text, shown := strings.CutPrefix(line, `slo "`); shown {
				text, _, _ = strings.Cut(text, `"`)
				if _, err := Parse(text); err == nil || err.Error() != line {
					t.Errorf("the manual shows\n%s\nthe error is\n%v", line, err)
				}
				failures++
				continue
			}
			if _, err := Parse(line); err != nil {
				t.Errorf("the manual's example: %v", err)
			}
			objectives++
		}
	}
	if objectives == 0 || failures == 0 {
		t.Errorf("found %d objectives and %d errors in the manual", objectives, failures)
	}
}
