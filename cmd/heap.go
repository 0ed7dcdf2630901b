package cmd

import (
	"context"
	"fmt"
	"math"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"example.com/kneeline/heapdump/pprof"
	"example.com/kneeline/internal/fault"
	"example.com/kneeline/internal/finding"
	"example.com/kneeline/internal/heapinput"
	"example.com/kneeline/internal/units"
)

// heapOptions are the flags of `kneeline heap`.
type heapOptions struct {
	capacity    units.RateValue
	timeout     units.DurationValue
	serviceTime units.DurationValue
	from        string

	patterns    []string
	minEntries  units.CountValue
	top         units.CountValue
	showValues  bool
	inputFormat string
	base        []string
	interval    units.DurationValue
	allowHosts  []string
	stacks      bool

	maxPending units.CountValue
	failOn     string
	strict     bool

	graph   bool
	ofGraph graphOptions
}

// anyFormat is the value of --input-format by which inputs are recognised.
const anyFormat = "auto"

const (
	// usualEntries is how many entries a queue must hold to be judged.
	usualEntries = 100
	// usualTop is how many classes the histogram shows in text.
	usualTop = 10
	// mostTop bounds --top: what is shown is kept in memory.
	mostTop = 100_000
)

func newHeap(a *app) *cobra.Command {
	o := &heapOptions{}
	c := &cobra.Command{
		Use:   "heap DUMP...",
		Short: "What is piling up in memory, and is it requests?",
		Long: `Reads dumps and profiles of a process and tells what waits in it: in which queue, how
many, since when, how fast they came, what each costs, who should be serving them and
what those threads do instead; or, if no requests pile up, what the heap is full of.

It reads heap dumps of Java (HPROF, also Android's, cut off, gz, zst, or from a pipe) in
one pass and in bounded memory; beside them, or when a dump is too big to take, class
histograms (jmap -histo) and thread dumps (jstack); of Go the heap and goroutine profiles
of pprof, fetched from a running service too, and the text of all goroutines.

DUMP is a file, a directory, a pattern, - for stdin, or the URL of /debug/pprof/. Inputs
of one process are judged together; of several dumps the worst comes first. Contents of a
dump are private: no values are shown unless --show-values asks for them.`,
		Example: examples(
			"heap dump.hprof", "one dump",
			"heap dump.hprof.gz --capacity 1200/s --timeout 400ms", "and how much of the queue is still useful",
			"heap dump.hprof threads.txt -o html=heap.html", "with a thread dump beside it, and a page",
			"heap histo.txt threads.txt", "when a dump is too big to take",
			"heap heap.pb.gz goroutine.pb.gz", "profiles of Go",
			"heap dump.hprof --graph", "and who holds them: dominators and retained sizes",
			"heap http://127.0.0.1:6060/debug/pprof/", "fetched from a running Go service",
			"heap - --from headroom.json", "from stdin; capacity and timeout as measured",
			"heap dumps/ --max-pending 400 --fail-on error", "a fleet, and gates: exit code 0 or 1"),
		GroupID: groupMeasure,
		Args:    someArgs("a dump, a profile, a directory of them, a URL, or - for stdin"),
		RunE: func(c *cobra.Command, args []string) error {
			return runHeap(c.Context(), a, o, args, c.Flags().Changed)
		},
	}
	o.addFlags(c)
	offerFormats(c, "csv", "ndjson", foldedFormat)
	c.AddCommand(newHeapPath(a), newHeapRedact(a), newHeapCompare(a))
	return c
}

func (o *heapOptions) addFlags(c *cobra.Command) {
	f := c.Flags()
	f.SortFlags = false
	o.minEntries, o.top = usualEntries, usualTop
	f.Var(&o.capacity, "capacity", "the `RATE` the server sustains: tells how much of a queue is still useful")
	f.Var(&o.timeout, "timeout", "how long clients wait for an answer")
	f.Var(&o.serviceTime, "service-time", "mean time a worker takes for a request: with the workers of the dump, a capacity")
	f.StringVar(&o.from, "from", "", "take capacity and timeout from `FILE`, a result of headroom (-o json); flags win")

	f.StringArrayVar(&o.patterns, "patterns", nil, "names of your own queues, pools and requests from `FILE`, see docs/heap.md; may be repeated")
	f.Var(&o.minEntries, "min-entries", "how many entries a queue must have to be looked at")
	f.Var(&o.top, "top", "how many classes the histogram shows; a page shows five times as many")
	f.BoolVar(&o.showValues, "show-values", false, "show contents of strings; without it nothing of them is printed")
	enumVar(c, f, &o.inputFormat, "input-format", anyFormat, "what the inputs are, where their content does not tell", append([]string{anyFormat}, heapinput.Names()...)...)
	f.StringArrayVar(&o.base, "base", nil, "subtract the profile in `FILE`, taken earlier of the same Go process; may be repeated")
	f.BoolVar(&o.stacks, "stacks", false, "of a URL, also fetch the text of all goroutines: tells how long they wait, and stops the service while it is written")
	f.Var(&o.interval, "interval", "the time from one class histogram to the next, where they do not tell it")
	f.StringArrayVar(&o.allowHosts, "allow-host", nil, "allow fetching from this `HOST`, which is not loopback; may be repeated")

	f.BoolVar(&o.graph, "graph", false, "make the graph: who holds what, dominators and retained sizes; of dumps and snapshots")
	o.ofGraph.addFlags(c)

	f.Var(&o.maxPending, "max-pending", "gate: fail if more requests are pending")
	enumVar(c, f, &o.failOn, "fail-on", noGate, "gate: fail on a finding of this severity or worse", "note", "warning", "error", noGate)
	f.BoolVar(&o.strict, "strict", false, "exit code 3 if anything could not be read or was cut off")
	onlyByHand(f, "from", "base", "show-values")
	notFromProject(f, "allow-host", "patterns")
}

// heapRun is one run of the command.
type heapRun struct {
	*app
	opts *heapOptions
	// capacity and timeout are what is judged by, from a flag or a measurement; nil
	// when not known.
	capacity, timeout, serviceTime *float64
	failOn                         finding.Severity
	maxPending                     *int64
	// notes are what the user is to know of where figures come from.
	notes []string
	// lost are what could not be read, for --strict.
	lost []string
	// everyClass says that an output has all classes, not only those that are shown.
	everyClass bool
	tables     heapTables
	base       []*pprof.Profile
	view       *heapProgress
}

func runHeap(ctx context.Context, a *app, o *heapOptions, args []string, given func(string) bool) error {
	defer tightGC()()
	r := &heapRun{app: a, opts: o}
	if err := r.oneStdin(args); err != nil {
		return err
	}
	if err := r.settle(given); err != nil {
		return err
	}
	return r.run(ctx, args)
}

// settle puts the flags into the analysis's terms.
func (r *heapRun) settle(given func(string) bool) error {
	o := r.opts
	for _, f := range []struct {
		flag string
		zero bool
		why  string
	}{
		{"capacity", o.capacity == 0, "a server that serves nothing has no useful queue"},
		{"timeout", o.timeout == 0, "clients that do not wait get no answer"},
		{"service-time", o.serviceTime == 0, "every request takes some time"},
		{"min-entries", o.minEntries == 0, "an empty queue tells nothing"},
		{"top", o.top == 0, "a histogram without rows tells nothing"},
	} {
		if given(f.flag) && f.zero {
			return fault.Usagef("--%s: expected more than 0, found 0: %s", f.flag, f.why)
		}
	}
	if err := needGraph(given, o); err != nil {
		return err
	}
	if o.top > mostTop {
		return fault.Usagef("--top: expected at most %s, found %s", units.Count(int64(mostTop)), units.Count(int64(o.top)))
	}
	if given("capacity") {
		r.capacity = ptrTo(float64(o.capacity))
	}
	if given("timeout") {
		r.timeout = ptrTo(time.Duration(o.timeout).Seconds())
	}
	if given("service-time") {
		r.serviceTime = ptrTo(time.Duration(o.serviceTime).Seconds())
	}
	if given("max-pending") {
		r.maxPending = ptrTo(int64(o.maxPending))
	}
	if o.failOn != "" && o.failOn != noGate {
		var err error
		if r.failOn, err = finding.ParseSeverity(o.failOn); err != nil {
			return err
		}
	}
	return r.measured(given)
}

func ptrTo[T any](v T) *T { return &v }

// measured takes from a result of headroom what no flag says.
func (r *heapRun) measured(given func(string) bool) error {
	if r.opts.from == "" {
		return nil
	}
	m, err := readHeadroom(r.opts.from, r.Stdin)
	if err != nil {
		return err
	}
	if m.Complete != nil && !*m.Complete {
		r.notes = append(r.notes, fmt.Sprintf("the measurement in %s did not run to its end", m.name))
	}
	if r.timeout == nil && m.Timeout != nil {
		r.timeout = ptrTo(math.Round(*m.Timeout*1e9) / 1e9)
	}
	if r.capacity != nil {
		return nil
	}
	// The rate of completions of the busy service decides how long a queue is useful.
	switch res := m.Result; {
	case res.Saturated != nil && res.Saturated.Estimate > 0:
		r.capacity = ptrTo(res.Saturated.low())
	case res.Capacity != nil && res.Capacity.Estimate > 0:
		r.capacity = ptrTo(res.Capacity.low())
	case res.AtLeast != nil && *res.AtLeast > 0:
		r.capacity = ptrTo(*res.AtLeast)
		r.notes = append(r.notes, fmt.Sprintf("the capacity in %s is only known to be at least %s", m.name, units.Rate(*res.AtLeast)))
	default:
		return fault.WithHint(fault.NoAnswerf("%s has no capacity: the objective did not hold at any rate", m.name), "give --capacity")
	}
	return nil
}

// oneStdin refuses to read stdin twice.
func (r *heapRun) oneStdin(args []string) error {
	users := 0
	for _, path := range append(append([]string{r.opts.from}, r.opts.base...), args...) {
		if path == "-" {
			users++
		}
	}
	if users > 1 {
		return fault.Usagef("expected - for stdin once, found it %d times", users)
	}
	return nil
}

// isURL says that an argument is to be fetched.
func isURL(arg string) bool {
	return strings.HasPrefix(arg, "http://") || strings.HasPrefix(arg, "https://")
}
