package loadgen

import (
	"context"
	"net/netip"
	"net/url"
	"strconv"
	"strings"

	"example.com/kneeline/internal/fault"
)

// unixScheme begins the address of a unix socket.
const unixScheme = "unix:"

// unixURL takes unix:/path.sock:/path/of/url apart into a socket and a URL.
func (o *Options) unixURL() error {
	rest, ok := strings.CutPrefix(o.URL, unixScheme)
	if !ok {
		return nil
	}
	path, target, ok := strings.Cut(rest, ":")
	if !ok {
		target = "/"
	}
	if path == "" || strings.HasPrefix(path, "//") || !strings.HasPrefix(target, "/") {
		return fault.Usagef("expected a socket as unix:/path.sock:/path/of/url, found %q", o.URL)
	}
	if o.UnixSocket != "" {
		return fault.Usagef("expected one unix socket, found %s and %s", path, o.UnixSocket)
	}
	o.UnixSocket, o.URL = path, "http://localhost"+target
	return nil
}

// checkTransport refuses versions that the URL's scheme cannot have.
func (o *Options) checkTransport(u *url.URL) error {
	switch {
	case o.HTTP > VersionH2C:
		return fault.Usagef("unknown version of HTTP %d", o.HTTP)
	case o.HTTP == Version2 && u.Scheme != "https":
		return fault.WithHint(fault.Usagef("HTTP/2 by agreement needs TLS: expected a URL that begins with https://, found %q", u.Scheme+"://"),
			"a service that takes HTTP/2 without TLS is spoken to with h2c")
	case o.HTTP == VersionH2C && u.Scheme != "http":
		return fault.Usagef("h2c is HTTP/2 without TLS: expected a URL that begins with http://, found %q", u.Scheme+"://")
	case o.H2Conns < 0:
		return fault.Usagef("expected a number of HTTP/2 connections of 0 or more, found %d", o.H2Conns)
	case o.H2Conns > 0 && (o.HTTP == Version1 || o.HTTP == VersionAuto && u.Scheme == "http"):
		return fault.WithHint(fault.Usagef("a number of HTTP/2 connections says nothing of HTTP/1.1: expected none, found %d", o.H2Conns),
			"a service that takes HTTP/2 without TLS is spoken to with h2c")
	case o.TLS.Insecure && o.TLS.CA != nil:
		return fault.Usagef("authorities to trust say nothing where any certificate is taken: expected one of the two")
	case len(o.UnixSocket) > 107:
		return fault.Usagef("the path of a unix socket has at most 107 bytes, found %d", len(o.UnixSocket))
	case o.UnixSocket != "" && len(o.Pins) > 0:
		return fault.Usagef("a unix socket has no address: expected no pinned addresses beside it, found %d", len(o.Pins))
	}
	return nil
}

// ParsePin reads host:port:address[,address]..., with IPv6 in brackets.
func ParsePin(text string) (Pin, error) {
	bad := func(what, found string) (Pin, error) {
		return Pin{}, fault.Usagef("%q: expected %s, found %q", text, what, found)
	}
	host, rest, ok := strings.Cut(text, ":")
	if strings.HasPrefix(text, "[") {
		if host, rest, ok = strings.Cut(text[1:], "]:"); !ok {
			return bad("host:port:address", text)
		}
	}
	portText, list, ok2 := strings.Cut(rest, ":")
	if !ok || !ok2 || host == "" {
		return bad("host:port:address", text)
	}
	port, err := strconv.ParseUint(portText, 10, 16)
	if err != nil || port == 0 {
		return bad("a port of 1 to 65535", portText)
	}
	p := Pin{Host: host, Port: uint16(port)}
	for _, one := range strings.Split(list, ",") {
		a, err := netip.ParseAddr(strings.TrimSuffix(strings.TrimPrefix(strings.TrimSpace(one), "["), "]"))
		if err != nil || a.Zone() != "" {
			return bad("an IP address", one)
		}
		p.Addrs = append(p.Addrs, a.Unmap())
	}
	return p, nil
}

// locate finds the addresses of the service.
func (c *Client) locate(ctx context.Context, resolve resolveFunc) error {
	if path := c.opts.UnixSocket; path != "" {
		c.addrs = []address{{unix: path}}
		return nil
	}
	port, err := portOf(c.url)
	if err != nil {
		return err
	}
	pinned := false
	pins := func(ctx context.Context, host string) ([]netip.Addr, error) {
		var out []netip.Addr
		for _, p := range c.opts.Pins {
			if p.Port == port && strings.EqualFold(p.Host, host) {
				out = append(out, p.Addrs...)
			}
		}
		if pinned = len(out) > 0; pinned {
			return out, nil
		}
		return lookUp(ctx, host, resolve)
	}
	found, err := findAddrs(ctx, c.url, pins, c.opts.AllowHost)
	if err != nil {
		return err
	}
	seen := map[netip.AddrPort]bool{}
	for _, a := range found {
		if !seen[a] {
			seen[a] = true
			c.addrs = append(c.addrs, address{ip: a})
		}
	}
	c.spread = replicas(c.addrs) || pinned && len(c.addrs) > 1
	return nil
}

// Addresses returns where the load goes, as IP and port, or as unix: and the path
// of a socket. Several are either the families of one host, of which the one that
// takes connections is used, or hosts over which the load is spread.
func (c *Client) Addresses() []string {
	out := make([]string, len(c.addrs))
	for i, a := range c.addrs {
		out[i] = a.String()
	}
	return out
}

// Spread reports whether the load is spread over the addresses.
func (c *Client) Spread() bool { return c.spread }
