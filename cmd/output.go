package cmd

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"example.com/kneeline/internal/atomicfile"
	"example.com/kneeline/internal/fault"
	"example.com/kneeline/internal/report"
	"example.com/kneeline/internal/term"
)

// commonFormats are offered by every command that has a result.
var commonFormats = []string{"text", "json", "markdown", "html"}

const (
	// formatsAnnotation holds the formats a command offers beside the common
	// ones, separated by commas.
	formatsAnnotation = "formats"
	// noResult in that annotation says that a command has no result to format.
	noResult = "none"
	// toStdout is the path that stands for stdout.
	toStdout = "-"
)

// offerFormats declares that cmd offers formats beside the common ones; its
// results carry a writer for each in result.Extra.
func offerFormats(cmd *cobra.Command, names ...string) { annotate(cmd, strings.Join(names, ",")) }

// withoutResult declares that cmd has no result, so that --output is refused.
func withoutResult(cmd *cobra.Command) { annotate(cmd, noResult) }

func annotate(cmd *cobra.Command, value string) {
	if cmd.Annotations == nil {
		cmd.Annotations = map[string]string{}
	}
	cmd.Annotations[formatsAnnotation] = value
}

// formatsOf returns the formats cmd offers, none if it has no result.
func formatsOf(cmd *cobra.Command) []string {
	switch extra := cmd.Annotations[formatsAnnotation]; extra {
	case "":
		return commonFormats
	case noResult:
		return nil
	default:
		return append(slices.Clone(commonFormats), strings.Split(extra, ",")...)
	}
}

// result is what a command found, in every shape it can be written.
type result struct {
	// JSON is the result struct; it is the interface for programs.
	JSON any
	// Report is the same for people.
	Report *report.Report
	// Page is the report at a length that pages bear and a terminal does not; it is
	// Report where it is nil.
	Page *report.Report
	// Extra are writers of the formats declared with offerFormats.
	Extra map[string]func(io.Writer) error
}

func (r result) page() *report.Report {
	if r.Page != nil {
		return r.Page
	}
	return r.Report
}

// destination is one value of --output.
type destination struct{ format, path string }

// output is where the results of one run go.
type output struct {
	app   *app
	dests []destination
}

// newOutput checks the values of --output before a command does any work: a run
// of minutes must not end in a misspelt format.
func newOutput(a *app, cmd *cobra.Command, values []string) (*output, error) {
	o := &output{app: a}
	allowed := formatsOf(cmd)
	if allowed == nil {
		if len(values) > 0 {
			return nil, fault.Usagef("%s has no result to write with --output", cmd.CommandPath())
		}
		return o, nil
	}
	for _, v := range values {
		d, err := parseDestination(v, allowed)
		if err != nil {
			return nil, err
		}
		for _, other := range o.dests {
			if err := clash(d, other); err != nil {
				return nil, err
			}
		}
		o.dests = append(o.dests, d)
	}
	// Stdout has the text unless it has something else, or the text is elsewhere.
	if !slices.ContainsFunc(o.dests, func(d destination) bool { return d.path == toStdout || d.format == "text" }) {
		o.dests = append(o.dests, destination{"text", toStdout})
	}
	return o, nil
}

func parseDestination(value string, allowed []string) (destination, error) {
	format, path, hasPath := strings.Cut(value, "=")
	if !slices.Contains(allowed, format) {
		return destination{}, fault.Usagef("output format %q: expected one of %s", format, strings.Join(allowed, ", "))
	}
	if !hasPath {
		return destination{format, toStdout}, nil
	}
	if path == "" {
		return destination{}, fault.Usagef("output %q: expected a path after '=', found none", value)
	}
	if path == toStdout {
		return destination{format, path}, nil
	}
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		return destination{}, fault.Usagef("output %q: expected a file, found the directory %s", value, path)
	}
	if info, err := os.Stat(filepath.Dir(path)); err != nil || !info.IsDir() {
		return destination{}, fault.Usagef("output %q: there is no directory %s", value, filepath.Dir(path))
	}
	if err := atomicfile.Check(path); err != nil {
		return destination{}, fault.Usagef("output %q: %w", value, err)
	}
	return destination{format, path}, nil
}

func clash(a, b destination) error {
	switch {
	case a.path == toStdout && b.path == toStdout:
		return fault.WithHint(
			fault.Usagef("two outputs on stdout, %s and %s: expected at most one", b.format, a.format),
			fmt.Sprintf("give one of them a file, as in '-o %s=FILE'", b.format))
	case a.path == b.path:
		return fault.Usagef("two outputs in the file %s, %s and %s: expected one", a.path, b.format, a.format)
	}
	return nil
}

// write writes the result to all destinations. Files come first, since a reader
// of stdout that has seen enough may end the process. What cannot be written
// does not keep the rest from being written.
func (o *output) write(r result) error {
	var errs []error
	for _, d := range o.dests {
		if d.path == toStdout {
			continue
		}
		err := atomicfile.Write(d.path, func(w io.Writer) error { return o.render(w, d, r) })
		if err != nil {
			errs = append(errs, &fault.Error{Kind: fault.NoAnswer, Err: err})
			continue
		}
		o.app.Notef("wrote %s to %s", d.format, d.path)
	}
	for _, d := range o.dests {
		if d.path != toStdout {
			continue
		}
		if err := o.render(o.app.Stdout, d, r); err != nil {
			errs = append(errs, fault.NoAnswerf("cannot write to stdout: %w", err))
		}
	}
	return errors.Join(errs...)
}

func (o *output) render(w io.Writer, d destination, r result) error {
	switch d.format {
	case "json":
		return writeJSON(w, r.JSON)
	case "text":
		return report.Text(w, r.Report, o.app.textOptions(d.path == toStdout))
	case "markdown":
		return report.Markdown(w, r.page())
	case "html":
		return report.HTML(w, r.page())
	}
	write := r.Extra[d.format]
	if write == nil {
		return fmt.Errorf("no writer for the declared format %s", d.format)
	}
	return write(w)
}

// writeJSON writes v indented, so that people and line-based diffs can read it.
func writeJSON(w io.Writer, v any) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	return enc.Encode(v)
}

// textOptions says how text is drawn on stdout, or in a file, which never has
// colours and always has the width of a pipe.
func (a *app) textOptions(stdout bool) report.TextOptions {
	o := report.TextOptions{ASCII: term.UseASCII(a.Getenv)}
	if stdout {
		o.Width = a.Width()
		o.Color = a.colorOn(a.StdoutTTY)
		o.WrapVerdict = a.StdoutTTY
	}
	return o
}
