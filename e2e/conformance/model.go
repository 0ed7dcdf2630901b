package conformance

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"example.com/kneeline/analyze/lint"
	"example.com/kneeline/analyze/lint/defaults"
	"example.com/kneeline/analyze/lint/formats"
	"example.com/kneeline/analyze/lint/model"
	"example.com/kneeline/analyze/lint/worst"
)

// Read takes a file through the readers, with the defaults of versions of products.
func Read(t testing.TB, name, text string, versions map[string]string) []*model.Document {
	t.Helper()
	table, err := defaults.Load(versions)
	if err != nil {
		t.Fatal(err)
	}
	c := lint.Collector{Texts: formats.Texts(), Objects: formats.Objects(), Defaults: table}
	got := c.Read(name, []byte(text))
	if got.State != lint.Recognised {
		t.Fatalf("%s is of no format that is read:\n%s", name, text)
	}
	for _, p := range got.AllProblems() {
		t.Fatalf("%s:%d: %s", name, p.Line, p.Message)
	}
	return got.Documents
}

// Hop returns the hop to a callee, any where that is empty, whose name begins with a
// text.
func Hop(t testing.TB, docs []*model.Document, to, name string) *model.Hop {
	t.Helper()
	for _, d := range docs {
		for _, h := range d.Hops {
			if (to == "" || h.To == to) && strings.HasPrefix(h.Name, name) {
				return h
			}
		}
	}
	t.Fatalf("no hop %s to %s", name, to)
	return nil
}

// Service returns the service of a name.
func Service(t testing.TB, docs []*model.Document, name string) *model.Service {
	t.Helper()
	for _, d := range docs {
		for _, s := range d.Services {
			if s.Name == name {
				return s
			}
		}
	}
	t.Fatalf("no service %q", name)
	return nil
}

// Fault is what the callees do to a request.
type Fault struct {
	Name string
	// Words are those by which formats say that such a fault is tried again; Cause is
	// what it is in the model, for words that stand for several.
	Words []string
	Cause model.Cause
	// Sent says that the request has reached the callee: whether one that changes
	// something is sent again then depends on the method.
	Sent bool
	// Connects and Reads say which limit of a try passes: that of the connection, that
	// of the answer. Else a try takes Takes.
	Connects, Reads bool
	// Takes is in seconds.
	Takes float64
	// Status is what the callee answers with, 0 where it answers otherwise.
	Status int
	how    behaviour
}

// behaviour is what a callee does with a request that it has read.
type behaviour uint8

const (
	answers  behaviour = iota // with Status
	closes                    // without an answer
	junk                      // with a head that is none
	trickles                  // a byte at a time
	refuses                   // nothing listens
)

// Answers is a status that the callee answers with, after so many seconds.
func Answers(status int, after float64) Fault {
	cause := map[int]model.Cause{403: model.ClientFault, 404: model.ClientFault, 408: model.Unavailable, 429: model.Shed, 500: model.ServerFault, 502: model.Unavailable, 503: model.Shed, 504: model.Unavailable}[status]
	name := fmt.Sprintf("answers %d", status)
	if after > 0 {
		name += fmt.Sprintf(" after %g s", after)
	}
	return Fault{Name: name, Words: []string{fmt.Sprint(status), fmt.Sprintf("http_%d", status)}, Cause: cause, Sent: true, Takes: after, Status: status}
}

// The faults that are no answers.
var (
	Silent      = Fault{Name: "never answers", Words: []string{"timeout", "response-timeout"}, Cause: model.TimedOut, Sent: true, Reads: true}
	Closes      = Fault{Name: "reads the request and closes", Words: []string{"error", "empty-response"}, Cause: model.Reset, Sent: true, how: closes}
	Junk        = Fault{Name: "answers with a broken head", Words: []string{"invalid_header", "junk-response"}, Cause: model.Unavailable, Sent: true, how: junk}
	Refused     = Fault{Name: "refuses the connection", Words: []string{"error", "conn-failure"}, Cause: model.ConnectFailure, how: refuses}
	Unreachable = Fault{Name: "takes no connection", Words: []string{"timeout", "conn-failure"}, Cause: model.ConnectFailure, Connects: true}
	// Trickles answers in all after TrickleSeconds, and never pauses for longer than a part
	// of that.
	Trickles = Fault{Name: "answers a byte every 0.4 s", Sent: true, how: trickles}
)

// idempotent are the methods that may be repeated (RFC 9110, 9.2.2).
var idempotent = map[string]bool{"GET": true, "HEAD": true, "PUT": true, "DELETE": true, "OPTIONS": true, "TRACE": true}

// Outcome is what becomes of a request: how many tries, and how long it lasts.
type Outcome struct {
	Tries   float64
	Seconds float64
	// Late is how much longer, in seconds, a program may take that looks at its limits
	// only now and then.
	Late float64
}

// Predict says from the model of a hop what becomes of a request under a fault: the
// limits that the fault does not reach take no time, the others are spent in full.
func Predict(t testing.TB, h *model.Hop, method string, f Fault) Outcome {
	t.Helper()
	is := *h
	switch {
	case f.Connects:
		is.GapRead = zero(h.GapRead)
	case f.Reads:
		is.Connect = zero(h.Connect)
	default:
		is.Connect, is.GapRead, is.PerTry = model.Value{}, model.Value{}, model.Of(model.Seconds, f.Takes, "the fault")
	}
	if f.Cause != model.ConnectFailure && is.Backoff.Refused || f.Connects && is.Backoff.Refused {
		is.Backoff = model.Backoff{None: true}
	}
	tries, ok := worst.Tries(h)
	if !ok || math.IsInf(tries, 1) {
		t.Fatalf("the model does not know the tries of %s", h.Name)
	}
	if !again(h.Retry, method, f) {
		tries = 1
	}
	try, ok := worst.OneTry(&is)
	if !ok {
		t.Fatalf("the model does not know the limit of a try of %s", h.Name)
	}
	for _, limit := range []model.Value{h.StartTry, h.Total} {
		if limit.Finite() {
			tries = min(tries, worst.Started(limit.Amount, try.Seconds, is.Backoff, tries))
		}
	}
	is.Retry.Tries = model.Of(model.Count, tries, "under the fault")
	is.StartTry = model.Value{} // the tries that can begin are counted
	call, ok := worst.Whole(&is)
	if !ok {
		t.Fatalf("the model does not know how long %s lasts", h.Name)
	}
	return Outcome{Tries: tries, Seconds: call.Seconds}
}

func zero(v model.Value) model.Value {
	if v.Known() {
		v.Amount = 0
	}
	return v
}

// again says from the model whether a request is tried again after a fault.
func again(r model.Retry, method string, f Fault) bool {
	if f.Sent && !idempotent[method] && !r.AllMethods.On() {
		return false
	}
	for _, c := range r.On {
		for _, w := range f.Words {
			if c.Word == w {
				return true
			}
		}
		if c.Word == "all-retryable-errors" && c.Cause == f.Cause && f.Cause != model.OtherCause {
			return true
		}
	}
	return false
}
