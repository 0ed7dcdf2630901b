package loadgen

import "net"

// connState is what a connection is doing.
type connState uint8

const (
	connFree connState = iota
	connConnecting
	connBusy    // a request is on it
	connIdle    // kept, ready for the next request
	connClosing // served its last answer; the service is to close it
)

// conn is one connection to the service and the request on it.
type conn struct {
	state  connState
	reused bool // has answered before
	spare  bool // its handshake goes on for no request
	waits  bool // it is to be opened when fewer handshakes are under way
	stage  shakeStage
	born   int64 // when it was opened
	addr   int   // index of the address it goes to
	tried  int   // addresses tried for the request on it
	out    int   // bytes of the request that are written
	idle   int64
	req    request
	msg    *message // what req sends
	rd     reader

	list       *connList
	prev, next *conn

	// What the engines need to find the connection's end.
	slot int32
	gen  uint32 // tells a slot's uses apart
	fd   int
	// queued says that the engine will come back to the connection by itself.
	queued  bool
	nc      net.Conn
	tls     *tlsLink // of the event loop's engine; nil without TLS
	writing bool     // the portable engine is writing what the link gave it

	// Under HTTP/2 a conn is either a link or one stream of it.
	sess *session
	link bool
	id   uint32 // of the stream; 0 before it is opened
	// sendWindow is how much of the body the service takes now, grant what it may
	// send of the answer, unread what of that came and was not granted again.
	sendWindow, grant, unread int64
	uploaded, answered        bool // each side has said all it has to say
}

// connList is a doubly linked list of connections; a connection is on one list
// at most. Deadlines of one kind end in the order in which they began, so that
// a list in that order replaces a timer for each request.
type connList struct {
	head, tail *conn
	n          int
}

func (l *connList) pushBack(c *conn) {
	c.list, c.prev, c.next = l, l.tail, nil
	if l.tail != nil {
		l.tail.next = c
	} else {
		l.head = c
	}
	l.tail = c
	l.n++
}

// unlink takes c off its list, if it is on one.
func (c *conn) unlink() {
	l := c.list
	if l == nil {
		return
	}
	if c.prev != nil {
		c.prev.next = c.next
	} else {
		l.head = c.next
	}
	if c.next != nil {
		c.next.prev = c.prev
	} else {
		l.tail = c.prev
	}
	c.list, c.prev, c.next = nil, nil, nil
	l.n--
}

// connBlock is how many connections are made at a time.
const connBlock = 64

// connPool keeps connections by slot. Slots are used again, the lowest free one
// last.
type connPool struct {
	slots []*conn
	free  []int32
}

func (p *connPool) get() *conn {
	if len(p.free) == 0 {
		block := make([]conn, connBlock)
		for i := len(block) - 1; i >= 0; i-- {
			p.free = append(p.free, int32(len(p.slots)+i))
		}
		for i := range block {
			block[i].slot = int32(len(p.slots))
			p.slots = append(p.slots, &block[i])
		}
	}
	c := p.slots[p.free[len(p.free)-1]]
	p.free = p.free[:len(p.free)-1]
	return c
}

func (p *connPool) put(c *conn) {
	body, line := c.rd.body, c.rd.line
	*c = conn{slot: c.slot, gen: c.gen + 1}
	c.rd.body, c.rd.line = body[:0], line[:0]
	p.free = append(p.free, c.slot)
}
