package loadgen

import (
	"crypto/tls"
	"errors"
	"io"
	"net"
	"sync"
	"time"
)

// This file lets crypto/tls work without waiting: bytes are pushed to it as the
// event loop reads them, and pulled from it when they are to be written. Only the
// handshake waits, on a goroutine of its own.

// errNoBytes is what crypto/tls sees when the socket has nothing for it now. It
// takes a temporary error as one after which it can be asked again, with what came
// of a record kept.
var errNoBytes net.Error = noBytes{}

type noBytes struct{}

func (noBytes) Error() string   { return "no bytes yet" }
func (noBytes) Timeout() bool   { return true }
func (noBytes) Temporary() bool { return true }

// tlsLink is the TLS of one connection of an event loop. The loop's lock guards
// it; the handshake's goroutine holds it while it moves bytes.
type tlsLink struct {
	mu   *sync.Mutex // the loop's
	some sync.Cond   // there are bytes, or there will be none
	conn *tls.Conn

	shaking bool
	in      []byte // from the service; of the loop's buffer once it is not shaking
	end     error  // after in
	out     []byte // to the service
	// push writes what is in out, as far as it goes. It is called with the lock
	// held and drops what is for a connection that is gone.
	push func()
	cost shakeCost
}

func newTLSLink(l *loop, push func(), cpu func() int64) *tlsLink {
	k := &tlsLink{mu: &l.mu, shaking: true, push: push}
	k.cost = shakeCost{clock: l.clock, cpu: cpu, began: l.clock()}
	k.some.L = k.mu
	k.conn = tls.Client((*tlsPipe)(k), l.sec.config)
	return k
}

// shake does the handshake. It must be called without the lock.
func (k *tlsLink) shake() error {
	k.cost.work()
	defer k.cost.rest()
	return k.conn.Handshake()
}

// stop makes a handshake that goes on end with err, after what has come. The lock
// is held.
func (k *tlsLink) stop(err error) {
	k.cost.came(len(k.in) == 0 && k.end == nil)
	if k.end == nil {
		k.end = err
	}
	k.some.Broadcast()
}

// give hands over bytes to a handshake that goes on.
func (k *tlsLink) give(b []byte) {
	k.cost.came(len(k.in) == 0 && k.end == nil)
	k.in = append(k.in, b...)
	k.some.Broadcast()
}

// read reads what was sent, as far as whole records have come. cause is
// CauseNoNotify when the service closed the connection and not TLS before it.
func (k *tlsLink) read(b []byte) (n int, ended bool, cause string) {
	n, err := k.conn.Read(b)
	switch {
	case err == nil, errors.Is(err, errNoBytes):
		return n, false, ""
	case errors.Is(err, io.ErrUnexpectedEOF), err == io.EOF && k.end != nil:
		return n, true, CauseNoNotify
	case err == io.EOF:
		return n, true, ""
	}
	return n, true, recordCause(err)
}

// tlsPipe is a tlsLink as crypto/tls sees it: a connection.
type tlsPipe tlsLink

func (p *tlsPipe) Read(b []byte) (int, error) {
	if p.shaking {
		p.cost.rest()
		defer p.cost.work()
		p.mu.Lock()
		defer p.mu.Unlock()
		if len(p.in) == 0 && p.end == nil {
			began := p.cost.clock()
			for len(p.in) == 0 && p.end == nil {
				p.some.Wait()
			}
			p.cost.waited += p.cost.last - began
		}
	}
	if len(p.in) == 0 {
		if p.end != nil {
			return 0, p.end
		}
		return 0, errNoBytes
	}
	n := copy(b, p.in)
	p.in = p.in[n:]
	return n, nil
}

func (p *tlsPipe) Write(b []byte) (int, error) {
	if p.shaking {
		p.cost.rest()
		defer p.cost.work()
		p.mu.Lock()
		defer p.mu.Unlock()
		p.out = append(p.out, b...)
		p.push()
		return len(b), nil
	}
	p.out = append(p.out, b...)
	return len(b), nil
}

func (p *tlsPipe) Close() error                     { return nil }
func (p *tlsPipe) LocalAddr() net.Addr              { return nil }
func (p *tlsPipe) RemoteAddr() net.Addr             { return nil }
func (p *tlsPipe) SetDeadline(time.Time) error      { return nil }
func (p *tlsPipe) SetReadDeadline(time.Time) error  { return nil }
func (p *tlsPipe) SetWriteDeadline(time.Time) error { return nil }
