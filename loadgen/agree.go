package loadgen

import (
	"context"
	"crypto/tls"
	"net"
	"time"
)

// agreeLimit bounds the connection by which the version is agreed on.
const agreeLimit = 5 * time.Second

const (
	protoH1 = "http/1.1"
	protoH2 = "h2"
)

// version decides what a run speaks. Where TLS is to agree on it, the service is
// asked once, on a connection of its own that carries no request: otherwise the
// first requests would not know how many of them a connection takes. A service
// that cannot be asked is spoken to in HTTP/1.1 for now.
func (c *Client) version(ctx context.Context) Version {
	switch {
	case c.opts.HTTP != VersionAuto:
		return c.opts.HTTP
	case c.sec == nil:
		return Version1
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.agreed == VersionAuto {
		c.agreed = c.ask(ctx)
	}
	if c.agreed == VersionAuto {
		return Version1
	}
	return c.agreed
}

// ask returns what the first address that answers agrees on; auto when none does.
func (c *Client) ask(ctx context.Context) Version {
	ctx, cancel := context.WithTimeout(ctx, agreeLimit)
	defer cancel()
	sec := c.sec.speaking(protoH2, protoH1)
	for _, a := range c.addrs {
		var d net.Dialer
		nc, err := d.DialContext(ctx, a.network(), a.dialName())
		if err != nil {
			continue
		}
		tc := tls.Client(nc, sec.config)
		err = tc.HandshakeContext(ctx)
		agreed := tc.ConnectionState().NegotiatedProtocol
		reset(nc)
		switch {
		case err != nil:
			continue
		case agreed == protoH2:
			return Version2
		}
		return Version1
	}
	return VersionAuto
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
	return l.open
}
