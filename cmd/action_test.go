package cmd

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"
)

// action is action.yml, as far as it is tested.
type action struct {
	Name   string
	Inputs map[string]struct {
		Description string
		Required    bool
		Default     string
	}
	Outputs map[string]struct{ Value string }
	Runs    struct {
		Using string
		Steps []struct {
			ID, Uses, Shell, Run string
			Env                  map[string]string
		}
	}
}

func readAction(t *testing.T) (a action, run string) {
	t.Helper()
	data, err := os.ReadFile("../action.yml")
	if err != nil {
		t.Fatal(err)
	}
	if err := yaml.Unmarshal(data, &a); err != nil {
		t.Fatal(err)
	}
	for _, s := range a.Runs.Steps {
		if s.Uses == "" && s.Shell == "" {
			t.Errorf("a step of a composite action needs a shell: %q", s.Run)
		}
		if s.ID == "run" {
			run = s.Run
		}
	}
	return a, run
}

// TestAction: every input is used, every variable is an input, and no input is
// pasted into shell text, where it could be read as a command.
func TestAction(t *testing.T) {
	a, run := readAction(t)
	if a.Runs.Using != "composite" || run == "" {
		t.Fatalf("using %q, script %q", a.Runs.Using, run)
	}
	var env map[string]string
	for _, s := range a.Runs.Steps {
		if strings.Contains(s.Run, "${{") {
			t.Errorf("an expression in a script: %q", s.Run)
		}
		if s.ID == "run" {
			env = s.Env
		}
	}
	used := map[string]bool{"go-version": true}
	for name, value := range env {
		input := strings.ReplaceAll(strings.ToLower(strings.TrimPrefix(name, "INPUT_")), "_", "-")
		if value != "${{ inputs."+input+" }}" || a.Inputs[input].Description == "" {
			t.Errorf("%s: %s", name, value)
		}
		if !strings.Contains(run, "$"+name) {
			t.Errorf("%s is not used", name)
		}
		used[input] = true
	}
	for name := range a.Inputs {
		if !used[name] {
			t.Errorf("the input %s is not used", name)
		}
	}
}

// TestActionRuns runs the script of the action with a program in kneeline's place
// that prints its arguments, and checks that they are flags which exist.
func TestActionRuns(t *testing.T) {
	bash, err := exec.LookPath("bash")
	if err != nil {
		if os.Getenv("CI") == "true" {
			t.Fatal("bash is missing")
		}
		t.Skip("bash is missing")
	}
	_, script := readAction(t)
	for name, tt := range map[string]struct {
		env  map[string]string
		want string
		code int
	}{
		"hold": {map[string]string{"COMMAND": "headroom", "URL": "http://127.0.0.1:8080/", "SLO": "p99<400ms,errors<1%", "HOLD": "900/s", "FOR": "60s",
			"ALLOW_HOST": "feed", "JSON": "r.json", "PROMETHEUS": "r.prom", "ARGS": "-X POST -H 'X-Tier: gold'", "SUMMARY": "true"},
			"headroom|http://127.0.0.1:8080/|--slo|p99<400ms,errors<1%|--hold|900/s|--for|60s|--allow-host|feed|-o|prometheus=r.prom|-o|json=r.json|-o|markdown=TEMP/kneeline.md|-X|POST|-H|X-Tier: gold", 1},
		"lint": {map[string]string{"COMMAND": "lint", "PATHS": "a b", "FAIL_ON": "error", "SARIF": "k.sarif"},
			"lint|a|b|-o|github=-|--fail-on|error|-o|sarif=k.sarif", 1},
		"shell text": {map[string]string{"COMMAND": "headroom", "URL": "$(touch gone); http://127.0.0.1/"}, "headroom|$(touch gone); http://127.0.0.1/", 1},
		"neither":    {map[string]string{"COMMAND": "heap"}, "", 2},
	} {
		dir := t.TempDir()
		// The exit code of the program is that of the step.
		fake := "#!/bin/sh\n(IFS='|'; printf '%s' \"$*\") >\"$RUNNER_TEMP/args\"\nexit 1\n"
		if err := os.WriteFile(filepath.Join(dir, "kneeline"), []byte(fake), 0o755); err != nil {
			t.Fatal(err)
		}
		c := exec.CommandContext(t.Context(), bash, "-c", script)
		c.Dir = dir
		c.Env = []string{"PATH=" + os.Getenv("PATH"), "RUNNER_TEMP=" + dir, "GITHUB_OUTPUT=" + dir + "/out", "GITHUB_STEP_SUMMARY=" + dir + "/sum"}
		for _, m := range regexp.MustCompile(`\$(INPUT_[A-Z_]+)`).FindAllStringSubmatch(script, -1) {
			c.Env = append(c.Env, m[1]+"="+tt.env[strings.TrimPrefix(m[1], "INPUT_")])
		}
		out, _ := c.CombinedOutput()
		if got := c.ProcessState.ExitCode(); got != tt.code {
			t.Errorf("%s: exit code %d, want %d: %s", name, got, tt.code, out)
		}
		got, _ := os.ReadFile(filepath.Join(dir, "args"))
		if text := strings.ReplaceAll(string(got), dir, "TEMP"); text != tt.want {
			t.Errorf("%s: arguments\n%s, want\n%s", name, text, tt.want)
		}
		if _, err := os.Stat(filepath.Join(dir, "gone")); err == nil {
			t.Errorf("%s: an input was run", name)
		}
		if tt.want == "" || name == "shell text" {
			continue
		}
		root := NewRoot()
		cmd, rest, err := root.Find(strings.Split(tt.want, "|"))
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if err := cmd.ParseFlags(rest); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		formats := formatsOf(cmd)
		for _, o := range strings.Split(tt.want, "|") {
			if format, _, ok := strings.Cut(o, "="); ok && !strings.Contains(format, "<") && !strings.Contains(strings.Join(formats, " "), format) {
				t.Errorf("%s: %s has no format %s", name, cmd.Name(), format)
			}
		}
	}
}

// TestCommandsInYAML: the commands in the examples of CI files exist, with their
// flags. Those in other blocks are looked at by the test of all documents.
func TestCommandsInYAML(t *testing.T) {
	n := 0
	for _, b := range documentBlocks(t) {
		if b.kind != "yaml" || b.file != "docs/ci.md" {
			continue
		}
		var doc any
		if err := yaml.Unmarshal([]byte(strings.Join(b.lines, "\n")), &doc); err != nil {
			t.Errorf("%s:%d: %v", b.file, b.line, err)
		}
		for i, line := range b.lines {
			text, ok := strings.CutPrefix(strings.TrimSpace(line), "- kneeline ")
			if !ok {
				continue
			}
			n++
			if err := existing("kneeline " + text); err != nil {
				t.Errorf("%s:%d: %v", b.file, b.line+i, err)
			}
		}
	}
	if n < 3 {
		t.Errorf("only %d commands", n)
	}
	// The inputs in the example of the action are inputs of it.
	a, _ := readAction(t)
	text, err := os.ReadFile("../docs/ci.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range regexp.MustCompile(`(?m)^          ([a-z-]+): `).FindAllStringSubmatch(string(text), -1) {
		if _, ok := a.Inputs[m[1]]; !ok {
			t.Errorf("the example gives the input %s, which action.yml does not have", m[1])
		}
	}
}

// TestSettingsInDocs: the project's file in the documentation is one that is read.
func TestSettingsInDocs(t *testing.T) {
	for _, b := range documentBlocks(t) {
		if b.file != "docs/ci.md" || len(b.lines) == 0 || b.lines[0] != "# .kneeline.yaml" {
			continue
		}
		p := newPlace(t, strings.Join(b.lines, "\n")+"\n", "")
		if got := runIn(t, t.Context(), p.state(nil, "config")); got.code != 0 || !strings.Contains(got.stdout, "headroom.compare.alpha") {
			t.Errorf("exit code %d: %s%s", got.code, got.stdout, got.stderr)
		}
		return
	}
	t.Error("docs/ci.md shows no settings file")
}
