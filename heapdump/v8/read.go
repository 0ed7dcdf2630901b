package v8

import (
	"context"
	"errors"
	"fmt"
	"io"

	"example.com/kneeline/heapdump"
)

// Options are how a snapshot is read.
type Options struct {
	// Progress is told now and then how many bytes were read; it may be nil.
	Progress func(read int64)
	// EdgeBytes is how much memory packed edges may take before they go to a
	// temporary file in Dir; 0 stands for 512 MiB, an empty Dir for the usual place.
	EdgeBytes int64
	Dir       string
}

// Limits of what is kept.
const (
	usualEdgeBytes = 512 << 20
	// maxNodes is how many nodes are kept: they are numbered with 32 bits.
	maxNodes = 1<<32 - 2
	// maxWord is how much of a name is kept, maxWords how much of all of them.
	maxWord  = 256
	maxWords = 64 << 20
)

// reading is one snapshot being read.
type reading struct {
	*scanner
	s       *Snapshot
	classes bits // strings that name a class or a function
	labels  bits // strings that name an edge
	seen    map[string]bool
	lossAt  map[string]int
}

// Read reads a snapshot. One that is cut off or damaged gives what there was, with
// Complete false; an error is of an input that is no snapshot, cannot be read, or
// of the context.
func Read(ctx context.Context, src io.Reader, o Options) (*Snapshot, error) {
	if o.EdgeBytes <= 0 {
		o.EdgeBytes = usualEdgeBytes
	}
	r := &reading{scanner: newScanner(ctx, src, o.Progress), seen: map[string]bool{}, lossAt: map[string]int{}}
	r.s = &Snapshot{large: map[uint32]int64{}, words: map[uint32]string{}, spool: spool{dir: o.Dir, most: o.EdgeBytes}}
	err := r.document()
	r.s.Read = r.pos()
	if err == nil {
		r.s.Complete = true
		r.check()
		return r.s, nil
	}
	if !r.seen["nodes"] || r.s.counts.n == 0 {
		return nil, errors.Join(err, r.s.Close())
	}
	r.s.Why = err.Error()
	return r.s, nil
}

// document reads the members, in the order in which they come.
func (r *reading) document() error {
	if _, err := r.expect("{"); err != nil {
		return err
	}
	for first := true; ; first = false {
		if first && r.peek() == '}' {
			return fmt.Errorf("offset %d: expected the member \"snapshot\", found nothing", r.pos())
		}
		key, err := r.key()
		if err != nil {
			return err
		}
		if err := r.member(key); err != nil {
			return err
		}
		c, err := r.expect(",}")
		if err != nil {
			return err
		}
		if c == '}' {
			return r.whole()
		}
	}
}

// whole says what a document that has ended lacks.
func (r *reading) whole() error {
	for _, need := range []string{"snapshot", "nodes", "edges", "strings"} {
		if !r.seen[need] {
			return fmt.Errorf("offset %d: expected the member %q before the end", r.pos(), need)
		}
	}
	return nil
}

func (r *reading) member(key string) error {
	switch key {
	case "snapshot", "nodes", "edges", "strings":
	default:
		return r.skip()
	}
	if r.seen[key] {
		return fmt.Errorf("offset %d: expected the member %q once", r.pos(), key)
	}
	before := map[string]string{"nodes": "snapshot", "edges": "nodes", "strings": "edges"}[key]
	if before != "" && !r.seen[before] {
		return fmt.Errorf("offset %d: expected the member %q before %q, as V8 writes them", r.pos(), before, key)
	}
	r.seen[key] = true
	switch key {
	case "snapshot":
		return r.readMeta()
	case "nodes":
		return r.array(r.s.Meta.node.width, r.node)
	case "edges":
		return r.readEdges()
	}
	return r.words()
}

// readMeta reads what the snapshot says of itself: the member is small and read by
// the library.
func (r *reading) readMeta() error {
	at := r.pos()
	raw := &capture{scanner: r.scanner}
	text, err := raw.object()
	if err != nil {
		return err
	}
	m, err := parseMeta(text)
	if err != nil {
		return fmt.Errorf("offset %d: %w", at, err)
	}
	r.s.Meta = *m
	return nil
}

// array reads an array of numbers, width of them at a time.
func (r *reading) array(width int, take func([]uint64) error) error {
	if _, err := r.expect("["); err != nil {
		return err
	}
	buf := make([]uint64, width*512)
	have, first := 0, true
	for {
		n, more, err := r.numbers(buf[have:], first)
		first = false
		have += n
		whole := have - have%width
		for i := 0; i < whole; i += width {
			if err := take(buf[i : i+width]); err != nil {
				return err
			}
		}
		have = copy(buf, buf[whole:have])
		if err != nil {
			return err
		}
		if !more {
			if have > 0 {
				return fmt.Errorf("offset %d: expected %d numbers at a time, found %d before the end", r.pos(), width, have)
			}
			return nil
		}
	}
}

// lose counts something that could not be used.
func (r *reading) lose(what string) {
	i, ok := r.lossAt[what]
	if !ok {
		i = len(r.s.Losses)
		r.lossAt[what] = i
		r.s.Losses = append(r.s.Losses, heapdump.Loss{What: what, At: r.pos()})
	}
	r.s.Losses[i].Count++
}

// check compares with what the snapshot says of itself.
func (r *reading) check() {
	s := r.s
	if s.Meta.Nodes > 0 && s.Meta.Nodes != int64(s.counts.n) {
		r.s.Losses = append(r.s.Losses, heapdump.Loss{What: fmt.Sprintf("the snapshot says that it has %d nodes and has %d", s.Meta.Nodes, s.counts.n), At: -1})
	}
	if s.Meta.Edges > 0 && s.Meta.Edges != s.edges {
		r.s.Losses = append(r.s.Losses, heapdump.Loss{What: fmt.Sprintf("the snapshot says that it has %d edges and has %d", s.Meta.Edges, s.edges), At: -1})
	}
}
