package loadgen

import (
	"math"
	"math/rand/v2"
	"net/url"
	"strings"

	"golang.org/x/net/http2/hpack"

	"example.com/kneeline/internal/fault"
)

// Request is one kind of request that a run sends, among others: a target of its
// mix. All requests of a client go to one origin.
type Request struct {
	// Method is GET when empty.
	Method string
	// Path is the path with its query, as it stands in the request line; "/" when
	// empty.
	Path string
	// Headers are sent beside those of [Options]; one of the same name takes the
	// place of theirs.
	Headers []Header
	Body    []byte
	// Weight is how often the request is drawn, against the others' weights; 0
	// counts as 1.
	Weight float64
	// Name is what reports call it; method and path when empty.
	Name string
}

// MaxRequests bounds the kinds of requests of one client.
const MaxRequests = 100_000

// message is a kind of request ready to be sent: its parts, and its bytes as
// HTTP/1.1 has them, made once.
type message struct {
	Request
	bytes    []byte
	fields   []hpack.HeaderField // its head as HTTP/2 has it
	headOnly bool                // the method is HEAD: its answer has no body
}

// messages prepares what a client sends: its one request, or its mix.
func messages(u *url.URL, o *Options) ([]message, error) {
	kinds := o.Requests
	if len(kinds) == 0 {
		kinds = []Request{{Method: o.Method, Path: u.RequestURI(), Body: o.Body}}
	}
	switch {
	case len(o.Requests) > 0 && (o.Method != "" || len(o.Body) > 0):
		return nil, fault.Usagef("a mix of requests has methods and bodies of its own: expected none beside it")
	case len(kinds) > MaxRequests:
		return nil, fault.Usagef("expected at most %d kinds of requests, found %d", MaxRequests, len(kinds))
	}
	all := make([]message, 0, len(kinds))
	for _, k := range kinds {
		m, err := newMessage(u, k, o.Headers)
		if err != nil {
			return nil, err
		}
		all = append(all, m)
	}
	return all, nil
}

func newMessage(u *url.URL, k Request, common []Header) (message, error) {
	if k.Method == "" {
		k.Method = "GET"
	}
	if k.Path == "" {
		k.Path = "/"
	}
	if k.Weight == 0 {
		k.Weight = 1
	}
	if k.Name == "" {
		k.Name = k.Method + " " + k.Path
	}
	if !(k.Weight > 0) || math.IsInf(k.Weight, 0) {
		return message{}, fault.Usagef("%s: expected a weight over 0, found %v", k.Name, k.Weight)
	}
	if err := checkPath(k.Path); err != nil {
		return message{}, err
	}
	k.Headers = joinHeaders(common, k.Headers)
	b, err := requestBytes(u.Host, &k)
	m := message{Request: k, bytes: b, headOnly: k.Method == "HEAD"}
	m.fields = h2Fields(u.Scheme, u.Host, &m)
	return m, err
}

// checkPath refuses what would make the request line mean something else.
func checkPath(path string) error {
	if path == "*" || strings.HasPrefix(path, "/") {
		for i := range len(path) {
			if c := path[i]; c <= ' ' || c == 0x7f {
				return fault.Usagef("expected a path without spaces and control characters, found %q", path)
			}
		}
		return nil
	}
	return fault.Usagef("expected a path that begins with /, found %q", path)
}

// joinHeaders returns the common headers and a request's own, which stand in for
// common ones of the same name.
func joinHeaders(common, own []Header) []Header {
	if len(own) == 0 {
		return common
	}
	all := make([]Header, 0, len(common)+len(own))
next:
	for _, h := range common {
		for _, o := range own {
			if strings.EqualFold(h.Name, o.Name) {
				continue next
			}
		}
		all = append(all, h)
	}
	return append(all, own...)
}

// alias draws from weighted kinds in constant time, by Walker's method in Vose's
// form: each of n equally likely cells holds one kind up to its cut and another
// one beyond it.
type alias struct {
	cut   []float64
	other []int32
}

// newAlias makes the table for the weights of the messages; nil where there is
// nothing to choose.
func newAlias(all []message) *alias {
	n := len(all)
	if n < 2 {
		return nil
	}
	sum := 0.0
	for i := range all {
		sum += all[i].Weight
	}
	a := &alias{cut: make([]float64, n), other: make([]int32, n)}
	var small, large []int32
	for i := range all {
		a.cut[i] = all[i].Weight / sum * float64(n)
		if a.cut[i] < 1 {
			small = append(small, int32(i))
		} else {
			large = append(large, int32(i))
		}
	}
	for len(small) > 0 && len(large) > 0 {
		s, l := small[len(small)-1], large[len(large)-1]
		small = small[:len(small)-1]
		a.other[s] = l
		a.cut[l] -= 1 - a.cut[s]
		if a.cut[l] < 1 {
			large = large[:len(large)-1]
			small = append(small, l)
		}
	}
	// What is left is full but for rounding.
	for _, i := range append(small, large...) {
		a.cut[i], a.other[i] = 1, i
	}
	return a
}

// draw returns the index of a kind.
func (a *alias) draw(rng *rand.Rand) int32 {
	if a == nil {
		return 0
	}
	x := rng.Float64() * float64(len(a.cut))
	i := min(int32(x), int32(len(a.cut)-1))
	if x-float64(i) < a.cut[i] {
		return i
	}
	return a.other[i]
}
