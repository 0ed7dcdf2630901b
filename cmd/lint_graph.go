package cmd

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"strings"

	"github.com/spf13/cobra"

	"example.com/kneeline/analyze/lint"
	"example.com/kneeline/analyze/lint/chain"
	"example.com/kneeline/analyze/lint/graph"
	waits "example.com/kneeline/analyze/lint/worst"
	"example.com/kneeline/internal/diagram"
	"example.com/kneeline/internal/report"
	"example.com/kneeline/internal/units"
)

// lintGraphOptions are the flags of `kneeline lint graph`.
type lintGraphOptions struct {
	lintInputs
	lintTopology
}

func newLintGraph(a *app) *cobra.Command {
	o := &lintGraphOptions{}
	c := &cobra.Command{
		Use:   "graph -t TOPOLOGY [PATH...]",
		Short: "Who calls whom, how long a call may take, how tries multiply",
		Long: `Draws the chain of a topology: services as boxes, hops as arrows. On each arrow stands the
longest that a call may take, how many tries it makes, and how many calls the callee gets
at most for one where calls begin. An arrow is red where the call may take longer than the
caller before it waits, or where tries multiply nine-fold or more, and dashed where the hop
was concluded from files.

PATHs are files beside those that the topology names, such as the routes of a mesh.`,
		Example: examples(
			"lint graph -t topology.yaml", "hops and paths as tables",
			"lint graph -t topology.yaml -o svg=chain.svg", "a drawing, for light and dark pages",
			"lint graph -t topology.yaml -o mermaid", "for a Markdown page; dot is for Graphviz"),
		RunE: func(c *cobra.Command, args []string) error { return runLintGraph(c.Context(), a, o, args) },
	}
	c.Flags().SortFlags = false
	o.lintTopology.addFlags(c)
	o.lintInputs.addFlags(c)
	must(c.MarkFlagRequired("topology"))
	offerFormats(c, "svg", "dot", "mermaid")
	return c
}

func runLintGraph(ctx context.Context, a *app, o *lintGraphOptions, args []string) error {
	l, err := o.open(a)
	if err != nil {
		return err
	}
	in, c, err := o.link(ctx, a, args, l, func(*lint.Collected) {})
	if err != nil {
		return err
	}
	res := graph.Of(c.Chain, lint.ColumnsOf(in.files))
	res.Complete = ctx.Err() == nil
	res.Problems = append(l.problems(in, c), lint.ProblemsOf(in.files)...)
	d := drawing(res)
	err = a.out.write(result{JSON: res, Report: graphReport(res, in, l.notes), Extra: map[string]func(io.Writer) error{"svg": d.SVG, "dot": d.DOT, "mermaid": d.Mermaid}})
	return errors.Join(err, in.failure(1, o.strict), context.Cause(ctx))
}

// drawing is the chain as boxes and arrows.
func drawing(res *graph.Result) diagram.Graph {
	g := diagram.Graph{Title: res.Verdict}
	at := map[string]int{}
	for i, s := range res.Services {
		at[s.Name] = i
		g.Nodes = append(g.Nodes, diagram.Node{Name: s.Name, Lines: serviceLines(s)})
	}
	for _, h := range res.Hops {
		e := diagram.Edge{From: at[h.From], To: at[h.To], Lines: hopLines(h), Dashed: h.Inferred != ""}
		switch x := amplification(h); {
		case h.Inverted || x >= chain.AmplifiesMuch:
			e.Level = diagram.Error
		case x >= chain.Amplifies:
			e.Level = diagram.Warning
		}
		g.Edges = append(g.Edges, e)
	}
	return g
}

func amplification(h graph.Hop) float64 {
	switch {
	case h.AmplificationUnbounded:
		return math.Inf(1)
	case h.Amplification == nil:
		return 1
	}
	return *h.Amplification
}

func serviceLines(s graph.Service) []string {
	var out []string
	if s.Replicas != nil {
		out = append(out, counted(int(*s.Replicas), "host", "hosts"))
	}
	var load []string
	if s.Capacity != nil {
		load = append(load, "capacity "+units.Rate(*s.Capacity))
	}
	if s.Peak != nil {
		load = append(load, "peak "+units.Rate(*s.Peak))
	}
	if len(load) > 0 {
		out = append(out, strings.Join(load, ", "))
	}
	return out
}

func hopLines(h graph.Hop) []string {
	out := []string{"W " + waitText(h)}
	if h.NoBound || h.Tries != nil && *h.Tries > 1 {
		out = append(out, triesText(h))
	}
	if x := amplification(h); x > 1 {
		out = append(out, "×"+numberText(x)+" at "+h.To)
	}
	if h.Inverted {
		out = append(out, "outlasts its caller's wait")
	}
	return out
}

func waitText(h graph.Hop) string {
	switch {
	case h.Unlimited:
		return "no limit"
	case h.Wait == nil:
		return "not known"
	}
	return waits.Text(*h.Wait)
}

func triesText(h graph.Hop) string {
	if h.NoBound {
		return "tries without bound"
	}
	if *h.Tries == 1 {
		return "1 try"
	}
	return units.Number(*h.Tries) + " tries"
}

func numberText(x float64) string {
	if math.IsInf(x, 1) {
		return "∞"
	}
	return units.Number(x)
}

// graphReport builds what people read from the result.
func graphReport(res *graph.Result, in *lintRead, notes []string) *report.Report {
	r := &report.Report{Title: "Chain of " + counted(len(res.Services), "service", "services"), Verdict: report.Verdict{Text: res.Verdict}}
	if !res.Complete {
		r.Incomplete = "interrupted"
	}
	hops := report.Table{Caption: "Hops", Empty: "no hops", Columns: []report.Column{
		{Title: "hop"}, {Title: "worst wait", Align: report.Right}, {Title: "tries", Align: report.Right}, {Title: "calls for one", Align: report.Right}, {Title: "layers, the caller's code first"},
	}}
	for _, h := range res.Hops {
		name := h.From + " → " + h.To
		if h.Inverted {
			name += " (inverted)"
		}
		hops.Rows = append(hops.Rows, report.Row(name, waitText(h), strings.TrimSuffix(strings.TrimSuffix(triesText(h), " tries"), " try"), "×"+numberText(amplification(h)), layersText(h)))
	}
	r.Add(hops, pathsTable(res))
	if len(res.Cycle) > 0 {
		r.Notes = append(r.Notes, "calls go round: "+strings.Join(res.Cycle, " → "))
	}
	r.Add(problemsBlock(res.Problems))
	r.Notes = append(r.Notes, notes...)
	for _, err := range in.errs {
		r.Notes = append(r.Notes, err.Error())
	}
	return r
}

// layersText names the layers of a hop with their places.
func layersText(h graph.Hop) string {
	var out []string
	for _, l := range h.Layers {
		out = append(out, fmt.Sprintf("%s (%s:%d)", l.Layer, l.At.File, l.At.Line))
	}
	if len(out) == 0 {
		return "none is known"
	}
	return strings.Join(out, ", ")
}

func pathsTable(res *graph.Result) report.Table {
	t := report.Table{Caption: "Paths, the worst first", Empty: "no paths", Columns: []report.Column{
		{Title: "path"}, {Title: "calls for one", Align: report.Right}, {Title: "if the far end"}, {Title: "first inverted"},
	}}
	for _, p := range res.Paths {
		x := math.Inf(1)
		if p.Amplification != nil {
			x = *p.Amplification
		}
		t.Rows = append(t.Rows, report.Row(strings.Join(p.Services, " → "), "×"+numberText(x), p.FarEnd, or(p.FirstInverted, "none")))
	}
	if n := res.PathCount - len(res.Paths); n > 0 {
		t.Caption += fmt.Sprintf(" (%s more are not shown)", units.Count(n))
	}
	return t
}
