package cmd

import (
	"runtime"
	"runtime/debug"
	"strings"

	"github.com/spf13/cobra"

	"example.com/kneeline/internal/meta"
	"example.com/kneeline/internal/report"
)

// versionResult is what `kneeline version -o json` writes.
type versionResult struct {
	Schema string `json:"schema"`
	// Version is the module's version; "(devel)" when the toolchain knew none.
	Version string `json:"version"`
	// Revision is the commit it was built from, RevisionTime its date and Modified
	// whether the tree had other changes; absent when unknown.
	Revision     string `json:"revision,omitempty"`
	RevisionTime string `json:"revision_time,omitempty"`
	Modified     *bool  `json:"modified,omitempty"`
	Go           string `json:"go"`
	Platform     string `json:"platform"`
}

// versionOf reads the version from what the toolchain recorded.
func versionOf(build *debug.BuildInfo) versionResult {
	v := versionResult{
		Schema:   meta.Name + ".version/v1",
		Version:  "(devel)",
		Go:       runtime.Version(),
		Platform: runtime.GOOS + "/" + runtime.GOARCH,
	}
	if build == nil {
		return v
	}
	if build.Main.Version != "" {
		v.Version = build.Main.Version
	}
	for _, s := range build.Settings {
		switch s.Key {
		case "vcs.revision":
			v.Revision = s.Value
		case "vcs.time":
			v.RevisionTime = s.Value
		case "vcs.modified":
			modified := s.Value == "true"
			v.Modified = &modified
		}
	}
	return v
}

// line is the version with what is needed to tell builds apart.
func (v versionResult) line() string {
	parts := []string{v.Version, " ("}
	if v.Revision != "" && !strings.Contains(v.Version, v.Revision[:min(12, len(v.Revision))]) {
		parts = append(parts, v.Revision[:min(12, len(v.Revision))], ", ")
	}
	return strings.Join(append(parts, v.Go, ", ", v.Platform, ")"), "")
}

func (v versionResult) report() *report.Report {
	r := &report.Report{
		Title:   "Version",
		Verdict: report.Verdict{Text: meta.Name + " " + v.line()},
	}
	kv := report.KeyValues{Items: []report.KeyValue{{Key: "Version", Value: v.Version}}}
	if v.Revision != "" {
		note := ""
		if v.Modified != nil && *v.Modified {
			note = "with local changes"
		}
		kv.Items = append(kv.Items, report.KeyValue{Key: "Revision", Value: v.Revision, Note: note})
	}
	if v.RevisionTime != "" {
		kv.Items = append(kv.Items, report.KeyValue{Key: "Revision time", Value: v.RevisionTime})
	}
	kv.Items = append(kv.Items,
		report.KeyValue{Key: "Go", Value: v.Go},
		report.KeyValue{Key: "Platform", Value: v.Platform})
	r.Add(kv)
	return r
}

func newVersion(a *app) *cobra.Command {
	return &cobra.Command{
		Use:     "version",
		Short:   "Say which build this is",
		Example: examples("version", "", "version -o json", ""),
		GroupID: groupProgram,
		Args:    noArgs,
		RunE: func(*cobra.Command, []string) error {
			v := versionOf(a.Build)
			return a.out.write(result{JSON: v, Report: v.report()})
		},
	}
}
