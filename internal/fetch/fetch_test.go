package fetch

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"example.com/kneeline/internal/fault"
)

// service answers each path with what it is asked for; those in missing with 404.
func service(t *testing.T, missing ...string) (*httptest.Server, func() []string) {
	t.Helper()
	var mu sync.Mutex
	var asked []string
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		asked = append(asked, r.URL.RequestURI())
		mu.Unlock()
		for _, m := range missing {
			if strings.HasSuffix(r.URL.Path, m) {
				http.NotFound(w, r)
				return
			}
		}
		fmt.Fprint(w, r.URL.RequestURI())
	}))
	t.Cleanup(s.Close)
	return s, func() []string { mu.Lock(); defer mu.Unlock(); return asked }
}

func TestWhatIsFetched(t *testing.T) {
	all := []string{"/debug/pprof/goroutine", "/debug/pprof/heap", "/debug/pprof/block", "/debug/pprof/mutex"}
	for _, c := range []struct {
		path   string
		stacks bool
		want   []string
	}{
		{"", false, all},
		{"/", false, all},
		{"/debug/pprof", false, all},
		{"/debug/pprof/", true, append(append([]string{}, all...), "/debug/pprof/goroutine?debug=2")},
		{"/admin/pprof/", false, []string{"/admin/pprof/goroutine", "/admin/pprof/heap", "/admin/pprof/block", "/admin/pprof/mutex"}},
		{"/debug/pprof/heap", true, []string{"/debug/pprof/heap"}},
		{"/debug/pprof/mutex?seconds=1", false, []string{"/debug/pprof/mutex?seconds=1"}},
	} {
		s, asked := service(t)
		got, err := Profiles(context.Background(), s.URL+c.path, Options{Stacks: c.stacks})
		if err != nil {
			t.Errorf("%q: %v", c.path, err)
			continue
		}
		if diff := cmp.Diff(c.want, asked()); diff != "" {
			t.Errorf("%q: %s", c.path, diff)
		}
		for i, p := range got {
			if string(p.Data) != c.want[i] || p.Name != s.URL+c.want[i] {
				t.Errorf("%q: %s has %q", c.path, p.Name, p.Data)
			}
		}
	}
}

func TestMissingProfiles(t *testing.T) {
	s, _ := service(t, "block", "mutex")
	got, err := Profiles(context.Background(), s.URL, Options{})
	if err != nil || len(got) != 2 {
		t.Errorf("%d profiles, error %v", len(got), err)
	}
	s, _ = service(t, "heap", "block")
	got, err = Profiles(context.Background(), s.URL, Options{})
	if err == nil || !strings.Contains(err.Error(), "/debug/pprof/heap: expected 200 OK, found 404 Not Found") || len(got) != 2 {
		t.Errorf("%d profiles, error %v", len(got), err)
	}
}

func TestRefusedURLs(t *testing.T) {
	for raw, want := range map[string]string{
		"ftp://127.0.0.1/":         "expected http:// or https://",
		"http:///debug/pprof/":     "expected a host",
		"http://u:pw@127.0.0.1/":   "without user and password",
		"http://127.0.0.1/#x":      "without #x",
		"http://127.0.0.1:port/":   "not a URL",
		"file:///etc/passwd":       "expected http:// or https://",
		"http://u:secret@[::1]:1/": "without user",
	} {
		_, err := Profiles(context.Background(), raw, Options{})
		if err == nil || !strings.Contains(err.Error(), want) || fault.KindOf(err) != fault.Usage {
			t.Errorf("%s: %v, want %q", raw, err, want)
		}
		if err != nil && (strings.Contains(err.Error(), "secret") || strings.Contains(err.Error(), "pw@")) {
			t.Errorf("%s: the password is in the message: %v", raw, err)
		}
	}
}

// No name leads to another machine, and no redirect to another host.
func TestStaysOnTheHost(t *testing.T) {
	other, asked := service(t)
	away := httptest.NewServer(http.RedirectHandler(other.URL+"/heap", http.StatusFound))
	t.Cleanup(away.Close)
	_, err := Profiles(context.Background(), away.URL+"/heap", Options{})
	if err == nil || !strings.Contains(err.Error(), "found a redirect to") {
		t.Errorf("error %v", err)
	}
	if n := len(asked()); n != 0 {
		t.Errorf("the other host was asked %d times", n)
	}
	round := httptest.NewServer(http.RedirectHandler("/heap", http.StatusFound))
	t.Cleanup(round.Close)
	if _, err := Profiles(context.Background(), round.URL+"/heap", Options{}); err == nil || !strings.Contains(err.Error(), "more than 3 redirects") {
		t.Errorf("error %v", err)
	}
}

func TestHostMustBeAllowed(t *testing.T) {
	for _, c := range []struct {
		address string
		allow   func(string, netip.Addr) bool
		ok      bool
	}{
		{"127.0.0.1:80", nil, true},
		{"[::1]:80", nil, true},
		{"[::ffff:127.0.0.1]:80", nil, true},
		{"192.0.2.1:80", nil, false},
		{"192.0.2.1:80", func(h string, _ netip.Addr) bool { return h == "web" }, true},
		{"192.0.2.1:80", func(h string, a netip.Addr) bool { return a == netip.MustParseAddr("192.0.2.2") }, false},
	} {
		if err := allowed("web", c.address, c.allow); (err == nil) != c.ok {
			t.Errorf("%s: %v", c.address, err)
		}
	}
}

func TestBadAnswers(t *testing.T) {
	stop := make(chan struct{})
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/large":
			fmt.Fprint(w, strings.Repeat("x", 200))
		case "/cut":
			w.Header().Set("Content-Length", "100")
			fmt.Fprint(w, "x")
		case "/slow":
			select {
			case <-stop:
			case <-r.Context().Done():
			}
		case "/error":
			http.Error(w, "no", http.StatusInternalServerError)
		}
	}))
	t.Cleanup(s.Close)
	t.Cleanup(func() { close(stop) })
	for path, want := range map[string]string{
		"/large": "expected at most 100 bytes, found more",
		"/cut":   "broke off after 1 bytes",
		"/slow":  "no answer within 200ms",
		"/error": "found 500 Internal Server Error",
		"/empty": "found an empty answer",
	} {
		o := Options{MaxBytes: 100}
		if path == "/slow" {
			o.Timeout = 200 * time.Millisecond // that never ends otherwise
		}
		_, err := Profiles(context.Background(), s.URL+path, o)
		if err == nil || !strings.Contains(err.Error(), want) || fault.KindOf(err) != fault.NoAnswer {
			t.Errorf("%s: %v, want %q", path, err, want)
		}
	}
}

func TestNobodyThere(t *testing.T) {
	s, _ := service(t)
	s.Close()
	got, err := Profiles(context.Background(), s.URL, Options{})
	if err == nil || len(got) != 0 || strings.Count(err.Error(), "refused") != 1 {
		t.Errorf("%d profiles, error %v", len(got), err)
	}
}
