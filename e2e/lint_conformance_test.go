//go:build e2e

package e2e

import (
	"context"
	"flag"
	"io"
	"net"
	"net/http"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"example.com/kneeline/analyze/lint/model"
	"example.com/kneeline/analyze/lint/worst"
	"example.com/kneeline/e2e/conformance"
)

var updatePage = flag.Bool("update", false, "write docs/lint/conformance.md anew from the cells")

// conformancePage is the page of what the model was held against.
const conformancePage = "../docs/lint/conformance.md"

// page holds the rows of a program against the page once all cells have run.
func page(t *testing.T, program string, rows []conformance.Row) {
	t.Helper()
	conformance.Page(t, conformancePage, program, rows, *updatePage)
}

// atOnce is how many cells run at a time: they wait, mostly.
const atOnce = 12

// cells runs tests at the same time, more of them than there are processors, and waits
// for all.
type cells struct {
	t    *testing.T
	wait sync.WaitGroup
	free chan struct{}
}

func newCells(t *testing.T) *cells { return &cells{t: t, free: make(chan struct{}, atOnce)} }

func (c *cells) run(name string, f func(t *testing.T)) {
	c.wait.Add(1)
	c.free <- struct{}{}
	go func() {
		defer c.wait.Done()
		c.t.Run(name, f)
		<-c.free
	}()
}

// trickled holds a hop against an answer that comes a byte at a time, each well before
// the limit of a gap, and altogether long after it.
func trickled(c *cells, h *model.Hop, settings, socket string) conformance.Row {
	try, ok := worst.OneTry(h)
	if !ok || !try.Gap || !(h.GapRead.Amount < conformance.TrickleSeconds) {
		c.t.Errorf("%s: expected a limit of gaps alone, found %+v", settings, try)
	}
	c.run("trickle "+settings, func(t *testing.T) {
		conformance.Check(t, conformance.Outcome{Tries: 1, Seconds: conformance.TrickleSeconds}, func(t *testing.T) conformance.Outcome {
			resp, took := ask(t, socket, "GET")
			if resp.StatusCode != http.StatusOK {
				t.Errorf("answered %d", resp.StatusCode)
			}
			return conformance.Outcome{Tries: 1, Seconds: took}
		})
	})
	return conformance.Row{Settings: conformance.Code(settings), Request: "GET, 1 server, which " + conformance.Trickles.Name + ", five in all",
		Model: "limit of a gap: the whole answer comes", Agrees: conformance.Closely}
}

// cellPatience bounds a request of a cell that fails; one that passes does not wait for
// it.
const cellPatience = 30 * time.Second

// ask sends one request over a Unix socket and returns its answer and how long it took.
func ask(t *testing.T, socket, method string) (*http.Response, float64) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), cellPatience)
	defer cancel()
	transport := &http.Transport{DisableKeepAlives: true, DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
		return (&net.Dialer{}).DialContext(ctx, "unix", socket)
	}}
	var body io.Reader
	if method == http.MethodPost || method == http.MethodPut {
		body = strings.NewReader("order")
	}
	req, err := http.NewRequestWithContext(ctx, method, "http://cell/", body)
	if err != nil {
		t.Fatal(err)
	}
	began := time.Now()
	resp, err := transport.RoundTrip(req)
	if err != nil {
		t.Error(err)
		return &http.Response{}, 0
	}
	_, _ = io.Copy(io.Discard, resp.Body)
	took := time.Since(began).Seconds()
	_ = resp.Body.Close()
	return resp, took
}

// idles opens a connection, sends a text, and returns how long it is until the other
// side closes it. What comes before that is read and dropped.
func idles(t *testing.T, network, address, text string) float64 {
	t.Helper()
	c, err := net.DialTimeout(network, address, cellPatience)
	if err != nil {
		t.Error(err)
		return 0
	}
	defer c.Close()
	_ = c.SetDeadline(time.Now().Add(cellPatience))
	if _, err := io.WriteString(c, text); err != nil {
		t.Error(err)
		return 0
	}
	began := time.Now()
	if _, err := io.Copy(io.Discard, c); err != nil && !strings.Contains(err.Error(), "reset") {
		t.Error(err)
	}
	return time.Since(began).Seconds()
}

// inDir joins a name to a directory, shorter than a Unix socket's path may be.
func inDir(dir, name string) string { return filepath.Join(dir, name) }
