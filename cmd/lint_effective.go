package cmd

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"example.com/kneeline/analyze/lint"
	"example.com/kneeline/analyze/lint/effective"
	"example.com/kneeline/analyze/lint/model"
	"example.com/kneeline/internal/finding"
	"example.com/kneeline/internal/report"
	"example.com/kneeline/internal/units"
)

// lintEffectiveOptions are the flags of `kneeline lint effective`.
type lintEffectiveOptions struct {
	lintInputs
	unknown bool
}

func newLintEffective(a *app) *cobra.Command {
	o := &lintEffectiveOptions{}
	c := &cobra.Command{
		Use:   "effective PATH...",
		Short: "Every hop and service of configuration files, every value, where it came from",
		Long: `Lists what the settings of files come to: each limit, count and pool of each hop and
service, whether the file sets it, a default fills it in (with the source of the default),
or it was derived from others; what an expression leaves open is shown as it stands.

Nothing is judged. With --unknown, keys of known objects that are not read are listed.`,
		Example: examples(
			"lint effective nginx.conf", "",
			"lint effective application.yml --unknown", "",
			"lint effective envoy.yaml -o json", ""),
		Args: someArgs("a configuration file, a directory, or - for stdin"),
		RunE: func(c *cobra.Command, args []string) error { return runLintEffective(c.Context(), a, o, args) },
	}
	f := c.Flags()
	f.SortFlags = false
	f.BoolVar(&o.unknown, "unknown", false, "list keys of known objects that are not read")
	o.addFlags(c)
	return c
}

func runLintEffective(ctx context.Context, a *app, o *lintEffectiveOptions, args []string) error {
	in, err := o.read(ctx, a, args, func(*lint.Collected) {})
	if err != nil {
		return err
	}
	res := effective.Of(in.files, o.unknown)
	res.Complete = ctx.Err() == nil
	err = a.out.write(result{JSON: res, Report: effectiveReport(res, in, settingsList), Page: effectiveReport(res, in, settingsTable)})
	return errors.Join(err, in.failure(res.Counts.Recognised, o.strict), context.Cause(ctx))
}

// effectiveReport builds what people read from the result; show lays out values.
func effectiveReport(res *effective.Result, in *lintRead, show func(caption, file string, all []effective.Setting) report.Block) *report.Report {
	r := &report.Report{Title: "Effective settings", Verdict: report.Verdict{Text: res.Verdict}}
	if !res.Complete {
		r.Incomplete = "interrupted"
	}
	for _, f := range res.Files {
		r.Add(report.Heading{Text: fmt.Sprintf("%s (%s)", finding.Location{File: f.Name, Line: f.Line}, f.Format)})
		for _, h := range f.Hops {
			r.Add(show(hopTitle(h), f.Name, h.Values))
		}
		for _, s := range f.Services {
			r.Add(show(joinWords("service", s.Name, placeOf(s.At, f.Name)), f.Name, s.Values))
		}
		if len(f.Includes) > 0 {
			r.Add(show("includes, not followed", f.Name, f.Includes))
		}
		if len(f.Unknown) > 0 {
			r.Add(unknownTable(f))
		}
	}
	r.Add(problemsBlock(res.Problems))
	for _, err := range in.errs {
		r.Notes = append(r.Notes, err.Error())
	}
	return r
}

// hopTitle says which hop it is.
func hopTitle(h effective.Object) string {
	title := joinWords("hop", h.Name)
	if h.To != "" && h.To != h.Name {
		title += " to " + h.To
	}
	if h.Match != "" && h.Match != h.Name {
		title += " for " + h.Match
	}
	return joinWords(title, fmt.Sprintf("(%s)", h.Layer), placeOf(h.At, ""))
}

// joinWords joins what is not empty.
func joinWords(words ...string) string {
	out := ""
	for _, w := range words {
		if w != "" && out != "" {
			out += " "
		}
		out += w
	}
	return out
}

// placeOf is a line, with the file where that is another.
func placeOf(at model.Position, file string) string {
	switch {
	case at.Line == 0:
		return ""
	case at.File == file || file == "":
		return fmt.Sprintf("line %d", at.Line)
	}
	return fmt.Sprintf("%s:%d", at.File, at.Line)
}

// settingsList lays values out for a terminal, whose width tables with sources exceed.
func settingsList(caption, file string, all []effective.Setting) report.Block {
	kv := report.KeyValues{Caption: caption}
	for _, s := range all {
		kv.Items = append(kv.Items, report.KeyValue{Key: s.Is, Value: s.Shown, Note: joinNotes(s.Key, whence(s, file))})
	}
	if len(all) == 0 {
		kv.Items = []report.KeyValue{{Value: "no values"}}
	}
	return kv
}

func settingsTable(caption, file string, all []effective.Setting) report.Block {
	t := report.Table{Caption: caption, Empty: "no values", Columns: []report.Column{
		{Title: "what"}, {Title: "value", Align: report.Right}, {Title: "key"}, {Title: "from"},
	}}
	for _, s := range all {
		t.Rows = append(t.Rows, report.Row(s.Is, s.Shown, s.Key, whence(s, file)))
	}
	return t
}

// whence says where a value comes from.
func whence(s effective.Setting, file string) string {
	switch s.Origin {
	case model.Set, model.Hole:
		text := "set"
		if s.Origin == model.Hole {
			text = "not known"
		}
		if s.At != nil {
			text = joinWords(text, "at", placeOf(*s.At, file))
		}
		if s.Written != "" && s.Origin == model.Set {
			text += fmt.Sprintf(", written %s", s.Written)
		}
		return text
	case model.Default:
		if s.Unverified {
			return joinWords("default, not verified:", s.Source)
		}
		if s.Source == "" {
			return "default"
		}
		return "default: " + s.Source
	}
	return joinWords("derived:", s.Source)
}

func unknownTable(f effective.File) report.Table {
	t := report.Table{Caption: "Keys that are not read", Columns: []report.Column{{Title: "key"}, {Title: "in"}, {Title: "line", Align: report.Right}, {Title: "perhaps meant"}}}
	for _, u := range f.Unknown {
		t.Rows = append(t.Rows, report.Row(u.Key, u.In, units.Count(u.At.Line), u.Nearest))
	}
	return t
}
