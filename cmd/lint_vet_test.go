package cmd

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

func TestAsVetTool(t *testing.T) {
	for args, want := range map[string]bool{
		"-V=full": true, "-flags": true, "/tmp/vet.cfg": true, "-clientlimit -json /tmp/vet.cfg": true,
		"": false, "lint haproxy.cfg": false, "--color never lint haproxy.cfg": false, "-h": false, "version": false,
	} {
		if got := asVetTool(strings.Fields(args)); got != want {
			t.Errorf("%q: %v", args, got)
		}
	}
}

// go vet runs the checks of Go sources in the packages of a module.
func TestGoVet(t *testing.T) {
	goTool, err := exec.LookPath("go")
	if err != nil {
		t.Skip("there is no go command")
	}
	dir := t.TempDir()
	tool := filepath.Join(dir, "kneeline")
	if out, err := exec.Command(goTool, "build", "-o", tool, "..").CombinedOutput(); err != nil {
		t.Fatalf("go build: %v\n%s", err, out)
	}
	for name, text := range map[string]string{
		"go.mod": "module shop\n\ngo 1.24\n",
		"a.go":   "package shop\n\nimport \"net/http\"\n\nfunc Get(u string) (*http.Response, error) { return http.Get(u) }\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	cmd := exec.Command(goTool, "vet", "-vettool="+tool, "./...")
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOFLAGS=-mod=mod", "GOWORK=off")
	out, err := cmd.CombinedOutput()
	if err == nil || !strings.Contains(string(out), "a.go:5:58: http.Get in Get: the default client has no Timeout") {
		t.Errorf("go vet: %v\n%s", err, out)
	}
}
