//go:build e2e

package e2e

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// go vet runs the checks of Go sources in the packages of a module.
func TestLintUnderGoVet(t *testing.T) {
	goTool := need(t, "go")
	dir := t.TempDir()
	for name, text := range map[string]string{
		"go.mod": "module shop\n\ngo 1.24\n",
		"a.go":   "package shop\n\nimport \"net/http\"\n\nfunc Get(u string) (*http.Response, error) { return http.Get(u) }\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	cmd := exec.Command(goTool, "vet", "-vettool="+program, "./...")
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOFLAGS=-mod=mod", "GOWORK=off")
	out, err := cmd.CombinedOutput()
	if err == nil || !strings.Contains(string(out), "a.go:5:53: http.Get in Get: the default client has no Timeout") {
		t.Errorf("go vet: %v\n%s", err, out)
	}
}
