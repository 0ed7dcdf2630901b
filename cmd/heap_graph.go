package cmd

import (
	"context"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"example.com/kneeline/analyze/pending"
	"example.com/kneeline/analyze/retained"
	"example.com/kneeline/heapdump/graph"
	"example.com/kneeline/internal/fault"
	"example.com/kneeline/internal/heapinput"
	"example.com/kneeline/internal/units"
)

// graphOptions are the flags of what the graph of a heap is made by.
type graphOptions struct {
	memory  units.SizeValue
	tempDir string
	index   string
	sizes   string
	without []string
}

// Values of --sizes.
const (
	vmSizes  = "vm"
	matSizes = "mat"
)

// strengths are the values of --without-references.
var strengths = map[string]graph.Strength{
	"soft": graph.Soft, "weak": graph.Weak, "phantom": graph.Phantom, "final": graph.Final, "all": graph.AllWeaker,
}

func (o *graphOptions) addFlags(c *cobra.Command) {
	f := c.Flags()
	o.memory = graph.DefaultMemory
	f.Var(&o.memory, "memory", "how much the graph may keep in memory; more goes to files without a name")
	f.StringVar(&o.tempDir, "temp-dir", "", "where these files are made, in `DIR`; the system's place by default")
	f.StringVar(&o.index, "index", "", "keep the graph in `DIR`, and take it from there when the same dump is asked again")
	enumVar(c, f, &o.sizes, "sizes", vmSizes, "whose sizes retained sizes add up: the VM's, or those that Eclipse MAT shows", vmSizes, matSizes)
	f.StringSliceVar(&o.without, "without-references", nil, "count these `KINDS` of references as holding nothing: soft, weak, phantom, final, all; MAT follows them")
	onlyByHand(f, "index", "temp-dir")
}

// options puts the flags into the graph's terms.
func (o *graphOptions) options(total int64) (graph.Options, error) {
	g := graph.Options{Memory: int64(o.memory), TempDir: o.tempDir, Total: total}
	if g.Memory < graph.MinMemory {
		return g, fault.Usagef("--memory: expected %s or more, found %s", units.Size(int64(graph.MinMemory)), units.Size(g.Memory))
	}
	if info, err := os.Stat(o.tempDir); o.tempDir != "" && (err != nil || !info.IsDir()) {
		return g, fault.Usagef("--temp-dir: expected a directory, found none at %s", o.tempDir)
	}
	if o.sizes == matSizes {
		g.Sizes = graph.MATSizes
	}
	for _, name := range o.without {
		s, ok := strengths[strings.TrimSpace(name)]
		if !ok {
			return g, fault.Usagef("--without-references: expected soft, weak, phantom, final or all, found %q", name)
		}
		g.Ignore |= s
	}
	return g, nil
}

// needGraph refuses flags of the graph without it, and those that make no sense.
func needGraph(given func(string) bool, o *heapOptions) error {
	if o.graph {
		_, err := o.ofGraph.options(0)
		return err
	}
	for _, flag := range []string{"memory", "temp-dir", "index", "sizes", "without-references"} {
		if given(flag) {
			return fault.WithHint(fault.Usagef("--%s is of the graph, which was not asked for", flag), "add --graph")
		}
	}
	return nil
}

// asks is how the judgement of queues asks the graph of a dump; nil where none was
// asked for.
func (r *heapRun) asks(ctx context.Context, d *javaDump) func([]retained.Anchor) (*retained.Result, error) {
	if !r.opts.graph {
		return nil
	}
	return func(anchors []retained.Anchor) (*retained.Result, error) {
		if d.graph == nil {
			return nil, d.why
		}
		return retained.Judge(ctx, d.graph, retained.Options{Anchors: anchors})
	}
}

// hasGraph says whether a kind of input has the references between objects.
func hasGraph(k heapinput.Kind) bool { return k == heapinput.HPROF || k == heapinput.V8 }

// graphlessWords say that an input has no graph.
func graphlessWords(in *heapInput) string {
	return in.Name + " is " + in.kind.Title() + ", which does not tell what objects refer to"
}

// foldable refuses an output that flame graphs are drawn from, before anything is read,
// where there will be no dominator tree, or more than one.
func (r *heapRun) foldable(cases []*heapCase) error {
	if !slices.ContainsFunc(r.out.dests, func(d destination) bool { return d.format == foldedFormat }) {
		return nil
	}
	switch {
	case !r.opts.graph:
		return fault.WithHint(fault.Usagef("-o folded is the dominator tree, which was not asked for"), "add --graph")
	case len(cases) > 1:
		return fault.WithHint(fault.Usagef("-o folded is the dominator tree of one heap, found %d heaps", len(cases)), "write that of each by itself")
	case !hasGraph(cases[0].main.kind):
		return fault.NoAnswerf("there is no dominator tree to write: %s", graphlessWords(cases[0].main))
	}
	return nil
}

// foldedFormat is the output that flame graphs are drawn from.
const foldedFormat = "folded"

// extra are the writers of formats beside the common ones.
func (r *heapRun) extra(res *pending.Result) map[string]func(io.Writer) error {
	return map[string]func(io.Writer) error{foldedFormat: func(w io.Writer) error { return writeFolded(w, res) }}
}

// writeFolded writes the dominator tree as lines of classes from the outermost in,
// with the bytes that are of the last alone: what flame graphs are drawn from.
func writeFolded(w io.Writer, res *pending.Result) error {
	if res.Graph == nil || res.Graph.Tree == nil {
		return fault.WithHint(fault.NoAnswerf("there is no dominator tree to write"), "ask for the graph: --graph")
	}
	return foldedLines(w, nil, res.Graph.Tree)
}

func foldedLines(w io.Writer, above []string, n *retained.Node) error {
	own := n.Retained
	for _, c := range n.Children {
		own -= c.Retained
	}
	path := above
	if n.Class != "" {
		path = append(slices.Clip(above), foldedName(n))
	}
	if own > 0 {
		line := strings.Join(path, ";")
		if line == "" {
			line = "(small)"
		}
		if _, err := fmt.Fprintf(w, "%s %d\n", line, own); err != nil {
			return err
		}
	}
	for _, c := range n.Children {
		if err := foldedLines(w, path, c); err != nil {
			return err
		}
	}
	return nil
}

// foldedName is a frame of a flame graph, which has no semicolon or line break.
func foldedName(n *retained.Node) string {
	return strings.Map(func(r rune) rune {
		switch r {
		case ';':
			return ':'
		case '\n', '\r':
			return ' '
		}
		return r
	}, nodeLabel(n))
}

// nodeLabel names a node of the dominator tree.
func nodeLabel(n *retained.Node) string {
	switch {
	case n.Name != "" && n.Class == "java.lang.Class":
		return "class " + n.Name
	case n.Name != "":
		return n.Class + " " + n.Name
	}
	return n.Class
}
