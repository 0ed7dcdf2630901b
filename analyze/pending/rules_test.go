package pending

import (
	"testing"

	"example.com/kneeline/internal/finding"
)

func TestRules(t *testing.T) {
	if _, err := finding.NewRegistry(Rules()); err != nil {
		t.Fatal(err)
	}
}
