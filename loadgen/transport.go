package loadgen

import (
	"crypto/tls"
	"crypto/x509"
	"net/netip"
	"net/url"
	"strings"

	"example.com/kneeline/internal/fault"
	"example.com/kneeline/internal/hist"
	"example.com/kneeline/internal/outcome"
)

// Version is the version of HTTP that is spoken.
type Version uint8

const (
	// VersionAuto takes what the service prefers: HTTP/2 where TLS agrees on it
	// (ALPN), else HTTP/1.1.
	VersionAuto Version = iota
	// Version1 is HTTP/1.1, with or without TLS.
	Version1
	// Version2 is HTTP/2 over TLS; a service that does not agree fails by name.
	Version2
	// VersionH2C is HTTP/2 over plain TCP, with prior knowledge.
	VersionH2C
)

// TLSOptions say how an https:// service is spoken to.
type TLSOptions struct {
	// ServerName is asked for by SNI, and the certificate must be valid for it;
	// empty takes the URL's host.
	ServerName string
	// CA is PEM with the authorities to trust in place of the system's.
	CA []byte
	// Cert and Key are PEM of the client's certificate, which may have its chain
	// behind it; both or none.
	Cert, Key []byte
	// Insecure takes any certificate.
	Insecure bool
}

// Pin says to which addresses a host and port go, in place of a resolver's.
type Pin struct {
	Host  string
	Port  uint16
	Addrs []netip.Addr
}

// AddressAccount is what became of the planned requests that went to one address
// of the service.
type AddressAccount struct {
	// Address is IP and port, or unix: and the path of a socket.
	Address string
	// Counts are the planned requests that were taken up for the address: those
	// never sent have none.
	Counts outcome.Counts
	// Causes counts requests of class failed by cause.
	Causes map[string]uint64
	// Latency is the time from the planned instant to the end, in ns, of requests
	// of the classes full and degraded.
	Latency hist.Hist
	// Conns is how many connections were opened to the address, or tried.
	Conns uint64
	// Seconds is the account by the second of the run for which requests were
	// planned: what happens to all addresses at once is told from what happens to
	// one by it.
	Seconds []AddressSecond
}

// AddressSecond counts the requests to one address that were planned in one second
// of the run and have ended.
type AddressSecond struct {
	// Bad are those that were not answered in full or degraded.
	Planned, Bad uint32
	// LatencySum is the sum of the times from the planned instant to the end of
	// the others, in seconds.
	LatencySum float64
}

// Session is what the connections of a run agreed on with the service.
type Session struct {
	// Protocol is HTTP/1.1 or HTTP/2. TLS is its version, such as TLS 1.3, on the
	// first connection that was made; empty where none was.
	Protocol, TLS string
	// Handshakes counts the TLS handshakes that succeeded, Resumed those among
	// them that went on from an earlier session.
	Handshakes, Resumed uint64
	// Insecure says that certificates were not looked at.
	Insecure bool
}

// merge adds the session of another loop.
func (s *Session) merge(o *Session) {
	s.Protocol = o.Protocol
	if s.TLS == "" {
		s.TLS = o.TLS
	}
	s.Handshakes += o.Handshakes
	s.Resumed += o.Resumed
	s.Insecure = s.Insecure || o.Insecure
}

// security is the TLS side of a client; nil for a service without TLS.
type security struct {
	config *tls.Config
}

// speaking returns the same with the protocols that are offered to the service.
func (s *security) speaking(protocols ...string) *security {
	if s == nil {
		return nil
	}
	c := s.config.Clone()
	c.NextProtos = protocols
	return &security{config: c}
}

// newSecurity reads the options into a configuration for the URL's host.
func newSecurity(u *url.URL, o *TLSOptions) (*security, error) {
	if u.Scheme != "https" {
		if o.ServerName != "" || o.CA != nil || o.Cert != nil || o.Key != nil || o.Insecure {
			return nil, fault.Usagef("settings of TLS need a URL that begins with https://, found %q", u.Scheme+"://")
		}
		return nil, nil
	}
	c := &tls.Config{
		ServerName: o.ServerName, InsecureSkipVerify: o.Insecure, MinVersion: tls.VersionTLS12,
		// Real clients come back with the ticket of their last session.
		ClientSessionCache: tls.NewLRUClientSessionCache(64),
	}
	if c.ServerName == "" {
		c.ServerName = strings.TrimSuffix(u.Hostname(), ".")
	}
	if o.CA != nil {
		c.RootCAs = x509.NewCertPool()
		if !c.RootCAs.AppendCertsFromPEM(o.CA) {
			return nil, fault.Usagef("expected certificates in PEM as the authorities to trust, found none")
		}
	}
	if (o.Cert == nil) != (o.Key == nil) {
		return nil, fault.Usagef("a client certificate needs its key, and a key its certificate: expected both, found one")
	}
	if o.Cert != nil {
		pair, err := tls.X509KeyPair(o.Cert, o.Key)
		if err != nil {
			return nil, fault.Usagef("client certificate and key: %w", err)
		}
		c.Certificates = []tls.Certificate{pair}
	}
	return &security{config: c}, nil
}
