package cmd

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"example.com/kneeline/internal/meta"
	"example.com/kneeline/internal/report"
)

// configResult is what `kneeline config -o json` writes.
type configResult struct {
	Schema   string          `json:"schema"`
	Settings []configSetting `json:"settings"`
}

// configSetting is one value of a setting outside the command line.
type configSetting struct {
	Key    string   `json:"key"`
	Values []string `json:"values"`
	// Origin is the variable, or file and line, that has the value.
	Origin string `json:"origin"`
	// Overridden says that an origin listed before this one wins.
	Overridden bool `json:"overridden"`
}

func newConfig(a *app) *cobra.Command {
	c := &cobra.Command{
		Use:   "config",
		Short: "Show which settings come from the environment and from files",
		Long: "Lists every setting that an environment variable or a settings file has, where it stands, " +
			"and which of several wins. See '" + meta.Name + " help settings'.",
		Example: examples("config", "", "config -o json", ""),
		GroupID: groupProgram,
		Args:    noArgs,
	}
	c.RunE = func(c *cobra.Command, _ []string) error { return runConfig(a, c.Root()) }
	return c
}

func runConfig(a *app, root *cobra.Command) error {
	layers, err := a.layers(root)
	if err != nil {
		return err
	}
	res := configResult{Schema: meta.Name + ".config/v1", Settings: []configSetting{}}
	eachSetting(root, func(c *cobra.Command, f *pflag.Flag) {
		key, won := settingKey(c, f), false
		for _, l := range layers {
			if values, origin, ok := l.lookup(key); ok {
				res.Settings = append(res.Settings, configSetting{key, append([]string{}, values...), origin, won})
				won = true
			}
		}
	})
	slices.SortStableFunc(res.Settings, func(x, y configSetting) int { return strings.Compare(x.Key, y.Key) })
	return a.out.write(result{JSON: res, Report: res.report(a)})
}

func (res configResult) report(a *app) *report.Report {
	keys := map[string]bool{}
	where := "The project's file is " + meta.ConfigFile + ", searched upward"
	if path := a.userFilePath(); path != "" {
		where += "; the user's file is " + a.shortPath(path)
	}
	t := report.Table{
		Columns: []report.Column{{Title: "setting"}, {Title: "value"}, {Title: "from"}, {Title: ""}},
		Empty:   "no environment variable and no file sets anything",
	}
	for _, s := range res.Settings {
		keys[s.Key] = true
		remark := ""
		if s.Overridden {
			remark = "overridden"
		}
		t.Rows = append(t.Rows, report.Row(s.Key, strings.Join(s.Values, ", "), a.shortPath(s.Origin), remark))
	}
	r := &report.Report{
		Title:   "Settings",
		Verdict: report.Verdict{Text: count(len(keys), "setting", "settings") + " from the environment and files"},
	}
	r.Add(t, report.Paragraph{Text: where + "."})
	return r
}

// shortPath writes the user's home directory as ~.
func (a *app) shortPath(path string) string {
	home := a.Getenv("HOME")
	if rest, ok := strings.CutPrefix(path, home+"/"); ok && home != "" {
		return "~/" + rest
	}
	return path
}
