package cmd

import (
	"runtime/debug"
	"strings"
	"testing"
)

func TestVersionOf(t *testing.T) {
	const revision = "efcaa2d7f3a5f234940b77732cc561704db54544"
	settings := []debug.BuildSetting{
		{Key: "vcs.revision", Value: revision},
		{Key: "vcs.time", Value: "2026-11-29T20:48:57Z"},
		{Key: "vcs.modified", Value: "true"},
	}
	build := func(version string, settings []debug.BuildSetting) *debug.BuildInfo {
		return &debug.BuildInfo{Main: debug.Module{Version: version}, Settings: settings}
	}
	tests := []struct {
		name   string
		build  *debug.BuildInfo
		begins string
	}{
		{"nothing known", nil, "(devel) (go"},
		{"empty", build("", nil), "(devel) (go"},
		{"tag", build("v1.2.3", settings), "v1.2.3 (efcaa2d7f3a5, go"},
		{"pseudo-version has the revision", build("v0.0.0-20261129204857-efcaa2d7f3a5+dirty", settings), "v0.0.0-20261129204857-efcaa2d7f3a5+dirty (go"},
		{"short revision", build("v1.2.3", []debug.BuildSetting{{Key: "vcs.revision", Value: "ab"}}), "v1.2.3 (ab, go"},
	}
	for _, tt := range tests {
		if got := versionOf(tt.build).line(); !strings.HasPrefix(got, tt.begins) {
			t.Errorf("%s: %q, want it to begin with %q", tt.name, got, tt.begins)
		}
	}
	v := versionOf(build("v1.2.3", settings))
	if v.Revision != revision || v.RevisionTime == "" || v.Modified == nil || !*v.Modified {
		t.Errorf("version %+v", v)
	}
}

func TestExamplesFitHelp(t *testing.T) {
	short := examples("rules", "list them", "rules -o json", "for programs", "version", "")
	if want := "  kneeline rules          # list them\n  kneeline rules -o json  # for programs\n  kneeline version"; short != want {
		t.Errorf("short examples:\n%s\nwant:\n%s", short, want)
	}
	long := examples("rules "+strings.Repeat("x", 60), "a remark that does not fit beside it")
	if want := "  # a remark that does not fit beside it\n  kneeline rules " + strings.Repeat("x", 60); long != want {
		t.Errorf("long examples:\n%s\nwant:\n%s", long, want)
	}
}

// Nothing that help prints is wider than a terminal of 80 columns, but command
// lines, which must stay whole to be copied.
func TestHelpIsNotWide(t *testing.T) {
	lines := [][]string{{"--help"}}
	for _, c := range NewRoot().Commands() {
		lines = append(lines, []string{"help", c.Name()})
	}
	for _, args := range lines {
		got := runArgs(t, args...)
		if got.code != 0 {
			t.Errorf("%v: exit code %d: %s", args, got.code, got.stderr)
		}
		for _, line := range strings.Split(got.stdout, "\n") {
			if len([]rune(line)) > helpWidth && !strings.HasPrefix(line, "  kneeline ") {
				t.Errorf("%v: %d columns: %s", args, len([]rune(line)), line)
			}
		}
	}
}
