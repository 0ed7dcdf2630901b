package cmd

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/spf13/cobra"

	"example.com/kneeline/analyze/lint"
	"example.com/kneeline/analyze/lint/link"
	"example.com/kneeline/analyze/lint/model"
	"example.com/kneeline/analyze/lint/topology"
	"example.com/kneeline/internal/fault"
	"example.com/kneeline/internal/input"
	"example.com/kneeline/internal/meta"
)

// lintTopology are the flags on how services call each other.
type lintTopology struct {
	topology string
	from     []string
}

func (o *lintTopology) addFlags(c *cobra.Command) {
	f := c.Flags()
	f.StringVarP(&o.topology, "topology", "t", "", "take services, hops and numbers from the topology `FILE`, and check the chain")
	f.StringArrayVar(&o.from, "from", nil, "take capacity and service time of a service from a result of headroom or queuesize, as `[SERVICE=]FILE`, may be repeated")
	for _, name := range []string{"topology", "from"} {
		must(c.RegisterFlagCompletionFunc(name, completeFiles))
	}
}

// maxTopology is the largest topology file, and own file of an application, that is read.
const maxTopology = 8 << 20

// linked is a topology with the files that it names.
type linked struct {
	file *topology.File
	data []byte
	// own are the texts of the files of applications.
	own map[string][]byte
	// notes say which numbers were taken from results.
	notes []string
	// errs are files that could not be read.
	errs []error
}

// open reads the topology, nil where none is given.
func (o *lintTopology) open(a *app) (*linked, error) {
	if o.topology == "" {
		if len(o.from) > 0 {
			return nil, fault.Usagef("--from is for the numbers of a topology: expected -t FILE, found none")
		}
		return nil, nil
	}
	data, err := input.ReadFile(o.topology, a.Stdin, maxTopology)
	if err != nil {
		return nil, err
	}
	name := "stdin"
	if o.topology != input.Stdin {
		name = path.Clean(filepath.ToSlash(o.topology))
	}
	l := &linked{file: topology.Read(name, data), data: data, own: map[string][]byte{}}
	if p := l.file.Unusable; p != nil {
		return nil, fault.NoAnswerf("%s:%d: %s", p.At.File, max(p.At.Line, 1), p.Err)
	}
	l.file.CheckFormats(formatNames())
	for _, s := range l.file.Services {
		for _, c := range s.Configs {
			if !c.As.Keys {
				continue
			}
			file := link.Path(l.file, c.File)
			text, err := input.ReadFile(filepath.FromSlash(file), nil, maxTopology)
			if err != nil {
				l.errs = append(l.errs, err)
				continue
			}
			l.own[file] = text
		}
	}
	return l, l.take(a, o.from)
}

// paths are the arguments, and the files that the topology names.
func (l *linked) paths(args []string) []string {
	out := slices.Clone(args)
	for _, s := range l.file.Services {
		for _, c := range s.Configs {
			if !c.As.Keys {
				out = append(out, filepath.FromSlash(link.Path(l.file, c.File)))
			}
		}
	}
	return out
}

// versions are the versions that the topology gives for products whose defaults are known.
func (l *linked) versions() ([]string, error) {
	names, err := products()
	if err != nil {
		return nil, err
	}
	var out []string
	for _, product := range slices.Sorted(maps.Keys(l.file.Defaults)) {
		v := l.file.Defaults[product]
		if !slices.Contains(names, product) || versionForm.FindString(v.Text) == "" {
			l.file.Problems = append(l.file.Problems, model.Problem{At: v.At, Err: fmt.Sprintf("defaults.%s: expected a version such as 1.28 of one of %s, found %q", product, strings.Join(names, ", "), v.Text)})
			continue
		}
		out = append(out, product+"="+v.Text)
	}
	return out, nil
}

// chain links what was read, and adds the files that take part without a format of ours.
func (l *linked) chain(in *lintRead, facts []link.Fact) *link.Chain {
	li := link.Input{Topology: l.file, Own: l.own, Facts: facts}
	for _, f := range in.files {
		li.Documents = append(li.Documents, f.Documents...)
	}
	c := link.Build(li)
	l.add(in, lint.Own(l.file.Name, l.data, "topology"))
	for name, text := range l.own {
		l.add(in, lint.Own(name, text, topology.AppClient))
	}
	slices.SortFunc(in.files, func(a, b lint.Collected) int { return cmp.Compare(a.Name, b.Name) })
	in.errs = append(in.errs, l.errs...)
	return c
}

// add puts a file among those that were read, unless a reader has taken it.
func (l *linked) add(in *lintRead, f lint.Collected) {
	for i := range in.files {
		if path.Clean(in.files[i].Name) == f.Name {
			if in.files[i].State != lint.Recognised {
				in.files[i] = f
			}
			return
		}
	}
	in.files = append(in.files, f)
}

// problems are what could not be taken of the topology and linked.
func (l *linked) problems(in *lintRead, c *link.Chain) []lint.Problem {
	var out []lint.Problem
	for _, all := range [][]model.Problem{l.file.Problems, c.Problems} {
		for _, p := range all {
			out = append(out, lint.Problem{File: p.At.File, Line: p.At.Line, Column: p.At.Column, Message: p.Err})
		}
	}
	lint.ColumnsOf(in.files).CountProblems(out)
	return out
}

// pathsOrTopology wants an argument, or a topology that names files.
func (o *lintTopology) pathsOrTopology(what string) cobra.PositionalArgs {
	some := someArgs(what + fmt.Sprintf(", or -t with a topology ('%s lint --init' writes one)", meta.Name))
	return func(c *cobra.Command, args []string) error {
		if o.topology != "" {
			return nil
		}
		return some(c, args)
	}
}

// judgeChain reads the files, links them, and holds the rules against them and against
// the chain.
func (o *lintOptions) judgeChain(ctx context.Context, a *app, args []string, opts lint.Options, l *linked) (*lintRead, *lint.Result, error) {
	opts.Keep = true
	in, c, err := o.link(ctx, a, args, l, opts.Check)
	if err != nil {
		return nil, nil, err
	}
	opts.Chain = c.Chain
	res := lint.Judge(in.files, opts)
	res.AddProblems(l.problems(in, c))
	in.notes = append(in.notes, l.notes...)
	in.amend(res)
	res.Complete = ctx.Err() == nil
	return in, res, nil
}

// link reads the arguments and the files of a topology, and makes the chain of them.
func (o *lintInputs) link(ctx context.Context, a *app, args []string, l *linked, then func(*lint.Collected)) (*lintRead, *link.Chain, error) {
	versions, err := l.versions()
	if err != nil {
		return nil, nil, err
	}
	inputs := *o
	inputs.versions = append(versions, o.versions...) // the flags win
	facts := &lintFacts{}
	in, err := inputs.readWith(ctx, a, l.paths(args), facts, then)
	if err != nil {
		return nil, nil, err
	}
	return in, l.chain(in, facts.all()), nil
}

// lintFacts collects what files say of each other, from several goroutines.
type lintFacts struct {
	mu    sync.Mutex
	facts []link.Fact
}

func (f *lintFacts) take(name string, data []byte) {
	found := link.Facts(name, data)
	f.mu.Lock()
	defer f.mu.Unlock()
	f.facts = append(f.facts, found...)
}

// all are the facts in the order of the files.
func (f *lintFacts) all() []link.Fact {
	f.mu.Lock()
	defer f.mu.Unlock()
	slices.SortStableFunc(f.facts, func(a, b link.Fact) int {
		return cmp.Or(cmp.Compare(a.At.File, b.At.File), cmp.Compare(a.At.Line, b.At.Line))
	})
	return f.facts
}
