package cmd

import (
	"context"
	"errors"
	"fmt"
	"io"
	"runtime/debug"
	"strings"

	"github.com/spf13/cobra"

	"example.com/kneeline/analyze/lint"
	"example.com/kneeline/analyze/lint/catalog"
	"example.com/kneeline/analyze/lint/rule"
	"example.com/kneeline/internal/fault"
	"example.com/kneeline/internal/finding"
	"example.com/kneeline/internal/meta"
	"example.com/kneeline/internal/report"
)

// lintOptions are the flags of `kneeline lint`.
type lintOptions struct {
	lintInputs
	lintTopology
	lintInit
	lintCompare
	lintFix
	only, skip []string
	failOn     string
}

// neverFail is the value of --fail-on without which some findings fail.
const neverFail = "never"

func newLint(a *app) *cobra.Command {
	o := &lintOptions{}
	c := &cobra.Command{
		Use:   "lint PATH...",
		Short: "Which timeout, retry and queue settings contradict each other or do harm?",
		Long: `Reads configuration files of proxies, meshes, servers, clients and kernels and checks the
limits of time, retries, queues and pools that they set, and those that they leave to
defaults: nginx, HAProxy, Envoy, Istio, the Gateway API, Kubernetes, Spring, gRPC and
more; 'docs/lint.md' lists them. Files are recognised by what is in them; others are
passed over.

PATH is a file, a directory, a pattern, or - for stdin, which may be what 'helm template'
writes: findings then name the templates. Of directories, hidden ones, node_modules and
vendor are left out. Templates (Helm, Jinja, ERB) are read as they are; what an expression
would put in is not guessed, but taken from --values and --env-file or its own default.

Some findings have exactly one right value: --fix writes it into the file, changes nothing
else, and judges the file anew. --baseline and --new-from leave known findings out.

With -t TOPOLOGY the files are linked into a chain of services: limits of a caller are held
against those of its callee, tries are multiplied along paths, and queues, pools and budgets
are held against capacities. --init writes the topology that the files tell of.

A comment kneeline:ignore RTY-08 until=2027-01-31 "reason" on the line of a finding, or on
a line before it, leaves the finding out.`,
		Example: examples(
			"lint .", "whatever is recognised, recursively",
			"lint nginx.conf -o sarif=out.sarif -o text", "one file, for people and for a viewer",
			"lint deploy/ --fail-on warning --skip TMO-05", "a gate for CI: exit code 0 or 1",
			"lint chart/ --values chart/values.yaml", "templates, with the values of a chart",
			"lint - --product-version nginx=1.28", "from stdin; defaults of a version",
			"lint . --fix --dry-run", "what has one right value, as a diff",
			"lint . --baseline lint-baseline.json --write-baseline", "agree on what there is today",
			"lint . --baseline lint-baseline.json --new-from main", "new findings alone",
			"lint --init -t new.yaml", "a topology of what the files here tell",
			"lint -t topology.yaml --from storage=headroom.json", "the chain, with a capacity that was measured",
			"lint effective nginx.conf", "every hop, every value, where it came from"),
		GroupID: groupMeasure,
		Args: func(c *cobra.Command, args []string) error {
			if err := notEmpty(c.Flags(), "topology", "baseline", "new-from"); err != nil {
				return err
			}
			if o.init {
				return nil
			}
			return o.pathsOrTopology("a configuration file, a directory, or - for stdin")(c, args)
		},
		RunE: func(c *cobra.Command, args []string) error { return runLint(c.Context(), a, o, args) },
	}
	f := c.Flags()
	f.SortFlags = false
	enumVar(c, f, &o.failOn, "fail-on", finding.Error.String(), "gate: fail on a finding of this severity or worse", "error", "warning", "note", neverFail)
	f.StringSliceVar(&o.only, "only", nil, "check these `RULES` alone, by ID: TMO-02,RTY-03")
	f.StringSliceVar(&o.skip, "skip", nil, "leave these `RULES` out")
	for _, name := range []string{"only", "skip"} {
		must(c.RegisterFlagCompletionFunc(name, completeLintRules))
	}
	o.lintTopology.addFlags(c)
	o.lintInit.addFlags(c)
	o.lintInputs.addFlags(c)
	o.lintCompare.addFlags(c)
	o.lintFix.addFlags(c)
	offerFormats(c, ciFormats...)
	c.AddCommand(newLintEffective(a), newLintGraph(a))
	return c
}

// gcPercent is by how many percent the heap may grow before it is collected. What is
// read is soon let go of, so that a little more memory saves a sixth of the time of a
// large tree, and stays under 200 MiB. The usual variable of Go wins.
const gcPercent = 150

func runLint(ctx context.Context, a *app, o *lintOptions, args []string) error {
	if a.Getenv("GOGC") == "" {
		defer debug.SetGCPercent(debug.SetGCPercent(gcPercent))
	}
	switch {
	case o.init:
		return o.skeleton(ctx, a, args)
	case o.force:
		return fault.Usagef("--force: expected --init with it, which it lets write over a file, found none")
	}
	opts, err := o.judging(a)
	if err != nil {
		return err
	}
	if err := o.lintFix.check(args); err != nil {
		return err
	}
	known, err := o.lintCompare.open(ctx)
	if err != nil {
		return err
	}
	in, res, err := o.judge(ctx, a, args, opts)
	if err != nil {
		return err
	}
	if o.fix && ctx.Err() == nil {
		if in, res, err = o.fixed(ctx, a, args, opts, known, in, res); err != nil {
			return err
		}
	}
	if err := o.compare(known, res, opts); err != nil {
		return err
	}
	failOn, _ := finding.ParseSeverity(o.failOn) // never is none
	err = a.out.write(result{JSON: res, Report: lintReport(res, in), Extra: ciWriters(lintIssues(a, res, opts.Chosen(), failOn))})
	return errors.Join(err, in.failure(res.Counts.Recognised, o.strict), lintGate(res, failOn), context.Cause(ctx))
}

// judge reads the files and holds the rules against them.
func (o *lintOptions) judge(ctx context.Context, a *app, args []string, opts lint.Options) (*lintRead, *lint.Result, error) {
	l, err := o.lintTopology.open(a)
	if err != nil {
		return nil, nil, err
	}
	if l != nil {
		return o.judgeChain(ctx, a, args, opts, l)
	}
	in, err := o.read(ctx, a, args, opts.Check)
	if err != nil {
		return nil, nil, err
	}
	res := lint.Judge(in.files, opts)
	in.amend(res)
	if ctx.Err() != nil {
		res.Complete = false
	}
	return in, res, nil
}

// judging puts the flags into the analysis's terms.
func (o *lintOptions) judging(a *app) (lint.Options, error) {
	opts := lint.Options{Rules: catalog.All(), Now: a.Now()}
	if o.only != nil && len(o.only) == 0 { // empty in Options is all of them
		return opts, fault.Usagef("--only: expected rules of lint such as TMO-02, found none")
	}
	var err error
	if opts.Only, err = ruleIDs("only", o.only, opts.Rules); err != nil {
		return opts, err
	}
	opts.Skip, err = ruleIDs("skip", o.skip, opts.Rules)
	return opts, err
}

// ruleIDs checks IDs of rules that a flag gives.
func ruleIDs(flag string, given []string, rules []rule.Rule) ([]string, error) {
	pages, err := finding.NewRegistry(rulePages(rules))
	if err != nil {
		return nil, err
	}
	var ids []string
	for _, g := range given {
		r, ok := pages.Lookup(g)
		if !ok {
			err := fault.Usagef("--%s: expected a rule of lint, found %q", flag, g)
			if near := pages.Suggest(g); len(near) > 0 {
				err = fault.WithHint(err, fmt.Sprintf("did you mean %s?", strings.Join(near, " or ")))
			}
			return nil, err
		}
		ids = append(ids, r.ID)
	}
	return ids, nil
}

// rulePages are the pages of rules of lint.
func rulePages(rules []rule.Rule) []finding.Rule {
	pages := make([]finding.Rule, len(rules))
	for i, r := range rules {
		pages[i] = r.Rule
	}
	return pages
}

func completeLintRules(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	var out []string
	for _, r := range catalog.All() {
		out = append(out, cobra.CompletionWithDesc(r.ID, r.Title))
	}
	return out, cobra.ShellCompDirectiveNoFileComp
}

// lintGate is the error of findings at or over --fail-on.
func lintGate(res *lint.Result, failOn finding.Severity) error {
	if failOn == 0 {
		return nil
	}
	n := 0
	for _, f := range res.Findings {
		if f.Severity >= failOn {
			n++
		}
	}
	if n == 0 {
		return nil
	}
	return fault.Gatef("--fail-on %s: %s", failOn, counted(n, "finding", "findings"))
}

// lintIssues is the result for programs that show findings beside the code.
func lintIssues(a *app, res *lint.Result, rules []rule.Rule, failOn finding.Severity) report.Issues {
	is := issues(a, rulePages(rules), res.Findings, failOn)
	for _, g := range res.Ignored {
		is.Suppressed = append(is.Suppressed, report.Suppressed{Finding: g.Finding, Reason: g.Reason})
	}
	if c := res.Compared; c != nil {
		is.Compared, is.Known = true, res.Still
		for _, e := range c.Fixed {
			level := severityOf(rules, e.Rule)
			for range e.Count {
				is.Gone = append(is.Gone, finding.Finding{Rule: e.Rule, Severity: level, Message: e.Message, Fingerprint: e.Fingerprint, Location: finding.Location{File: e.File, Object: e.Object}})
			}
		}
	}
	for _, f := range res.Files {
		is.Files = append(is.Files, f.Name)
	}
	for _, p := range res.Problems {
		is.Problems = append(is.Problems, report.Unread{File: p.File, Line: p.Line, Column: p.Column, Message: p.Message})
	}
	return is
}

// ciFormats are the formats for programs that show findings beside the code.
var ciFormats = []string{"sarif", "junit", "github", "gitlab"}

// issues are findings for those formats.
func issues(a *app, rules []finding.Rule, findings []finding.Finding, failOn finding.Severity) report.Issues {
	v := versionOf(a.Build)
	return report.Issues{Tool: meta.Name, Version: v.Version, Rules: rules, Findings: findings, FailOn: failOn}
}

// ciWriters are the writers of ciFormats.
func ciWriters(is report.Issues) map[string]func(io.Writer) error {
	return map[string]func(io.Writer) error{
		"sarif":  func(w io.Writer) error { return report.SARIF(w, is) },
		"junit":  func(w io.Writer) error { return report.JUnit(w, is) },
		"github": func(w io.Writer) error { return report.GitHub(w, is) },
		"gitlab": func(w io.Writer) error { return report.GitLab(w, is) },
	}
}
