// Package hostile is a server that misbehaves in one named way at a time and
// counts the requests that reached it, to hold a client's account against.
//
// Each [Behaviour] says what the server does, over which transports it can be
// played, and what a client that follows the RFCs must make of it. The package
// supports tests; it is no part of the product.
package hostile

import (
	"slices"
	"time"
)

// Transport is how the server's bytes travel.
type Transport string

const (
	Plain Transport = "plain" // HTTP/1.1 over TCP
	Unix  Transport = "unix"  // HTTP/1.1 over a unix socket
	TLS   Transport = "tls"   // HTTP/1.1 over TLS
	H2C   Transport = "h2c"   // HTTP/2 over TCP, with prior knowledge
	H2    Transport = "h2"    // HTTP/2 over TLS, by ALPN
)

// Sets of transports over which behaviours are played.
var (
	anyH1   = []Transport{Plain, Unix, TLS}
	tcpOnly = []Transport{Plain}
	onSock  = []Transport{Plain, Unix}
	tlsOnly = []Transport{TLS}
	anyTLS  = []Transport{TLS, H2}
	anyH2   = []Transport{H2C, H2}
)

// Behaviour is one way in which a server is awkward.
type Behaviour struct {
	Name string
	// Does says in a sentence what the server does.
	Does string
	// Over are the transports to which it applies.
	Over []Transport
	// Play answers one HTTP/1.1 request, PlayH2 one of HTTP/2. For behaviours that
	// begin before a request, HelloH2 is done in place of sending settings, Accept
	// has the connection as the listener gave it, and Open makes the listener;
	// UploadH2 is done in place of granting more of a request's body. nil stands for
	// the ordinary.
	Play     func(*Turn)
	PlayH2   func(*Stream)
	HelloH2  func(*H2Conn)
	UploadH2 func(*Stream)
	Accept   func(*Server, *Conn)
	Open     func(*Server) error

	// Method and Body are of the request that shows the behaviour; Rules are the
	// signs of a degraded answer to look for.
	Method string
	Body   []byte
	Rules  []string
	// Rate in requests per second, For how long, and Timeout, the clients'
	// deadline; 0 stands for [DefaultRate], [DefaultFor] and [DefaultTimeout].
	Rate    float64
	For     time.Duration
	Timeout time.Duration

	// Want are the outcomes that are right: each request must have one of them.
	Want []Outcome
	// Hint is the Retry-After of its refusals in seconds; 0 is none.
	Hint float64
	// Unread says that the server may not read all that was sent to it, so that
	// its count is between what it answered and what was sent.
	Unread bool
	// Resent says that the server tells of requests that it has not processed them,
	// so that a client may send each of them again.
	Resent bool
	// Guesses says that a client can take what the server sends for the answer to
	// another request, so that the server's count may be below the client's.
	Guesses bool
}

// What a behaviour is played with unless it says otherwise. The timeout is so
// long that a machine that lags makes no request late.
const (
	DefaultRate    = 100.0
	DefaultFor     = 150 * time.Millisecond
	DefaultTimeout = 20 * time.Second
	// ShortTimeout is for servers that do not answer.
	ShortTimeout = 400 * time.Millisecond
)

// Outcome is what may become of a request: a class by its name and, for failed
// ones, a cause.
type Outcome struct {
	Class, Cause string
	// Must says that at least one request ends so.
	Must bool
}

func all(class string) []Outcome { return []Outcome{{Class: class, Must: true}} }

func failed(cause string) []Outcome {
	return []Outcome{{Class: "failed", Cause: cause, Must: true}}
}

// perhaps adds causes that chance, such as the order of two packets, may give
// some of the requests in place of the wanted one.
func perhaps(o []Outcome, causes ...string) []Outcome {
	for _, c := range causes {
		o = append(o, Outcome{Class: "failed", Cause: c})
	}
	return o
}

// Allows reports whether an outcome is one of those wanted.
func (b *Behaviour) Allows(class, cause string) bool {
	return slices.ContainsFunc(b.Want, func(o Outcome) bool { return o.Class == class && o.Cause == cause })
}

// All returns every behaviour, in an order that does not change.
func All() []Behaviour {
	return slices.Concat(answers(), malformed(), endings(), slow(), listeners(), tlsTrouble(), h2Streams(), h2Frames())
}

// Load returns the rate, the length and the deadline with which the behaviour is
// played.
func (b *Behaviour) Load() (rate float64, length, timeout time.Duration) {
	rate, length, timeout = b.Rate, b.For, b.Timeout
	if rate == 0 {
		rate = DefaultRate
	}
	if length == 0 {
		length = DefaultFor
	}
	if timeout == 0 {
		timeout = DefaultTimeout
	}
	return rate, length, timeout
}
