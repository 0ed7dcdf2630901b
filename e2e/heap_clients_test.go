//go:build e2e

package e2e

import (
	"fmt"
	"io"
	"iter"
	"net"
	"os"
	"syscall"
	"testing"
	"time"
)

// clients are connections to a server.
type clients struct{ conns []net.Conn }

func (c *clients) close() {
	for _, conn := range c.conns {
		// No packets after the end, and no port that waits for late ones.
		_ = conn.(*net.TCPConn).SetLinger(0)
		_ = conn.Close()
	}
	c.conns = nil
}

// flood is [clients.flood] by clients that stay until the test ends.
func flood(t *testing.T, port, count, perSecond int) (first, last int64) {
	t.Helper()
	var c clients
	t.Cleanup(c.close)
	return c.flood(t, port, count, perSecond)
}

// ahead is how many of a flood connect before the first request is sent.
const ahead = 40

// flood opens connections to a port at a steady rate, sends one request on each
// and leaves them open. It returns when the first and the
// last were sent, in epoch milliseconds.
func (c *clients) flood(t *testing.T, port, count, perSecond int) (first, last int64) {
	t.Helper()
	var conns []net.Conn
	for i, conn := range c.open(t, port, count, perSecond) {
		if conns = append(conns, conn); i+1 < ahead {
			continue
		}
		if i+1 == ahead {
			time.Sleep(200 * time.Millisecond) // They are all accepted by then.
			first = time.Now().UnixMilli()
		}
		for _, conn := range conns {
			// The server may have refused it and closed it already.
			_, _ = io.WriteString(conn, "GET /order HTTP/1.1\r\nHost: shop\r\nUser-Agent: e2e\r\nAccept: */*\r\n\r\n")
		}
		conns, last = conns[:0], time.Now().UnixMilli()
	}
	return first, last
}

// open opens connections to a port at a steady rate.
func (c *clients) open(t *testing.T, port, count, perSecond int) iter.Seq2[int, net.Conn] {
	t.Helper()
	var limit syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_NOFILE, &limit); err != nil {
		t.Fatal(err)
	}
	if limit.Max < uint64(count)+1000 {
		if os.Getenv("CI") == "true" {
			t.Fatalf("only %d files may be open", limit.Max)
		}
		t.Skipf("only %d files may be open", limit.Max)
	}
	return func(yield func(int, net.Conn) bool) {
		started := time.Now()
		for i := range count {
			time.Sleep(time.Until(started.Add(time.Duration(i) * time.Second / time.Duration(perSecond))))
			conn, err := net.DialTimeout("tcp", fmt.Sprintf("127.0.0.1:%d", port), 10*time.Second)
			if err != nil {
				t.Fatalf("after %d connections: %v", i, err)
			}
			c.conns = append(c.conns, conn)
			if !yield(i, conn) {
				return
			}
		}
	}
}
