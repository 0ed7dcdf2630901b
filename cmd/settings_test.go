package cmd

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
)

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }

// probe is a command whose flags have no other meaning than to be set.
func probe(a *app) *cobra.Command {
	var (
		peak    string
		zones   int
		headers []string
		dry     bool
		host    string
	)
	c := &cobra.Command{Use: "probe", RunE: func(*cobra.Command, []string) error {
		_, err := fmt.Fprintf(a.Stdout, "peak=%s zones=%d headers=%q dry=%v host=%s color=%s",
			peak, zones, headers, dry, host, a.global.color)
		return err
	}}
	f := c.Flags()
	f.StringVar(&peak, "peak-rate", "none", "")
	f.IntVar(&zones, "zones", 1, "")
	f.StringArrayVar(&headers, "header", nil, "")
	f.BoolVar(&dry, "dry", false, "")
	f.StringVar(&host, "allow-host", "", "")
	notFromProject(f, "allow-host")
	return c
}

// place is a project directory with a subdirectory, and a user's home.
type place struct{ project, below, home string }

func newPlace(t *testing.T, projectFile, userFile string) place {
	t.Helper()
	base := t.TempDir()
	p := place{filepath.Join(base, "project"), filepath.Join(base, "project", "a", "b"), filepath.Join(base, "home")}
	write := func(path, text string) {
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if text == "" {
			return
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write(filepath.Join(p.below, "x"), "")
	write(filepath.Join(p.project, ".kneeline.yaml"), projectFile)
	write(filepath.Join(p.home, ".config", "kneeline", "config.yaml"), userFile)
	return p
}

func (p place) state(environ []string, args ...string) State {
	return State{
		Args:    args,
		Environ: append([]string{"HOME=" + p.home}, environ...),
		Getwd:   func() (string, error) { return p.below, nil },
	}
}

func TestPrecedence(t *testing.T) {
	const project = "color: never\nprobe:\n  peak-rate: project\n  zones: 3\n"
	const user = "color: always\nprobe:\n  peak-rate: user\n  header: [a, b]\n  dry: true\n  allow-host: user.example\n"
	env := []string{"KNEELINE_PROBE_PEAK_RATE=env"}
	tests := []struct {
		name          string
		project, user string
		env, args     []string
		want          string
	}{
		{"defaults", "", "", nil, nil, `peak=none zones=1 headers=[] dry=false host= color=auto`},
		{"user", "", user, nil, nil, `peak=user zones=1 headers=["a" "b"] dry=true host=user.example color=always`},
		{"project over user", project, user, nil, nil, `peak=project zones=3 headers=["a" "b"] dry=true host=user.example color=never`},
		{"variable over project", project, user, env, nil, `peak=env zones=3 headers=["a" "b"] dry=true host=user.example color=never`},
		{"flag over variable", project, user, env, []string{"--peak-rate=flag", "--header=c", "--color=auto"},
			`peak=flag zones=3 headers=["c"] dry=true host=user.example color=auto`},
		{"empty variable", "", "", []string{"KNEELINE_PROBE_ZONES="}, nil, `peak=none zones=1 headers=[] dry=false host= color=auto`},
		{"scalar for a list", "probe: {header: x}", "", nil, nil, `peak=none zones=1 headers=["x"] dry=false host= color=auto`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p := newPlace(t, tt.project, tt.user)
			got := runIn(t, t.Context(), p.state(tt.env, append([]string{"probe"}, tt.args...)...), probe)
			if got.code != 0 || got.stdout != tt.want || got.stderr != "" {
				t.Errorf("exit code %d, stdout %q, want %q; stderr %q", got.code, got.stdout, tt.want, got.stderr)
			}
		})
	}
}

func TestBadSettings(t *testing.T) {
	file := filepath.Join("..", "..", ".kneeline.yaml")
	tests := []struct {
		name, project string
		env           []string
		says          string
	}{
		{"unknown key", "color: never\nprobe:\n  peek-rate: 3\n", nil,
			"kneeline: " + file + ":3: unknown setting \"probe.peek-rate\"\nhint: did you mean \"probe.peak-rate\"?\n"},
		{"key of another command", "prob:\n  zones: 3\n", nil,
			"kneeline: " + file + ":1: unknown setting \"prob\"\nhint: did you mean \"probe\"?\n"},
		{"bad value", "probe:\n\n  zones: many\n", nil,
			"kneeline: " + file + ":3: probe.zones: "},
		{"bad variable", "", []string{"KNEELINE_COLOR=blue"},
			"kneeline: KNEELINE_COLOR: expected one of auto, always, never, found \"blue\"\n"},
		{"bad bool", "probe: {dry: perhaps}", nil,
			"kneeline: " + file + ":1: probe.dry: expected true or false, found \"perhaps\"\n"},
		{"output from a project", "output: json=/etc/passwd", nil,
			"kneeline: " + file + ":1: output may not be set by a project's file\nhint: use --output, KNEELINE_OUTPUT or the user's file\n"},
		{"host from a project", "probe: {allow-host: victim.example}", nil,
			"kneeline: " + file + ":1: probe.allow-host may not be set by a project's file\n"},
		{"profile from a project", "debug-cpuprofile: x", nil,
			"kneeline: " + file + ":1: unknown setting \"debug-cpuprofile\"\n"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p := newPlace(t, tt.project, "")
			got := runIn(t, t.Context(), p.state(tt.env, "probe"), probe)
			if got.code != exitUsage || !strings.HasPrefix(got.stderr, tt.says) {
				t.Errorf("exit code %d, stderr:\n%s\nwant it to begin:\n%s", got.code, got.stderr, tt.says)
			}
			if got.stdout != "" {
				t.Errorf("the command ran: %q", got.stdout)
			}
		})
	}
}

// Help must be there when a settings file is broken: it says how to mend it.
func TestHelpIgnoresSettings(t *testing.T) {
	p := newPlace(t, "nonsense: [", "")
	for _, args := range [][]string{{"help"}, {"--help"}, {"help", "settings"}, {"rules", "--help"}, {"--version"}} {
		if got := runIn(t, t.Context(), p.state(nil, args...)); got.code != 0 || got.stdout == "" {
			t.Errorf("%v: exit code %d, stderr %q", args, got.code, got.stderr)
		}
	}
}

func TestMisspeltVariableIsWarnedOf(t *testing.T) {
	p := newPlace(t, "", "")
	env := []string{"KNEELINE_PROBE_PEEK_RATE=3", "KNEELINE_SERVICE_HOST=10.0.0.1", "KNEELINE_PORT_8080_TCP=x"}
	got := runIn(t, t.Context(), p.state(env, "probe"), probe)
	want := "kneeline: warning: the environment variable KNEELINE_PROBE_PEEK_RATE is not known; did you mean KNEELINE_PROBE_PEAK_RATE?\n"
	if got.stderr != want {
		t.Errorf("stderr %q, want %q", got.stderr, want)
	}
	if got := runIn(t, t.Context(), p.state(env, "probe", "-q"), probe); got.stderr != "" {
		t.Errorf("with -q: %q", got.stderr)
	}
}

func TestConfigShowsOrigins(t *testing.T) {
	p := newPlace(t, "color: never\nprobe: {zones: 3}\n", "color: always\n")
	got := runIn(t, t.Context(), p.state([]string{"KNEELINE_PROBE_ZONES=4"}, "config", "-o", "json"), probe)
	var res configResult
	if err := json.Unmarshal([]byte(got.stdout), &res); err != nil {
		t.Fatalf("%v; stderr %q", err, got.stderr)
	}
	var lines []string
	for _, s := range res.Settings {
		origin := strings.ReplaceAll(s.Origin, p.home, "~")
		lines = append(lines, fmt.Sprintf("%s=%s %s %v", s.Key, strings.Join(s.Values, ","), origin, s.Overridden))
	}
	want := []string{
		"color=never ../../.kneeline.yaml:1 false",
		"color=always ~/.config/kneeline/config.yaml:1 true",
		"probe.zones=4 KNEELINE_PROBE_ZONES false",
		"probe.zones=3 ../../.kneeline.yaml:2 true",
	}
	if !slices.Equal(lines, want) {
		t.Errorf("settings:\n%s\nwant:\n%s", strings.Join(lines, "\n"), strings.Join(want, "\n"))
	}
}
