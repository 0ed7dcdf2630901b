package loadgen

import (
	"context"
	"math"
	"net/netip"
	"net/url"
	"runtime"
	"sync"
	"time"

	"example.com/kneeline/internal/fault"
	"example.com/kneeline/internal/outcome"
)

// Options says what a [Client] sends, and where.
type Options struct {
	// URL is the address of the service: http://, https://, or a unix socket as
	// unix:/path.sock:/path/of/url.
	URL string
	// Method is GET when empty.
	Method  string
	Headers []Header
	Body    []byte
	// Requests, when there are any, are sent in place of the one request of URL,
	// Method and Body, each as often as its weight says. They go to the origin of
	// URL, with Headers beside their own.
	Requests []Request
	// Degraded are the signs of a degraded answer.
	Degraded []DegradedRule
	// AllowHost is asked before load goes to an address that is not loopback,
	// with the host as the URL has it and the address it stands for. Without it
	// such an address is refused.
	AllowHost func(host string, addr netip.Addr) bool
	// Loops is the number of event loops; 0 lets the peak rate decide.
	Loops int
	// OnTick, when set, is called every [TickPeriod] of a run, from one goroutine
	// that also steers the run: it must return soon.
	OnTick func(Snapshot)
	// Resolve finds the addresses of a host; nil asks the system.
	Resolve func(ctx context.Context, host string) ([]netip.Addr, error)
	// Pins are asked before Resolve.
	Pins []Pin
	// UnixSocket is the path of a socket to which the requests go, whatever the
	// host of URL.
	UnixSocket string
	// HTTP is the version that is spoken.
	HTTP Version
	TLS  TLSOptions
	// H2Conns is how many connections carry HTTP/2 to each address, for each
	// event loop; 0 opens another one when all carry as many requests as the
	// service allows.
	H2Conns int
	// ForceGoroutineEngine takes the portable engine where a better one exists.
	ForceGoroutineEngine bool
}

// loopRate is the rate in requests per second that is given to one event loop
// before another one is added. A loop can do about four times as much on
// loopback; the rest is room for the instants at which it is late.
const loopRate = 15000

// lookUpLimit bounds the look-up of the host's name.
const lookUpLimit = 10 * time.Second

// Client offers load to one origin over HTTP/1.1 or HTTP/2, with or without TLS.
// It is an [Offerer]. A Client holds no connections between runs; runs of one Client
// may overlap.
type Client struct {
	opts  Options
	url   *url.URL
	msgs  []message
	mix   *alias
	tally *tally // of all kinds, empty
	addrs []address
	// spread says that the addresses are replicas.
	spread bool
	rules  *ruleSet
	sec    *security // nil without TLS

	mu sync.Mutex
	// agreed is what TLS agreed on with the service; auto until it was asked.
	agreed Version
}

var _ Offerer = (*Client)(nil)

// New prepares a client: it reads the URL, looks the host up, checks that load
// may go there and makes the request's bytes. It opens no connection.
func New(o Options) (*Client, error) {
	if err := o.unixURL(); err != nil {
		return nil, err
	}
	u, err := parseURL(o.URL)
	if err != nil {
		return nil, err
	}
	if err := o.checkTransport(u); err != nil {
		return nil, err
	}
	if o.Loops < 0 {
		return nil, fault.Usagef("expected a number of loops of 0 or more, found %d", o.Loops)
	}
	c := &Client{opts: o, url: u, rules: newRuleSet(o.Degraded)}
	if c.msgs, err = messages(u, &o); err != nil {
		return nil, err
	}
	c.mix, c.tally = newAlias(c.msgs), newTally(c.msgs)
	resolve := o.Resolve
	if resolve == nil {
		resolve = systemResolve
	}
	ctx, cancel := context.WithTimeout(context.Background(), lookUpLimit)
	defer cancel()
	if c.sec, err = newSecurity(u, &o.TLS); err != nil {
		return nil, err
	}
	return c, c.locate(ctx, resolve)
}

// RequestBytes returns the bytes of the request as they are sent; of the first
// one, where there are several.
func (c *Client) RequestBytes() []byte { return append([]byte(nil), c.msgs[0].bytes...) }

// minConns is the least bound on connections: at low rates chance alone can
// have many times the mean number of requests under way.
const minConns = 64

// ConnBound returns the most connections that a run may hold at once: 1.5 times
// as many requests as can be under way at the peak rate if none is answered
// before its deadline. With fewer, requests would wait for each other and the
// loop would no longer be open.
func (o *Offer) ConnBound() int {
	if o.MaxConns > 0 {
		return o.MaxConns
	}
	waiting := o.Timeout.Seconds() * float64(1+o.Retries)
	if o.ProbeShare > 0 && o.ProbeDeadline > o.Timeout {
		waiting += o.ProbeShare * (o.ProbeDeadline - o.Timeout).Seconds()
	}
	return int(math.Ceil(1.5*o.PeakRate*waiting-1e-6)) + minConns
}

// check refuses an offer that makes no sense.
func (o *Offer) check() error {
	switch {
	case o.Timeout <= 0:
		return fault.Usagef("expected a timeout over 0, found %v", o.Timeout)
	case !(o.PeakRate > 0) || math.IsInf(o.PeakRate, 1):
		return fault.Usagef("expected a peak rate over 0, found %v", o.PeakRate)
	case len(o.Thresholds) > outcome.MaxThresholds:
		return fault.Usagef("expected at most %d latency thresholds, found %d", outcome.MaxThresholds, len(o.Thresholds))
	case o.Arrivals > Replay:
		return fault.Usagef("unknown law of arrivals %d", o.Arrivals)
	case (o.Arrivals == Replay) != (o.Trace != nil):
		return fault.Usagef("expected a trace of arrivals with their replay, and with nothing else")
	case o.Arrivals == Closed && o.MaxConns <= 0:
		return fault.Usagef("a closed loop needs a number of connections")
	case !(o.ProbeShare >= 0 && o.ProbeShare <= 1):
		return fault.Usagef("expected a probe share of 0 to 1, found %v", o.ProbeShare)
	case o.Retries < 0 || o.Retries > 100:
		return fault.Usagef("expected 0 to 100 retries, found %d", o.Retries)
	case o.RetryAfter < 0:
		return fault.Usagef("expected a wait before a retry of 0 or more, found %v", o.RetryAfter)
	case o.MaxConns < 0:
		return fault.Usagef("expected a bound on connections of 0 or more, found %d", o.MaxConns)
	}
	for _, t := range o.Thresholds {
		if t <= 0 || t > o.Timeout {
			return fault.Usagef("expected latency thresholds over 0 and up to the timeout of %v, found %v", o.Timeout, t)
		}
	}
	return nil
}

// loops decides on how many event loops carry the offer.
func (c *Client) loops(o *Offer) int {
	n := c.opts.Loops
	if n == 0 {
		n = min(int(o.PeakRate*float64(1+o.Retries)/loopRate)+1, runtime.NumCPU())
		if o.Arrivals == Closed {
			n = 1
		}
	}
	return max(1, min(n, o.ConnBound()))
}

// Offer implements [Offerer].
func (c *Client) Offer(ctx context.Context, o Offer, p Pilot) (*Result, error) {
	if err := o.check(); err != nil {
		return nil, err
	}
	v := c.version(ctx, o.Timeout)
	if err := checkFiles(o.files(v == Version2 || v == VersionH2C)); err != nil {
		return nil, err
	}
	r, err := newRun(c, &o, p, v)
	if err != nil {
		return nil, err
	}
	return r.offer(ctx)
}
