package cmd

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"example.com/kneeline/analyze/lint"
)

// shopFiles are a tree with all that a report can hold: findings of each severity,
// ignores, problems, a template with a hole.
var shopFiles = map[string]string{
	"nginx.conf": `events {}
http {
    upstream storage { server 127.0.0.1:8081; server 127.0.0.1:8082; }
    server {
        listen 8080;
        location / {
            proxy_pass http://storage;
            proxy_connect_timeout 1s;
            proxy_read_timeout 20m;
        }
        location /export {
            proxy_pass http://storage;
            proxy_connect_timeout 1s;
            proxy_read_timeout 30m; # kneeline:ignore TMO-08 until=2027-01-31 "exports take so long"
        }
        # kneeline:ignore TMO-08 "nothing is here"
    }
}
`,
	"routes.yaml": `apiVersion: networking.istio.io/v1
kind: VirtualService
metadata:
  name: payouts
spec:
  hosts: [payouts]
  http:
  - match:
    - method: {exact: POST}
    route:
    - destination: {host: payouts}
    timeout: 2s
    retries:
      attempts: 2
      perTryTimeout: 500ms
      retryOn: 5xx,reset
`,
	"ingress.tpl": `apiVersion: networking.k8s.io/v1
kind: Ingress
metadata:
  name: shop
  annotations:
    nginx.ingress.kubernetes.io/proxy-read-timeout: "{{ .Values.readTimeout }}"
`,
	"broken.yaml": "apiVersion: networking.istio.io/v1\nkind: VirtualService\nspec: [\n",
}

// goldenRules are the rules whose findings the golden files hold.
const goldenRules = "RTY-03,RTY-02,TMO-08,CFG-02,BUD-01"

// TestLintGolden guards the layout of the report in every shape in which people and
// programs read it.
func TestLintGolden(t *testing.T) {
	outputs := map[string]string{}
	t.Run("run", func(t *testing.T) {
		inFolder(t, shopFiles)
		for _, format := range []string{"text", "markdown", "json", "sarif", "junit", "github", "gitlab"} {
			got := runArgs(t, "lint", ".", "--only", goldenRules, "-o", format)
			if got.code != 1 || !strings.Contains(got.stderr, "--fail-on error: 1 finding") {
				t.Fatalf("exit code %d: %s", got.code, got.stderr)
			}
			outputs[format] = got.stdout
		}
		got := runArgs(t, "lint", "effective", "routes.yaml")
		if got.code != 0 {
			t.Fatalf("exit code %d: %s", got.code, got.stderr)
		}
		outputs["effective"] = got.stdout
		got = runArgs(t, "lint", "effective", ".", "--unknown", "-o", "json")
		validateFrom(t, got.stdout)
	})
	for format, name := range map[string]string{
		"text": "lint.txt", "markdown": "lint.md", "json": "lint.json", "sarif": "lint.sarif", "junit": "lint.xml",
		"github": "lint.github.txt", "gitlab": "lint.gitlab.json", "effective": "lint_effective.txt",
	} {
		golden(t, name, []byte(outputs[format]))
	}
	validate(t, outputs["json"])
}

// What a tree may hold besides: each is survived, and hides nothing of the rest.
func TestLintHostileTree(t *testing.T) {
	bomb := "apiVersion: networking.istio.io/v1\nkind: VirtualService\na0: &a0 [x, x, x, x, x, x, x, x, x, x]\n"
	for i := 1; i < 10; i++ {
		bomb += fmt.Sprintf("a%d: &a%d [%s]\n", i, i, strings.TrimSuffix(strings.Repeat(fmt.Sprintf("*a%d, ", i-1), 10), ", "))
	}
	routes := shopFiles["routes.yaml"]
	inFolder(t, map[string]string{
		"bomb.yaml": bomb, "binary.yaml": "apiVersion: networking.istio.io/v1\x00\x01", "empty.yaml": "",
		"bom.yaml": "\ufeff" + routes, "crlf.yaml": strings.ReplaceAll(routes, "\n", "\r\n"),
		"tabs.yaml":  "apiVersion: networking.istio.io/v1\nkind: VirtualService\nspec:\n\thttp: []\n",
		"twice.yaml": strings.Replace(routes, "    timeout: 2s\n", "    timeout: 1s\n    timeout: 2s\n", 1),
	})
	if err := os.Symlink(".", "loop"); err != nil {
		t.Fatal(err)
	}
	large, err := os.Create("large.yaml")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := large.WriteString(strings.Repeat("networking.istio.io ", 1000)); err != nil {
		t.Fatal(err)
	}
	if err := large.Truncate(1 << 30); err != nil { // a hole: it takes no room
		t.Fatal(err)
	}
	large.Close()
	got := runArgs(t, "lint", ".", "--only", "RTY-03")
	if got.code != 1 {
		t.Fatalf("exit code %d: %s", got.code, got.stderr)
	}
	for _, want := range []string{
		"bom.yaml:9:", "crlf.yaml:9:", "twice.yaml:9:", "more than 100000 values from aliases", fmt.Sprintf("larger than %d MiB", lint.MaxFile>>20), "tabs.yaml:4", "2 binary or too large",
	} {
		if !strings.Contains(strings.Join(strings.Fields(got.stdout), " "), want) {
			t.Errorf("expected %q in\n%s", want, got.stdout)
		}
	}
	if again := runArgs(t, "lint", ".", "--only", "RTY-03"); again.stdout != got.stdout {
		t.Error("another report the second time")
	}
	if got := runArgs(t, "lint", ".", "--strict", "--fail-on", "never"); got.code != 3 {
		t.Errorf("--strict: exit code %d", got.code)
	}
}

// What a file came to is let go of when it was judged, not at the end of the run.
func TestLintLetsGo(t *testing.T) {
	inFolder(t, map[string]string{"a.yaml": shopFiles["routes.yaml"], "nginx.conf": shopFiles["nginx.conf"]})
	o := &lintOptions{}
	a := newApp(State{}.withDefaults())
	opts, err := o.judging(a)
	if err != nil {
		t.Fatal(err)
	}
	in, err := o.read(t.Context(), a, []string{"."}, opts.Check)
	if err != nil || len(in.files) != 2 {
		t.Fatalf("%d files, %v", len(in.files), err)
	}
	for _, f := range in.files {
		if f.State != lint.Recognised || f.Documents != nil {
			t.Errorf("%s: state %d, %d documents are kept", f.Name, f.State, len(f.Documents))
		}
	}
}

// Many files are read at once and reported in order.
func TestLintOrder(t *testing.T) {
	files := map[string]string{}
	for i := range 64 {
		files[fmt.Sprintf("r%02d.yaml", i)] = shopFiles["routes.yaml"]
	}
	inFolder(t, files)
	got := runArgs(t, "lint", ".", "--only", "RTY-03", "-o", "github", "--fail-on", "never")
	lines := strings.Split(strings.TrimSpace(got.stdout), "\n")
	if len(lines) != 64 {
		t.Fatalf("%d lines", len(lines))
	}
	for i, line := range lines {
		if want := fmt.Sprintf("::error file=r%02d.yaml,", i); !strings.HasPrefix(line, want) {
			t.Errorf("line %d is %q, want %q", i+1, line, want)
		}
	}
}

// A path outside of the working directory keeps its name.
func TestLintAbsolutePath(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "routes.yaml")
	if err := os.WriteFile(path, []byte(shopFiles["routes.yaml"]), 0o600); err != nil {
		t.Fatal(err)
	}
	got := runArgs(t, "lint", path, "--only", "RTY-03", "-o", "sarif")
	if got.code != 1 || !strings.Contains(got.stdout, `"uri": "file://`+filepath.ToSlash(path)+`"`) {
		t.Errorf("exit code %d: %s", got.code, got.stdout)
	}
}

// A read that never returns, as of a terminal or a pipe, does not hold up the end.
func TestLintInterruptedWhileItReads(t *testing.T) {
	signals := make(chan os.Signal, 1)
	stdin := blocked{began: make(chan struct{}), end: make(chan struct{}), once: &sync.Once{}}
	defer close(stdin.end)
	go func() {
		<-stdin.began
		signals <- os.Interrupt
	}()
	got := runIn(t, t.Context(), State{Args: []string{"lint", "-", "-o", "json"}, Stdin: stdin, Signals: signals})
	if strings.Contains(got.stderr, "of no format") || strings.Contains(got.stderr, "of a format") {
		t.Errorf("says of what was not read that it is nothing: %s", got.stderr)
	}
	if got.code != exitInterrupted || !strings.Contains(got.stdout, `"complete": false`) {
		t.Errorf("exit code %d, want %d: %s%s", got.code, exitInterrupted, got.stderr, got.stdout)
	}
}

// blocked is a terminal at which nobody types.
type blocked struct {
	began, end chan struct{}
	once       *sync.Once
}

func (b blocked) Read([]byte) (int, error) {
	b.once.Do(func() { close(b.began) })
	<-b.end
	return 0, io.EOF
}

// What is packed in a directory is data of something else; packed inputs are read when
// they are named.
func TestLintPacked(t *testing.T) {
	inFolder(t, map[string]string{"d/routes.yaml": shopFiles["routes.yaml"], "d/damaged.gz": "\x1f\x8b\x00\x00 no gzip"})
	if got := runArgs(t, "lint", "d", "--fail-on", "never"); got.code != 0 || !strings.Contains(got.stdout, "1 binary or too large") {
		t.Errorf("exit code %d: %s%s", got.code, got.stderr, got.stdout)
	}
	if got := runArgs(t, "lint", "d/damaged.gz"); got.code != 3 || !strings.Contains(got.stderr, "gzip") {
		t.Errorf("exit code %d: %s", got.code, got.stderr)
	}
}
