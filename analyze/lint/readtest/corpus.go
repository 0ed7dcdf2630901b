package readtest

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// CorpusFile returns the bytes of a file of the corpus of public files, and skips the
// test where that is not there.
func CorpusFile(t testing.TB, name string) []byte {
	t.Helper()
	dir := os.Getenv("KNEELINE_CORPUS")
	if dir == "" {
		dir = filepath.Join("..", "..", "..", "..", "..", "shared", "corpus")
	}
	data, err := os.ReadFile(filepath.Join(dir, "lint", name))
	if err != nil {
		t.Skipf("no corpus: %v", err)
	}
	return data
}

// Lines fails for each wanted line that a table lacks. Blanks in a row count as one.
func Lines(t *testing.T, table string, wanted ...string) {
	t.Helper()
	flat := strings.Join(strings.Fields(table), " ")
	for _, w := range wanted {
		if !strings.Contains(flat, w) {
			t.Errorf("expected %q in\n%s", w, table)
		}
	}
}
