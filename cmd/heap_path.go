package cmd

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"example.com/kneeline/analyze/pending/nodeproc"
	"example.com/kneeline/analyze/retained"
	"example.com/kneeline/heapdump"
	"example.com/kneeline/heapdump/graph"
	"example.com/kneeline/heapdump/hprof"
	"example.com/kneeline/heapdump/v8"
	"example.com/kneeline/heapdump/v8/v8graph"
	"example.com/kneeline/internal/fault"
	"example.com/kneeline/internal/heapinput"
	"example.com/kneeline/internal/input"
	"example.com/kneeline/internal/units"
)

// pathOptions are the flags of `kneeline heap path`.
type pathOptions struct {
	ofGraph    graphOptions
	depth      units.CountValue
	showValues bool
}

// usualLevels is how many levels of the tree below an object are shown.
const usualLevels = 8

func newHeapPath(a *app) *cobra.Command {
	o := &pathOptions{depth: usualLevels}
	c := &cobra.Command{
		Use:   "path DUMP OBJECT",
		Short: "Who holds one object of a heap dump, and what does it hold?",
		Long: `Shows of one object of a heap dump of Java, or of a heap snapshot of V8, the shortest way of
strong references from a garbage collection root, who dominates it, who refers to it, its
fields, and what it dominates in turn.

OBJECT is an address as reports show it (0x7f3a…, in snapshots @1234), or the name of a
class: of its objects the one that retains most is taken. Numbers in fields are private and are shown with
--show-values alone. Of a dump from stdin fields are shown where the report needs them,
since it cannot be read again.`,
		Example: examples(
			"heap path dump.hprof 0x7f3a4c10", "by the address in a report",
			"heap path dump.hprof org.eclipse.jetty.server.ServerConnector", "the largest object of a class",
			"heap path app.heapsnapshot @48213", "an object of a snapshot of Node",
			"heap path dump.hprof 0x7f3a4c10 --index graphs/", "and keep the graph for the next question"),
		Args: dumpAndObject,
		RunE: func(c *cobra.Command, args []string) error {
			return runHeapPath(c.Context(), a, o, args[0], args[1])
		},
	}
	f := c.Flags()
	f.SortFlags = false
	o.ofGraph.addFlags(c)
	f.Var(&o.depth, "depth", "how many levels of what it dominates are shown")
	f.BoolVar(&o.showValues, "show-values", false, "show the numbers in its fields")
	onlyByHand(f, "show-values")
	return c
}

func runHeapPath(ctx context.Context, a *app, o *pathOptions, path, object string) error {
	defer tightGC()()
	if o.depth == 0 {
		return fault.Usagef("--depth: expected more than 0, found 0: the object alone is in every report")
	}
	r := &heapRun{app: a, opts: &heapOptions{graph: true, ofGraph: o.ofGraph}}
	if _, err := o.ofGraph.options(0); err != nil {
		return err
	}
	if err := r.prepare(); err != nil {
		return err
	}
	in, err := r.oneDump(ctx, path)
	if err != nil {
		return err
	}
	r.view = newHeapProgress(ctx, a, []*heapInput{in})
	defer r.view.close()
	ask := r.javaPath
	if in.kind == heapinput.V8 {
		ask = r.nodePath
	}
	res, err := ask(ctx, in, object, o)
	if res == nil {
		return err
	}
	v := heapView{page: true}
	return errors.Join(err, a.out.write(result{JSON: res, Report: v.pathReport(in.Name, res)}))
}

// javaPath reads a dump of Java and asks its graph about the object.
func (r *heapRun) javaPath(ctx context.Context, in *heapInput, object string, o *pathOptions) (*retained.PathResult, error) {
	d, err := r.readDump(ctx, in)
	if err != nil {
		return nil, err
	}
	res, err := r.pathOf(ctx, d, in, object, o)
	return res, errors.Join(err, d.close())
}

// nodePath reads a snapshot of V8 and asks its graph about the object.
func (r *heapRun) nodePath(ctx context.Context, in *heapInput, object string, o *pathOptions) (*retained.PathResult, error) {
	s, _, err := r.readSnapshot(ctx, in)
	if err != nil {
		return nil, err
	}
	g, err := r.nodeGraph(ctx, s)()
	if err != nil {
		return nil, errors.Join(fault.NoAnswerf("%s: %w", in.Name, err), s.Close())
	}
	v, err := findNode(s, g, object)
	if err != nil {
		return nil, errors.Join(err, s.Close())
	}
	res, err := nodeproc.Path(g, v, retained.PathOptions{Depth: int(o.depth)})
	if res != nil {
		res.Warnings = append(res.Warnings, r.notes...)
		if !s.Complete {
			res.Warnings = append(res.Warnings, in.Name+" ends too early: other ways to the object may be missing")
		}
	}
	return res, errors.Join(err, s.Close())
}

// findNode finds a node by its identifier, or the one of a class that retains most.
func findNode(s *v8.Snapshot, g *v8graph.Graph, text string) (uint32, error) {
	id, byID := strings.CutPrefix(text, "@")
	n, err := strconv.ParseUint(id, 10, 32)
	if byID && err != nil {
		return 0, fault.Usagef("object %q: expected an identifier as @1234", text)
	}
	best, found := uint32(0), false
	for v := range s.Nodes() {
		if byID && uint64(s.ID(v)) == n {
			return v, nil
		}
		if !byID && s.Class(v) == text && (!found || g.Retained(v) > g.Retained(best)) {
			best, found = v, true
		}
	}
	if !found && byID {
		return 0, fault.NoAnswerf("there is no object %s in the snapshot", text)
	}
	if !found {
		return 0, fault.NoAnswerf("the snapshot has no object of class %s", text)
	}
	return best, nil
}

// oneDump recognises the dump whose object is asked for.
func (r *heapRun) oneDump(ctx context.Context, path string) (*heapInput, error) {
	x := input.Expand([]string{path})
	if len(x.Sources) != 1 {
		return nil, errors.Join(append(x.Problems, fault.Usagef("%s: expected one dump, found %d files", path, len(x.Sources)))...)
	}
	in, err := recogniseOne(x.Sources[0], newInterruptible(ctx, r.Stdin), heapinput.Unknown)
	if err != nil {
		return nil, err
	}
	if !hasGraph(in.kind) {
		return nil, fault.NoAnswerf("%s: expected a heap dump of Java or a heap snapshot of V8, found %s", in.Name, in.kind.Title())
	}
	return in, nil
}

// pathOf asks the graph about the object.
func (r *heapRun) pathOf(ctx context.Context, d *javaDump, in *heapInput, object string, o *pathOptions) (*retained.PathResult, error) {
	if d.graph == nil {
		return nil, fault.NoAnswerf("%s: %w", in.Name, d.why)
	}
	rank, err := findObject(d.graph, object)
	if err != nil {
		return nil, err
	}
	res, err := retained.Path(ctx, d.graph, rank, retained.PathOptions{Depth: int(o.depth)})
	if err != nil {
		return nil, err
	}
	if !d.heap.Complete {
		res.Warnings = append(res.Warnings, in.Name+" ends too early: other ways to the object may be missing")
	}
	kept, again := d.heap, false
	if in.stream == nil {
		if kept, err = r.readAgain(ctx, in, d.heap, res.Objects()); err != nil {
			return nil, err
		}
		again = true
	} else {
		res.Warnings = append(res.Warnings, in.Name+" cannot be read again: not all fields are known")
	}
	res.Name(d.graph, kept, o.showValues)
	if again {
		err = kept.Close()
	}
	return res, err
}

// readAgain reads a dump again for the fields of some objects.
func (r *heapRun) readAgain(ctx context.Context, in *heapInput, h *heapdump.Heap, ids []heapdump.ID) (*heapdump.Heap, error) {
	whole := map[string]bool{}
	for _, id := range ids {
		if c, ok := h.ClassOf(id); ok {
			whole[h.Class(c).Name] = true
		}
	}
	src, err := in.open()
	if err != nil {
		return nil, err
	}
	kept, err := hprof.Read(ctx, src, hprof.Options{TempDir: r.opts.ofGraph.tempDir, Keep: func(h *heapdump.Heap, class int) heapdump.Keep {
		if whole[h.Class(class).Name] {
			return heapdump.Keep{Mode: heapdump.KeepWhole}
		}
		return heapdump.Keep{Mode: heapdump.KeepNothing}
	}})
	if err != nil {
		return nil, errors.Join(named(in.Name, err), src.Close())
	}
	return kept, src.Close()
}

// findObject finds an object by its address, or the one of a class that retains most.
func findObject(g *graph.Graph, text string) (graph.Rank, error) {
	if hex, ok := strings.CutPrefix(strings.ToLower(text), "0x"); ok {
		n, err := strconv.ParseUint(hex, 16, 64)
		if err != nil {
			return 0, fault.Usagef("object %q: expected an address as 0x7f3a4c10", text)
		}
		r, ok := g.Rank(heapdump.ID(n))
		if !ok {
			return 0, fault.NoAnswerf("there is no object at %s in the dump", text)
		}
		return r, nil
	}
	h := g.Heap()
	classes := h.ClassNamed(text)
	if len(classes) == 0 {
		err := fault.NoAnswerf("there is no class %s in the dump", text)
		if near := likeClass(h, text); near != "" {
			return 0, fault.WithHint(err, "did you mean "+near+"?")
		}
		return 0, err
	}
	best, found := graph.None, false
	for i := range g.NumObjects() {
		r := graph.Rank(i)
		if !slices.Contains(classes, g.Class(r)) {
			continue
		}
		if !found || g.Retained(r) > g.Retained(best) {
			best, found = r, true
		}
	}
	if !found {
		return 0, fault.WithHint(fault.NoAnswerf("the dump has no object of class %s", text),
			fmt.Sprintf("its class object is at %#x", uint64(h.Class(classes[0]).ID)))
	}
	return best, nil
}

// likeClass is a class whose name ends with the text, as people write it.
func likeClass(h *heapdump.Heap, text string) string {
	for _, c := range h.Classes {
		if c.Instances > 0 && strings.HasSuffix(strings.ToLower(c.Name), strings.ToLower(text)) {
			return c.Name
		}
	}
	return ""
}

func dumpAndObject(c *cobra.Command, args []string) error {
	if len(args) != 2 {
		return fault.Usagef("%s: expected a dump and an object, an address or the name of a class, found %s", c.CommandPath(), counted(len(args), "argument", "arguments"))
	}
	return nil
}
