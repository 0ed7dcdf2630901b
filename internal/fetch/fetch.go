// Package fetch gets the profiles of a running Go service from net/http/pprof:
// all that tell of memory and of waiting, or a single one; or another text, such as
// its metrics. It reads no more than is allowed, goes to no other host than the one
// it was given, and does not take apart what it gets.
package fetch

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"path"
	"strings"
	"syscall"
	"time"

	"example.com/kneeline/internal/fault"
)

// Defaults and limits.
const (
	// DefaultTimeout bounds each request, from connecting to the last byte.
	DefaultTimeout = 30 * time.Second
	// DefaultMaxBytes bounds each answer. The text of all goroutines is cut by the
	// runtime at 64 MiB.
	DefaultMaxBytes = 96 << 20
	// maxRedirects bounds those that stay on the host.
	maxRedirects = 3
	// maxHeader bounds the header of an answer.
	maxHeader = 64 << 10
)

// Options say what may be fetched, and from where.
type Options struct {
	// Stacks also fetches the text of all goroutines, for which the service stops
	// while it is written.
	Stacks bool
	// Timeout bounds each request; 0 is DefaultTimeout.
	Timeout time.Duration
	// MaxBytes bounds each answer; 0 is DefaultMaxBytes.
	MaxBytes int64
	// AllowHost is asked before anything goes to an address that is not loopback;
	// nil refuses all.
	AllowHost func(host string, addr netip.Addr) bool
}

// Profile is one answer.
type Profile struct {
	// Name is its URL.
	Name string
	Data []byte
}

// wanted are the profiles that are fetched of a service. Without the first two
// there is no answer; the others are there only where the service turned them on.
var wanted = []string{"goroutine", "heap", "block", "mutex"}

// stacksQuery is of the text of all goroutines.
const stacksQuery = "debug=2"

// Profiles fetches from a URL. One that ends in a slash, in /debug/pprof, or has no
// path stands for all profiles of the service, any other for itself. Profiles that
// could be fetched are returned beside the error about the others.
func Profiles(ctx context.Context, rawURL string, o Options) ([]Profile, error) {
	u, err := parse(rawURL)
	if err != nil {
		return nil, err
	}
	f := newFetcher(u, o)
	defer f.client.CloseIdleConnections()
	urls, all := expand(u, o.Stacks)
	var out []Profile
	var errs []error
	for i, one := range urls {
		data, err := f.get(ctx, one)
		if err != nil {
			var missing *statusError
			if all && i >= 2 && errors.As(err, &missing) && missing.code == http.StatusNotFound {
				continue // a service may leave these out
			}
			errs = append(errs, err)
			if !errors.As(err, &missing) {
				break // not even an answer: the others would fail alike
			}
			continue
		}
		out = append(out, Profile{Name: one.String(), Data: data})
	}
	return out, errors.Join(errs...)
}

// parse checks a URL.
func parse(raw string) (*url.URL, error) {
	u, err := url.Parse(raw)
	if err != nil {
		var e *url.Error
		if errors.As(err, &e) {
			err = e.Err
		}
		return nil, fault.Usagef("%q: not a URL: %w", raw, err)
	}
	switch {
	case u.Scheme != "http" && u.Scheme != "https":
		return nil, fault.Usagef("%q: expected http:// or https://, found the scheme %q", raw, u.Scheme)
	case u.Hostname() == "":
		return nil, fault.Usagef("%q: expected a host, found none", raw)
	case u.User != nil:
		return nil, fault.Usagef("%s: expected a URL without user and password", u.Redacted())
	case u.Fragment != "":
		return nil, fault.Usagef("%q: expected a URL without #%s", raw, u.Fragment)
	}
	return u, nil
}

// expand are the URLs that one stands for; all is true when it stands for several.
func expand(u *url.URL, stacks bool) (urls []*url.URL, all bool) {
	if u.RawQuery != "" || u.Path != "" && !strings.HasSuffix(u.Path, "/") && path.Base(u.Path) != "pprof" {
		return []*url.URL{u}, false
	}
	dir := u.Path
	if strings.Trim(dir, "/") == "" {
		dir = "/debug/pprof/"
	}
	for _, name := range wanted {
		one := *u
		one.Path = strings.TrimSuffix(dir, "/") + "/" + name
		urls = append(urls, &one)
	}
	if stacks {
		one := *urls[0]
		one.RawQuery = stacksQuery
		urls = append(urls, &one)
	}
	return urls, true
}

type fetcher struct {
	client   *http.Client
	maxBytes int64
	// text says that what is fetched is no profile.
	text bool
}

func newFetcher(u *url.URL, o Options) *fetcher {
	if o.Timeout <= 0 {
		o.Timeout = DefaultTimeout
	}
	if o.MaxBytes <= 0 {
		o.MaxBytes = DefaultMaxBytes
	}
	return &fetcher{maxBytes: o.MaxBytes, client: Client(u, o)}
}

// Client returns an HTTP client for one service under the rules of this package: it
// goes to no other host, through no proxy, and to no address that is not allowed.
// Of o it takes Timeout, which 0 leaves out, and AllowHost.
func Client(u *url.URL, o Options) *http.Client {
	dialer := &net.Dialer{Control: func(_, address string, _ syscall.RawConn) error {
		return allowed(u.Hostname(), address, o.AllowHost)
	}}
	return &http.Client{
		Timeout: o.Timeout,
		Transport: &http.Transport{
			DialContext: dialer.DialContext, MaxResponseHeaderBytes: maxHeader, TLSHandshakeTimeout: o.Timeout,
			// A profile is packed already, and the text is better measured as it is.
			DisableCompression: true,
		},
		CheckRedirect: func(r *http.Request, via []*http.Request) error {
			if r.URL.Host != u.Host || r.URL.Scheme != u.Scheme {
				return fmt.Errorf("expected an answer, found a redirect to %s://%s", r.URL.Scheme, r.URL.Host)
			}
			if len(via) > maxRedirects {
				return fmt.Errorf("expected an answer, found more than %d redirects", maxRedirects)
			}
			return nil
		},
	}
}

// allowed checks the address that a host resolved to, so that no name leads
// elsewhere.
func allowed(host, address string, allow func(string, netip.Addr) bool) error {
	ap, err := netip.ParseAddrPort(address)
	if err != nil {
		return err
	}
	addr := ap.Addr().Unmap()
	if addr.IsLoopback() || allow != nil && allow(host, addr) {
		return nil
	}
	return &refusedError{host, addr}
}

// refusedError is about a host that was not allowed.
type refusedError struct {
	host string
	addr netip.Addr
}

func (e *refusedError) Error() string {
	return fmt.Sprintf("%s is %s, which is not this machine: nothing is fetched but from loopback unless the host is allowed", e.host, e.addr)
}

// statusError is about an answer that is no profile.
type statusError struct {
	url    string
	code   int
	status string
}

func (e *statusError) Error() string {
	return fmt.Sprintf("%s: expected 200 OK, found %s", e.url, e.status)
}

func (f *fetcher) get(ctx context.Context, u *url.URL) ([]byte, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, u.String(), nil)
	if err != nil {
		return nil, fault.Usagef("%s: %w", u, err)
	}
	resp, err := f.client.Do(req)
	if err != nil {
		return nil, f.failure(u, err)
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		e := fault.NoAnswerf("%w", &statusError{u.String(), resp.StatusCode, resp.Status})
		if resp.StatusCode == http.StatusNotFound && !f.text {
			return nil, fault.WithHint(e, "import net/http/pprof in the service, and give the URL of its /debug/pprof/")
		}
		return nil, e
	}
	data, err := io.ReadAll(io.LimitReader(resp.Body, f.maxBytes+1))
	switch {
	case err != nil:
		return nil, fault.NoAnswerf("%s: the answer broke off after %d bytes: %w", u, len(data), f.cause(err))
	case int64(len(data)) > f.maxBytes:
		return nil, fault.NoAnswerf("%s: expected at most %d bytes, found more", u, f.maxBytes)
	case len(data) == 0:
		return nil, fault.NoAnswerf("%s: expected content, found an empty answer", u)
	}
	return data, nil
}

// failure says why there is no answer.
func (f *fetcher) failure(u *url.URL, err error) error {
	var refused *refusedError
	if errors.As(err, &refused) {
		return fault.WithHint(fault.Usagef("%w", refused), "name it with --allow-host "+refused.host)
	}
	return fault.NoAnswerf("%s: %w", u, f.cause(err))
}

// cause is an error without the URL that the message has already.
func (f *fetcher) cause(err error) error {
	var e *url.Error
	if errors.As(err, &e) {
		if e.Timeout() {
			return fmt.Errorf("no answer within %s", f.client.Timeout)
		}
		return e.Err
	}
	if t, ok := err.(interface{ Timeout() bool }); ok && t.Timeout() {
		return fmt.Errorf("not whole within %s", f.client.Timeout)
	}
	return err
}
