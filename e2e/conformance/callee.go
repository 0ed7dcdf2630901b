//go:build unix

package conformance

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"strconv"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"
)

// Callees are servers that treat every request alike.
type Callees struct {
	Addresses []string
	// requests counts those of all of them.
	requests atomic.Int64
	fault    Fault
}

// Requests returns how many requests there were since it was last asked.
func (c *Callees) Requests() float64 { return float64(c.requests.Swap(0)) }

// Start starts so many callees with a fault, until the test ends.
func Start(t testing.TB, n int, f Fault) *Callees {
	t.Helper()
	c := &Callees{fault: f}
	for range n {
		switch {
		case f.Connects:
			c.Addresses = append(c.Addresses, full(t))
		case f.how == refuses:
			c.Addresses = append(c.Addresses, closed(t))
		default:
			c.Addresses = append(c.Addresses, c.listen(t))
		}
	}
	return c
}

// closed is an address that is taken and where nothing listens.
func closed(t testing.TB) string {
	t.Helper()
	_, address := bound(t)
	return address
}

// bound returns a socket with an address of its own.
func bound(t testing.TB) (fd int, address string) {
	t.Helper()
	fd, err := syscall.Socket(syscall.AF_INET, syscall.SOCK_STREAM, 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = syscall.Close(fd) })
	if err := syscall.Bind(fd, &syscall.SockaddrInet4{Addr: [4]byte{127, 0, 0, 1}}); err != nil {
		t.Fatal(err)
	}
	at, err := syscall.Getsockname(fd)
	if err != nil {
		t.Fatal(err)
	}
	return fd, fmt.Sprintf("127.0.0.1:%d", at.(*syscall.SockaddrInet4).Port)
}

const (
	// mostQueued is how many connections fill an accept queue of length 0, with room for
	// kernels that take a few more.
	mostQueued = 16
	// answersWithin is after how long a connection on loopback was not taken.
	answersWithin = 100 * time.Millisecond
)

// full is an address whose accept queue is full: the kernel drops what asks for a
// connection, as it does for a host that is gone.
func full(t testing.TB) string {
	t.Helper()
	fd, address := bound(t)
	if err := syscall.Listen(fd, 0); err != nil {
		t.Fatal(err)
	}
	for range mostQueued {
		c, err := net.DialTimeout("tcp", address, answersWithin)
		if err != nil {
			return address
		}
		t.Cleanup(func() { _ = c.Close() })
	}
	t.Fatal("the accept queue does not fill")
	return ""
}

func (c *Callees) listen(t testing.TB) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	var open sync.Map
	t.Cleanup(func() {
		_ = l.Close()
		open.Range(func(conn, _ any) bool { _ = conn.(net.Conn).Close(); return true })
	})
	go func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			open.Store(conn, true)
			go func() {
				defer open.Delete(conn)
				defer conn.Close()
				c.serve(conn)
			}()
		}
	}()
	return l.Addr().String()
}

// serve treats one connection. What is silent speaks no protocol at all, so that it can
// be behind FastCGI and the like too.
func (c *Callees) serve(conn net.Conn) {
	if c.fault.Reads {
		if n, _ := conn.Read(make([]byte, 1)); n == 1 {
			c.requests.Add(1)
		}
		_, _ = io.Copy(io.Discard, conn) // until the other side gives up
		return
	}
	r, err := http.ReadRequest(bufio.NewReader(conn))
	if err != nil {
		return
	}
	_, _ = io.Copy(io.Discard, r.Body)
	c.requests.Add(1)
	time.Sleep(time.Duration(c.fault.Takes * float64(time.Second)))
	switch c.fault.how {
	case closes:
	case junk:
		_, _ = io.WriteString(conn, "HTTP/1.1 200 OK\r\n\x00: \x01\r\n\r\n")
	case trickles:
		_, _ = io.WriteString(conn, "HTTP/1.1 200 OK\r\nContent-Length: "+strconv.Itoa(trickleBytes)+"\r\nConnection: close\r\n\r\n")
		for range trickleBytes {
			time.Sleep(trickle)
			if _, err := io.WriteString(conn, "x"); err != nil {
				return
			}
		}
	default:
		status := max(c.fault.Status, http.StatusOK)
		_, _ = fmt.Fprintf(conn, "HTTP/1.1 %d %s\r\nContent-Length: 0\r\nConnection: close\r\n\r\n", status, http.StatusText(status))
	}
}

// A callee that trickles answers so many bytes, each after the time of trickle.
const (
	trickleBytes = 5
	trickle      = 400 * time.Millisecond
)

// TrickleSeconds is how long such an answer takes.
const TrickleSeconds = trickleBytes * float64(trickle) / float64(time.Second)
