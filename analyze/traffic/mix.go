package traffic

import (
	"bytes"
	"cmp"
	"context"
	"slices"
	"strings"

	"example.com/kneeline/internal/accesslog"
	"example.com/kneeline/internal/fault"
)

// MixOptions say which requests of a log are sent.
type MixOptions struct {
	// Methods are those that are sent; GET and HEAD when empty, since others change
	// things and need bodies that no log has.
	Methods []string
	// StripQuery leaves out the query of paths.
	StripQuery bool
	// Top is how many kinds of requests are kept, the most frequent first; 0 is
	// [DefaultTop].
	Top int
}

// DefaultTop is how many kinds of requests a mix has unless it is told otherwise.
const DefaultTop = 1000

const (
	// maxKinds bounds the kinds that are counted at once. When there are more the
	// rare half of them is given up.
	maxKinds = 200_000
	// maxPath bounds the paths that are kept.
	maxPath = 8 << 10
)

// Kind is a kind of request: a method and a path.
type Kind struct {
	Method, Path string
	// Requests is how often it came.
	Requests uint64
	// Received and Sent are the mean sizes in bytes of requests and answers; -1
	// where the log does not have them.
	Received, Sent int64
}

// Mix is what a log's requests are.
type Mix struct {
	Reading *Reading
	// Kinds are sorted by frequency.
	Kinds []Kind
	// Requests counts all, Covered those of the kinds.
	Requests, Covered uint64
	// The rest: of methods that are not sent, by method; without a request line that
	// can be sent; and of kinds too rare to be among those kept.
	OtherMethods map[string]uint64
	Unsendable   uint64
	Rare         uint64
}

// Coverage is the share of the log's requests that the kinds stand for.
func (m *Mix) Coverage() float64 {
	if m.Requests == 0 {
		return 0
	}
	return float64(m.Covered) / float64(m.Requests)
}

// FindMix reads logs and finds the mix of their requests.
func FindMix(ctx context.Context, logs *Logs, o MixOptions) (*Mix, error) {
	g := newGather(o)
	reading, err := logs.each(ctx, func(_ int, r *accesslog.Record) { g.add(r) })
	if err != nil {
		return nil, err
	}
	m := g.mix(o.top())
	m.Reading = reading
	return m, m.check(o)
}

func (o MixOptions) top() int {
	if o.Top == 0 {
		return DefaultTop
	}
	return o.Top
}

// check refuses a mix of nothing.
func (m *Mix) check(o MixOptions) error {
	if len(m.Kinds) > 0 {
		return nil
	}
	err := fault.NoAnswerf("the log has no request that can be sent: expected %s with a path, found none in %d requests",
		strings.Join(o.methods(), " or "), m.Requests)
	if len(m.OtherMethods) > 0 {
		return fault.WithHint(err, "name the methods that may be sent with --mix-methods")
	}
	return err
}

func (o MixOptions) methods() []string {
	if len(o.Methods) == 0 {
		return []string{"GET", "HEAD"}
	}
	return o.Methods
}

// tallied is what is known of a kind while logs are read.
type tallied struct {
	n                uint64
	received, sent   int64
	nReceived, nSent uint64
	methodLen        int
}

// gather counts kinds.
type gather struct {
	methods []string
	strip   bool
	kinds   map[string]*tallied
	m       Mix
	key     []byte
	most    int
}

func newGather(o MixOptions) *gather {
	return &gather{methods: o.methods(), strip: o.StripQuery, kinds: map[string]*tallied{}, most: maxKinds,
		m: Mix{OtherMethods: map[string]uint64{}}}
}

// keyOf is the key of the kind of a request; ok is false where it is not sent. The
// key is valid until the next call.
func (g *gather) keyOf(r *accesslog.Record) (key []byte, ok bool) {
	if len(r.Method) == 0 || !sendable(r.Path) {
		return nil, false
	}
	path := r.Path
	if g.strip {
		if i := bytes.IndexByte(path, '?'); i >= 0 {
			path = path[:i]
		}
	}
	g.key = append(append(append(g.key[:0], r.Method...), ' '), path...)
	return g.key, g.sends(r.Method)
}

func (g *gather) sends(method []byte) bool {
	for _, m := range g.methods {
		if string(method) == m {
			return true
		}
	}
	return false
}

// sendable reports whether a path can stand in a request line as it is.
func sendable(path []byte) bool {
	if len(path) == 0 || len(path) > maxPath || path[0] != '/' {
		return false
	}
	for _, c := range path {
		if c <= ' ' || c == 0x7f || c == '#' {
			return false
		}
	}
	return true
}

// add counts a request. It returns whether its kind is one that is sent.
func (g *gather) add(r *accesslog.Record) bool {
	g.m.Requests++
	key, ok := g.keyOf(r)
	switch {
	case key == nil:
		g.m.Unsendable++
		return false
	case !ok:
		g.other(string(r.Method))
		return false
	}
	t := g.kinds[string(key)]
	if t == nil {
		if len(g.kinds) >= g.most {
			g.prune()
		}
		t = &tallied{methodLen: len(r.Method)}
		g.kinds[string(key)] = t
	}
	t.n++
	if r.Received >= 0 {
		t.received, t.nReceived = t.received+r.Received, t.nReceived+1
	}
	if r.Sent >= 0 {
		t.sent, t.nSent = t.sent+r.Sent, t.nSent+1
	}
	return true
}

// maxMethods bounds the methods that are counted by name.
const maxMethods = 30

func (g *gather) other(method string) {
	if _, known := g.m.OtherMethods[method]; !known && len(g.m.OtherMethods) >= maxMethods {
		method = "others"
	}
	g.m.OtherMethods[method]++
}

// prune gives up the rare half of the kinds.
func (g *gather) prune() {
	counts := make([]uint64, 0, len(g.kinds))
	for _, t := range g.kinds {
		counts = append(counts, t.n)
	}
	slices.Sort(counts)
	limit := counts[len(counts)/2]
	var rare, equal []string
	for k, t := range g.kinds {
		switch {
		case t.n < limit:
			rare = append(rare, k)
		case t.n == limit:
			equal = append(equal, k)
		}
	}
	slices.Sort(equal) // so that the same log gives the same mix
	for _, k := range append(rare, equal[:(len(equal)+1)/2]...) {
		g.m.Rare += g.kinds[k].n
		delete(g.kinds, k)
	}
}

// mix ends the counting with the most frequent kinds.
func (g *gather) mix(top int) *Mix {
	m := g.m
	for key, t := range g.kinds {
		k := Kind{Method: key[:t.methodLen], Path: key[t.methodLen+1:], Requests: t.n, Received: -1, Sent: -1}
		if t.nReceived > 0 {
			k.Received = t.received / int64(t.nReceived)
		}
		if t.nSent > 0 {
			k.Sent = t.sent / int64(t.nSent)
		}
		m.Kinds = append(m.Kinds, k)
	}
	slices.SortFunc(m.Kinds, func(a, b Kind) int {
		return cmp.Or(cmp.Compare(b.Requests, a.Requests), cmp.Compare(a.Path, b.Path), cmp.Compare(a.Method, b.Method))
	})
	for _, k := range m.Kinds[min(top, len(m.Kinds)):] {
		m.Rare += k.Requests
	}
	m.Kinds = slices.Clip(m.Kinds[:min(top, len(m.Kinds))])
	for _, k := range m.Kinds {
		m.Covered += k.Requests
	}
	return &m
}
