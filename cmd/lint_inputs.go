package cmd

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"example.com/kneeline/analyze/lint"
	"example.com/kneeline/analyze/lint/defaults"
	"example.com/kneeline/analyze/lint/formats"
	"example.com/kneeline/internal/fault"
	"example.com/kneeline/internal/input"
	"example.com/kneeline/internal/nearest"
)

// lintInputs are the flags on what is read and how, of lint and what is under it.
type lintInputs struct {
	values, envFiles []string
	versions         []string
	strict           bool
}

func (o *lintInputs) addFlags(c *cobra.Command) {
	f := c.Flags()
	f.StringArrayVar(&o.values, "values", nil, "take the values of templates from `FILE` (YAML), may be repeated; the last wins")
	f.StringArrayVar(&o.envFiles, "env-file", nil, "take the variables ${NAME} from `FILE` of NAME=value lines, may be repeated")
	f.StringArrayVar(&o.versions, "product-version", nil, "take the defaults of a version, as `PRODUCT=VERSION` nginx=1.28, may be repeated")
	f.BoolVar(&o.strict, "strict", false, "exit code 3 if anything could not be read")
	c.ValidArgsFunction = completeFiles
	for _, name := range []string{"values", "env-file"} {
		must(c.RegisterFlagCompletionFunc(name, completeFiles))
	}
	must(c.RegisterFlagCompletionFunc("product-version", completeProducts))
}

// completeFiles leaves the completion of paths to the shell.
func completeFiles(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	return nil, cobra.ShellCompDirectiveDefault
}

// completeProducts completes the products whose defaults are known.
func completeProducts(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	names, err := products()
	if err != nil {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	for i := range names {
		names[i] += "="
	}
	return names, cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveNoSpace
}

// products are those whose defaults are known, sorted.
func products() ([]string, error) {
	table, err := defaults.Load(nil)
	if err != nil {
		return nil, err
	}
	return slices.Sorted(maps.Keys(table.Products())), nil
}

const (
	// maxKnown is the largest file of values that is read.
	maxKnown = 8 << 20
	// manyFiles is from how many files on progress is shown.
	manyFiles = 1000
)

// leftOut are directories with the files of others, which nobody who runs lint can
// change.
var leftOut = []string{"node_modules", "vendor"}

// collector is set up as the flags say.
func (o *lintInputs) collector(a *app) (*lint.Collector, error) {
	versions, err := o.productVersions()
	if err != nil {
		return nil, err
	}
	table, err := defaults.Load(versions)
	if err != nil {
		return nil, err
	}
	known, err := o.known(a)
	if err != nil {
		return nil, err
	}
	return &lint.Collector{Texts: formats.Texts(), Objects: formats.Objects(), Defaults: table, Lookup: known}, nil
}

var versionForm = regexp.MustCompile(`^v?([0-9]+(?:\.[0-9]+)*)$`)

// productVersions reads --product-version.
func (o *lintInputs) productVersions() (map[string]string, error) {
	names, err := products()
	if err != nil {
		return nil, err
	}
	versions := map[string]string{}
	for _, given := range o.versions {
		name, version, ok := strings.Cut(given, "=")
		m := versionForm.FindStringSubmatch(version)
		switch {
		case !ok || m == nil:
			return nil, fault.Usagef("--product-version: expected PRODUCT=VERSION such as nginx=1.28, found %q", given)
		case !slices.Contains(names, name):
			err := fault.Usagef("--product-version: no defaults of %q are known", name)
			if near, ok := nearest.To(name, names); ok {
				return nil, fault.WithHint(err, fmt.Sprintf("did you mean %s?", near))
			}
			return nil, fault.WithHint(err, "known are those of "+strings.Join(names, ", "))
		}
		versions[name] = m[1]
	}
	return versions, nil
}

// known reads --values and --env-file.
func (o *lintInputs) known(a *app) (func(string) (string, bool), error) {
	if len(o.values)+len(o.envFiles) == 0 {
		return nil, nil
	}
	k := &lint.Known{}
	var errs []error
	add := func(paths []string, to func(name string, data []byte) []error) {
		for _, path := range paths {
			data, err := input.ReadFile(path, a.Stdin, maxKnown)
			if err != nil {
				errs = append(errs, err)
				continue
			}
			for _, e := range to(path, data) {
				errs = append(errs, fault.NoAnswerf("%w", e))
			}
		}
	}
	add(o.values, k.AddValues)
	add(o.envFiles, k.AddEnv)
	return k.Lookup, errors.Join(errs...)
}

// lintRead is what was read.
type lintRead struct {
	files []lint.Collected
	// streams are the templates that a stream on stdin comes from.
	streams []renderedFile
	// errs are arguments and files that could not be opened or read to their ends.
	errs []error
	// named are files that an argument names itself.
	named map[string]bool
	// facts are what files say of each other; nil where nobody asks.
	facts *lintFacts
	// notes are what the reader of the report is to know of the inputs.
	notes []string
	// partial says that the run was interrupted before all was read.
	partial bool
	// leftOut counts what was left out of directories.
	leftOut int
}

// read reads all inputs and calls then, from several goroutines, with what each came to.
func (o *lintInputs) read(ctx context.Context, a *app, args []string, then func(*lint.Collected)) (*lintRead, error) {
	return o.readWith(ctx, a, args, nil, then)
}

// readWith is read that also takes what files say of each other, where facts is not nil.
func (o *lintInputs) readWith(ctx context.Context, a *app, args []string, facts *lintFacts, then func(*lint.Collected)) (*lintRead, error) {
	c, err := o.collector(a)
	if err != nil {
		return nil, err
	}
	if slices.Contains(args, input.Stdin) && (slices.Contains(o.values, input.Stdin) || slices.Contains(o.envFiles, input.Stdin)) {
		return nil, fault.Usagef("stdin can be read once: expected - as an input or as a file of values, found both")
	}
	x := input.Expand(args, leftOut...)
	in := &lintRead{errs: x.Problems, named: map[string]bool{}, leftOut: x.Skipped, facts: facts}
	for _, arg := range args {
		in.named[arg] = true
	}
	in.all(ctx, a, c, x.Sources, then)
	in.partial = ctx.Err() != nil
	return in, nil
}

// failure is the error of inputs that could not be read, and of those in which nothing
// was recognised.
func (in *lintRead) failure(recognised int, strict bool) error {
	errs := slices.Clone(in.errs)
	for i := range in.files {
		f := &in.files[i]
		problems := f.AllProblems()
		if len(problems) == 0 || !strict && !(in.named[f.Name] && (f.State == lint.Unreadable || f.State == lint.TooLarge)) {
			continue
		}
		p := problems[0]
		where := p.File
		if p.Line > 0 {
			where = fmt.Sprintf("%s:%d", where, p.Line)
		}
		text := fmt.Sprintf("%s: %s", where, p.Message)
		if n := len(problems) - 1; n > 0 {
			text += fmt.Sprintf(" (and %d more)", n)
		}
		errs = append(errs, fault.NoAnswerf("%s", text))
	}
	if recognised == 0 && len(errs) == 0 && !in.partial {
		errs = append(errs, in.nothing())
	}
	return errors.Join(errs...)
}

// nothing is the error of inputs without a file of a format that is read.
func (in *lintRead) nothing() error {
	what := "the file is of no format that is read"
	if n := len(in.files); n != 1 {
		what = fmt.Sprintf("none of %s is of a format that is read", counted(n, "file", "files"))
	}
	return fault.WithHint(fault.NoAnswerf("%s", what), "read are the formats "+strings.Join(formatNames(), ", "))
}

// formatNames are the names of all formats.
func formatNames() []string {
	var names []string
	for _, r := range formats.Texts() {
		names = append(names, r.Name)
	}
	for _, r := range formats.Objects() {
		names = append(names, r.Name)
	}
	slices.Sort(names)
	return slices.Compact(names)
}
