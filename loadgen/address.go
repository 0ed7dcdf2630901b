package loadgen

import (
	"context"
	"errors"
	"net"
	"net/netip"
	"net/url"
	"strconv"
	"strings"

	"example.com/kneeline/internal/fault"
)

// resolveFunc finds the addresses of a host name.
type resolveFunc func(ctx context.Context, host string) ([]netip.Addr, error)

func systemResolve(ctx context.Context, host string) ([]netip.Addr, error) {
	return net.DefaultResolver.LookupNetIP(ctx, "ip", host)
}

// parseURL reads the address of the service and says clearly what is not
// supported.
func parseURL(text string) (*url.URL, error) {
	if strings.HasPrefix(text, unixScheme) {
		return nil, fault.Usagef("expected a socket as unix:/path.sock:/path/of/url, found %q", text)
	}
	if !strings.Contains(text, "://") {
		return nil, fault.Usagef("expected a URL such as http://127.0.0.1:8080/feed, found %q", text)
	}
	u, err := url.Parse(text)
	if err != nil {
		var ue *url.Error
		if errors.As(err, &ue) {
			err = ue.Err
		}
		return nil, fault.Usagef("bad URL %q: %w", text, err)
	}
	switch {
	case u.Scheme != "http" && u.Scheme != "https":
		return nil, fault.Usagef("expected a URL that begins with http:// or https://, found %q", u.Scheme+"://")
	case u.Hostname() == "":
		return nil, fault.Usagef("URL %q names no host", text)
	case u.User != nil:
		return nil, fault.WithHint(fault.Usagef("credentials in a URL are not supported: %s", u.Redacted()),
			"put an Authorization header into a file and name it with -H @FILE")
	case strings.Contains(u.Hostname(), "%"):
		return nil, fault.Usagef("IPv6 zones are not supported: %s", u.Host)
	}
	if _, err := portOf(u); err != nil {
		return nil, err
	}
	return u, nil
}

func portOf(u *url.URL) (uint16, error) {
	p := u.Port()
	switch {
	case p == "" && u.Scheme == "https":
		return 443, nil
	case p == "":
		return 80, nil
	}
	n, err := strconv.ParseUint(p, 10, 16)
	if err != nil || n == 0 {
		return 0, fault.Usagef("expected a port of 1 to 65535, found %q", p)
	}
	return uint16(n), nil
}

// localhostAddrs are the addresses of localhost, whatever a resolver says
// (RFC 6761 section 6.3); a service may listen on either.
var localhostAddrs = []netip.Addr{netip.AddrFrom4([4]byte{127, 0, 0, 1}), netip.IPv6Loopback()}

func isLocalhost(host string) bool {
	host = strings.ToLower(strings.TrimSuffix(host, "."))
	return host == "localhost" || strings.HasSuffix(host, ".localhost")
}

// findAddrs resolves the host of u and refuses what allow does not admit.
func findAddrs(ctx context.Context, u *url.URL, resolve resolveFunc, allow func(string, netip.Addr) bool) ([]netip.AddrPort, error) {
	port, err := portOf(u)
	if err != nil {
		return nil, err
	}
	host := u.Hostname()
	addrs, err := lookUp(ctx, host, resolve)
	if err != nil {
		return nil, err
	}
	out := make([]netip.AddrPort, 0, len(addrs))
	for _, a := range addrs {
		a = a.Unmap()
		if !a.IsLoopback() && (allow == nil || !allow(host, a)) {
			e := fault.Usagef("%s is %s, which is not this machine: load goes only to loopback unless the host is allowed", host, a)
			if host == a.String() {
				e = fault.Usagef("%s is not this machine: load goes only to loopback unless the host is allowed", host)
			}
			return nil, fault.WithHint(e, "name it with --allow-host "+host+" if you may offer load to it")
		}
		out = append(out, netip.AddrPortFrom(a, port))
	}
	return out, nil
}

func lookUp(ctx context.Context, host string, resolve resolveFunc) ([]netip.Addr, error) {
	if a, err := netip.ParseAddr(host); err == nil {
		return []netip.Addr{a}, nil
	}
	if isLocalhost(host) {
		return localhostAddrs, nil
	}
	addrs, err := resolve(ctx, host)
	var de *net.DNSError
	switch {
	case errors.As(err, &de) && de.IsNotFound:
		return nil, fault.NoAnswerf("unknown host %q", host)
	case err != nil:
		return nil, fault.NoAnswerf("cannot look up host %q: %w", host, err)
	case len(addrs) == 0:
		return nil, fault.NoAnswerf("unknown host %q: the resolver knows no address", host)
	}
	return addrs, nil
}
