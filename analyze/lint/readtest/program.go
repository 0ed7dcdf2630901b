package readtest

import (
	"bytes"
	"context"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

// Backends starts servers that answer each request with a status, and counts the
// requests of all of them.
func Backends(t *testing.T, n, status int) (addresses []string, requests *atomic.Int64) {
	t.Helper()
	requests = &atomic.Int64{}
	for range n {
		s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			_, _ = io.Copy(io.Discard, r.Body)
			requests.Add(1)
			w.WriteHeader(status)
		}))
		t.Cleanup(s.Close)
		addresses = append(addresses, strings.TrimPrefix(s.URL, "http://"))
	}
	return addresses, requests
}

// patience is how long a program may take until it listens. It bounds a test that
// fails; one that passes does not wait for it.
const patience = 10 * time.Second

// Dir is a directory whose path is short enough for a Unix socket in it.
func Dir(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "k")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	return dir
}

// Ask starts a program that listens on a Unix socket, sends it one request, and ends
// the program. The program that a reader is for shows so what its settings do.
func Ask(t *testing.T, socket, method, program string, args ...string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	cmd := exec.CommandContext(ctx, program, args...)
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() {
		cancel()
		_ = cmd.Wait()
		if t.Failed() {
			t.Logf("%s", out.String())
		}
	}()
	client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true, DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
		for {
			c, err := (&net.Dialer{}).DialContext(ctx, "unix", socket)
			if err == nil || ctx.Err() != nil {
				return c, err
			}
			time.Sleep(5 * time.Millisecond)
		}
	}}}
	req, err := http.NewRequestWithContext(ctx, method, "http://program/", strings.NewReader("body"))
	if err != nil {
		t.Fatal(err)
	}
	resp, err := client.Do(req)
	if err != nil {
		t.Errorf("%s: %v", program, err)
		return
	}
	_ = resp.Body.Close()
}
