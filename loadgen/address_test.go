package loadgen

import (
	"context"
	"net"
	"net/netip"
	"strings"
	"testing"

	"example.com/kneeline/internal/fault"
)

func resolveTo(addrs ...string) resolveFunc {
	return func(context.Context, string) ([]netip.Addr, error) {
		var out []netip.Addr
		for _, a := range addrs {
			out = append(out, netip.MustParseAddr(a))
		}
		return out, nil
	}
}

func TestNewErrors(t *testing.T) {
	unknown := func(context.Context, string) ([]netip.Addr, error) {
		return nil, &net.DNSError{Err: "no such host", IsNotFound: true}
	}
	for _, c := range []struct {
		opts Options
		kind fault.Kind
		want string
	}{
		{Options{URL: ""}, fault.Usage, `expected a URL such as`},
		{Options{URL: "127.0.0.1:80"}, fault.Usage, `expected a URL such as`},
		{Options{URL: "http://127.0.0.1/", TLS: TLSOptions{Insecure: true}}, fault.Usage, "settings of TLS need"},
		{Options{URL: "https://127.0.0.1/", TLS: TLSOptions{CA: []byte("x")}}, fault.Usage, "expected certificates in PEM"},
		{Options{URL: "https://127.0.0.1/", TLS: TLSOptions{Cert: []byte("x")}}, fault.Usage, "a client certificate needs its key"},
		{Options{URL: "https://127.0.0.1/", TLS: TLSOptions{Cert: []byte("x"), Key: []byte("y")}}, fault.Usage, "client certificate and key"},
		{Options{URL: "https://127.0.0.1/", HTTP: VersionH2C}, fault.Usage, "h2c is HTTP/2 without TLS"},
		{Options{URL: "http://127.0.0.1/", HTTP: Version2}, fault.Usage, "HTTP/2 by agreement needs TLS"},
		{Options{URL: "http://127.0.0.1/", H2Conns: -1}, fault.Usage, "connections of 0 or more"},
		{Options{URL: "h2c://127.0.0.1/"}, fault.Usage, `begins with http:// or https://, found "h2c://"`},
		{Options{URL: "unix:"}, fault.Usage, "expected a socket as unix:"},
		{Options{URL: "unix:/a:b"}, fault.Usage, "expected a socket as unix:"},
		{Options{URL: "unix:/a:/b", UnixSocket: "/c"}, fault.Usage, "expected one unix socket"},
		{Options{URL: "http://x/", UnixSocket: "/" + strings.Repeat("x", 107)}, fault.Usage, "at most 107 bytes"},
		{Options{URL: "http://x/", UnixSocket: "/x", Pins: []Pin{{}}}, fault.Usage, "no pinned addresses beside it"},
		{Options{URL: "http://x:81/", Pins: []Pin{{Host: "X", Port: 81, Addrs: []netip.Addr{netip.MustParseAddr("10.9.9.9")}}}}, fault.Usage, "x is 10.9.9.9, which is not this machine"},
		{Options{URL: "http:///x"}, fault.Usage, "names no host"},
		{Options{URL: "http://u:secret@127.0.0.1/"}, fault.Usage, "credentials in a URL"},
		{Options{URL: "http://[fe80::1%25eth0]/"}, fault.Usage, "zones are not supported"},
		{Options{URL: "http://127.0.0.1:0/"}, fault.Usage, "port of 1 to 65535"},
		{Options{URL: "http://127.0.0.1:99999/"}, fault.Usage, "port of 1 to 65535"},
		{Options{URL: "http://127.0.0.1:x/"}, fault.Usage, "bad URL"},
		{Options{URL: "http://127.0.0.1/", Method: "GE T"}, fault.Usage, "expected a method"},
		{Options{URL: "http://127.0.0.1/", Method: "CONNECT"}, fault.Usage, "CONNECT is not supported"},
		{Options{URL: "http://127.0.0.1/", Headers: []Header{{"A\r\nB", "x"}}}, fault.Usage, "expected a header name"},
		{Options{URL: "http://127.0.0.1/", Headers: []Header{{"A", "x\r\nB: y"}}}, fault.Usage, "control character"},
		{Options{URL: "http://127.0.0.1/", Headers: []Header{{"content-length", "1"}}}, fault.Usage, "set from the body"},
		{Options{URL: "http://127.0.0.1/", Loops: -1}, fault.Usage, "loops of 0 or more"},
		{Options{URL: "http://10.1.2.3/"}, fault.Usage, "10.1.2.3 is not this machine"},
		{Options{URL: "http://example.test/", Resolve: resolveTo("127.0.0.1", "10.1.2.3")}, fault.Usage, "example.test is 10.1.2.3, which is not this machine"},
		{Options{URL: "http://example.test/", Resolve: resolveTo()}, fault.NoAnswer, "knows no address"},
		{Options{URL: "http://example.test/", Resolve: unknown}, fault.NoAnswer, `unknown host "example.test"`},
	} {
		_, err := New(c.opts)
		if err == nil || !strings.Contains(err.Error(), c.want) || fault.KindOf(err) != c.kind {
			t.Errorf("%q: %v of kind %v, want %q of kind %v", c.opts.URL, err, fault.KindOf(err), c.want, c.kind)
		}
		if err != nil && strings.Contains(err.Error(), "secret") {
			t.Errorf("%q: the error shows the password", c.opts.URL)
		}
	}
}

// TestAllowHost guards that the permission is asked for by name and address.
func TestAllowHost(t *testing.T) {
	var asked []string
	opts := Options{
		URL: "http://shop.test:8080/", Resolve: resolveTo("10.1.2.3"),
		AllowHost: func(host string, a netip.Addr) bool {
			asked = append(asked, host+" "+a.String())
			return true
		},
	}
	c, err := New(opts)
	if err != nil || len(asked) != 1 || asked[0] != "shop.test 10.1.2.3" {
		t.Fatalf("%v, asked %v", err, asked)
	}
	if a := c.Addresses(); len(a) != 1 || a[0] != "10.1.2.3:8080" {
		t.Errorf("addresses %v", a)
	}
	opts.AllowHost = func(string, netip.Addr) bool { return false }
	if _, err := New(opts); err == nil || fault.HintOf(err) == "" {
		t.Errorf("not refused with a hint: %v", err)
	}
}

func TestAddresses(t *testing.T) {
	for url, want := range map[string]string{
		"http://127.0.0.1:8080/x":     "[127.0.0.1:8080]",
		"http://[::1]:8080":           "[[::1]:8080]",
		"http://localhost:81/":        "[127.0.0.1:81 [::1]:81]",
		"http://LOCALHOST./":          "[127.0.0.1:80 [::1]:80]",
		"http://app.localhost/":       "[127.0.0.1:80 [::1]:80]",
		"http://[::ffff:127.0.0.1]/x": "[127.0.0.1:80]",
		"http://127.9.9.9/":           "[127.9.9.9:80]",
		"https://127.9.9.9/":          "[127.9.9.9:443]",
		"https://127.9.9.9:8/":        "[127.9.9.9:8]",
		"unix:/run/x.sock:/y":         "[unix:/run/x.sock]",
		"unix:x.sock":                 "[unix:x.sock]",
	} {
		c, err := New(Options{URL: url})
		if err != nil {
			t.Errorf("%s: %v", url, err)
			continue
		}
		if s := "[" + strings.Join(c.Addresses(), " ") + "]"; s != want {
			t.Errorf("%s goes to %s, want %s", url, s, want)
		}
	}
}

func TestRequestBytes(t *testing.T) {
	for _, c := range []struct {
		opts Options
		want string
	}{
		{Options{URL: "http://127.0.0.1"}, "GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nUser-Agent: kneeline\r\n\r\n"},
		{Options{URL: "http://[::1]:8080/a%20b?q=1#frag"}, "GET /a%20b?q=1 HTTP/1.1\r\nHost: [::1]:8080\r\nUser-Agent: kneeline\r\n\r\n"},
		{
			Options{URL: "http://localhost:1/", Method: "POST", Body: []byte("ab"), Headers: []Header{{"host", "shop"}, {"User-Agent", "me"}, {"X", ""}}},
			"POST / HTTP/1.1\r\nhost: shop\r\nUser-Agent: me\r\nX: \r\nContent-Length: 2\r\n\r\nab",
		},
		{Options{URL: "http://127.0.0.1/", Method: "PUT"}, "PUT / HTTP/1.1\r\nHost: 127.0.0.1\r\nUser-Agent: kneeline\r\nContent-Length: 0\r\n\r\n"},
		{Options{URL: "http://127.0.0.1/", Method: "GET", Body: []byte("x")}, "GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nUser-Agent: kneeline\r\nContent-Length: 1\r\n\r\nx"},
	} {
		cl, err := New(c.opts)
		if err != nil {
			t.Errorf("%s: %v", c.opts.URL, err)
			continue
		}
		if got := string(cl.RequestBytes()); got != c.want {
			t.Errorf("%s:\n got %q\nwant %q", c.opts.URL, got, c.want)
		}
	}
}

func TestParseHeader(t *testing.T) {
	h, err := ParseHeader("X-Key:  a: b ")
	if err != nil || h != (Header{"X-Key", "a: b"}) {
		t.Errorf("%+v, %v", h, err)
	}
	for _, line := range []string{"", "nonsense", "a b: c", ": x", "Transfer-Encoding: chunked"} {
		if _, err := ParseHeader(line); fault.KindOf(err) != fault.Usage || err == nil {
			t.Errorf("%q: %v", line, err)
		}
	}
}
