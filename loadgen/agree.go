package loadgen

import (
	"context"
	"crypto/tls"
	"net"
	"time"
)

// agreeLimit bounds the connections by which the version is agreed on; the timeout of
// the requests does too.
const agreeLimit = 5 * time.Second

const (
	protoH1 = "http/1.1"
	protoH2 = "h2"
)

// version decides what a run speaks. Where TLS is to agree on it, the service is
// asked once, on a connection of its own that carries no request: otherwise the
// first requests would not know how many of them a connection takes. A service
// that cannot be asked is spoken to in HTTP/1.1 for now.
func (c *Client) version(ctx context.Context, timeout time.Duration) Version {
	switch {
	case c.opts.HTTP != VersionAuto:
		return c.opts.HTTP
	case c.sec == nil:
		return Version1
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.agreed == VersionAuto {
		c.agreed = c.ask(ctx, min(agreeLimit, timeout))
	}
	if c.agreed == VersionAuto {
		return Version1
	}
	return c.agreed
}

// ask returns what the first address that answers agrees on; auto when none does in
// that time, of which each address has an equal part.
func (c *Client) ask(ctx context.Context, within time.Duration) Version {
	sec := c.sec.speaking(protoH2, protoH1)
	for _, a := range c.addrs {
		if v := askOne(ctx, sec, a, within/time.Duration(len(c.addrs))); v != VersionAuto {
			return v
		}
	}
	return VersionAuto
}

// askOne asks one address.
func askOne(ctx context.Context, sec *security, a address, within time.Duration) Version {
	ctx, cancel := context.WithTimeout(ctx, within)
	defer cancel()
	var d net.Dialer
	nc, err := d.DialContext(ctx, a.network(), a.dialName())
	if err != nil {
		return VersionAuto
	}
	defer reset(nc)
	tc := tls.Client(nc, sec.config)
	switch err = tc.HandshakeContext(ctx); {
	case err != nil:
		return VersionAuto
	case tc.ConnectionState().NegotiatedProtocol == protoH2:
		return Version2
	}
	return Version1
}

// secured returns the TLS side of a run that speaks v.
func (c *Client) secured(v Version) *security {
	if v == Version2 {
		return c.sec.speaking(protoH2)
	}
	return c.sec.speaking(protoH1)
}

// agreedOn takes what a connection agreed on into the loop's session, and says
// what speaks against it.
func (l *loop) agreedOn(st *tls.ConnectionState) (cause string) {
	if l.mux != nil && st.NegotiatedProtocol != protoH2 {
		return CauseNoH2
	}
	s := &l.session
	s.TLS, s.Insecure = tls.VersionName(st.Version), l.sec.config.InsecureSkipVerify
	s.Handshakes++
	if st.DidResume {
		s.Resumed++
	}
	return ""
}

// conns is how many connections the loop holds.
func (l *loop) conns() int {
	if l.mux != nil {
		return len(l.mux.all)
	}
	return l.open - l.shakes.held
}
