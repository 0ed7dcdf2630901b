//go:build linux && (amd64 || arm64)

package loadgen

import "golang.org/x/sys/unix"

// This file is what the epoll engine does for the loop: it opens, writes to and
// closes sockets.

// open implements transport.
func (e *epollEngine) open(c *conn) (ready bool, cause string) {
	to := e.l.routes.addrs[c.addr]
	fd, errno := dialSocket(to)
	c.fd = fd
	if errno != 0 && errno != unix.EINPROGRESS {
		return false, causeOf(errno)
	}
	ev := unix.EpollEvent{
		Events: unix.EPOLLIN | unix.EPOLLOUT | unix.EPOLLRDHUP | unix.EPOLLET,
		Fd:     c.slot, Pad: int32(c.gen),
	}
	if err := unix.EpollCtl(e.ep, unix.EPOLL_CTL_ADD, fd, &ev); err != nil {
		return false, causeOf(errnoOf(err))
	}
	if errno == 0 && e.l.sec != nil {
		e.shake(c)
		return false, ""
	}
	return errno == 0, ""
}

// write implements transport.
func (e *epollEngine) write(c *conn, b []byte) (n int, cause string) {
	if e.left <= 0 {
		e.later(c)
		return 0, ""
	}
	if c.tls != nil {
		return e.writeTLS(c, b)
	}
	n, errno := send(c.fd, b[:min(len(b), moveSize)])
	if errno == 0 {
		e.left -= n
		if n == moveSize && n < len(b) {
			e.later(c)
		}
		return n, ""
	}
	switch errno {
	case unix.EINTR:
		e.later(c)
		return 0, ""
	case unix.EAGAIN:
		return 0, ""
	}
	return 0, causeOf(errno)
}

// shut implements transport. Sockets are made to be reset when they are
// closed. The slot's number may stay with a socket that could not be made.
func (e *epollEngine) shut(c *conn) {
	if c.tls != nil {
		if c.tls.shaking {
			c.tls.stop(unix.ECONNABORTED)
		}
		c.tls = nil
	}
	if c.fd > 0 {
		unix.Close(c.fd)
		c.fd = 0
	}
}
