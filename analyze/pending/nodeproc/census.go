package nodeproc

import (
	"example.com/kneeline/heapdump/v8"
)

// node is the place of a node in a snapshot.
type node = uint32

// members is a set of nodes.
type members struct {
	bits []uint64
	n    int64
}

func newMembers(nodes uint32) *members { return &members{bits: make([]uint64, (int(nodes)+63)/64)} }

func (m *members) has(n node) bool { return m.bits[n>>6]>>(n&63)&1 != 0 }

func (m *members) add(n node) bool {
	if m.has(n) {
		return false
	}
	m.bits[n>>6] |= 1 << (n & 63)
	m.n++
	return true
}

// census is what one pass over the edges finds.
type census struct {
	s *v8.Snapshot
	// open are responses that a socket waits for, begun those of them whose headers
	// were sent; sockets are the connections that wait.
	open, begun, sockets *members
	// streams are open streams of HTTP/2, and sessions what they belong to.
	streams, sessions *members
	// outgoing are requests of this process to others that have a connection.
	outgoing *members
	// chains counts the links from an object to the next of the same class, by the
	// index of the class's name.
	chains map[uint32]int64
	// big are the arrays and tables with many entries, by node.
	big map[node]*container
	// tables are the tables of maps and sets that may be big, with their owner.
	tables map[node]node
	// ticks are the arrays below the queue of process.nextTick, with their entries.
	ticks map[node]int64
	// protos are prototypes of classes, which have the name of the class too.
	protos *members

	fewest int64
	words  words
}

// words are the names that are looked for, by their index.
type words struct {
	httpMessage, header, session, socket, table, next, list, proto, elements word
}

// word is the index of a name, if the snapshot has it.
type word struct {
	index uint32
	there bool
}

func (w word) is(e v8.Edge) bool { return w.there && e.Name == w.index }

// maxBig bounds how many arrays and tables are looked at, maxChains how many classes.
const (
	maxBig    = 1 << 16
	maxChains = 1 << 16
)

func newCensus(s *v8.Snapshot, fewest int64) *census {
	n := s.Nodes()
	c := &census{s: s, fewest: fewest, open: newMembers(n), begun: newMembers(n), sockets: newMembers(n), streams: newMembers(n),
		sessions: newMembers(n), outgoing: newMembers(n), chains: map[uint32]int64{}, big: map[node]*container{}, tables: map[node]node{}, ticks: map[node]int64{}, protos: newMembers(n)}
	find := func(name string) word {
		i, ok := s.WordIndex(name)
		return word{i, ok}
	}
	c.words = words{find("_httpMessage"), find("_header"), find("<symbol kSession>"), find("socket"), find("table"), find("next"), find("list"), find("__proto__"), find("elements")}
	return c
}

// Classes of Node whose objects are looked at.
const (
	clientRequest  = "ClientRequest"
	serverStream   = "ServerHttp2Stream"
	circularBuffer = "FixedCircularBuffer"
)

// take goes over all edges once.
func (c *census) take() error {
	from, slots := node(0), int64(0)
	begun := map[node]bool{}
	err := c.s.Edges(func(e v8.Edge) bool {
		if e.From != from {
			c.array(from, slots)
			from, slots = e.From, 0
		}
		switch e.Kind {
		case v8.Element:
			if c.real(e.To) {
				slots++
			}
		case v8.Property:
			c.property(e, begun)
		case v8.Internal:
			c.internal(e)
		}
		return true
	})
	c.array(from, slots)
	for n := range begun {
		if c.open.has(n) {
			c.begun.add(n)
		}
	}
	return err
}

// real is false for what stands for an empty slot: undefined, null, a hole.
func (c *census) real(n node) bool {
	k := c.s.Kind(n)
	return k != v8.Hidden && k != v8.Shape && k != v8.OtherNode
}

func (c *census) property(e v8.Edge, begun map[node]bool) {
	object := c.s.Kind(e.To) == v8.Object
	switch w := &c.words; {
	case w.httpMessage.is(e) && object:
		if c.s.Class(e.To) == clientRequest {
			c.outgoing.add(e.To)
			return
		}
		c.open.add(e.To)
		c.sockets.add(e.From)
	case w.proto.is(e):
		c.protos.add(e.To)
	case w.header.is(e) && isText(c.s.Kind(e.To)):
		if c.s.Class(e.From) != clientRequest {
			begun[e.From] = true
		}
	case w.session.is(e) && object && c.s.Class(e.From) == serverStream:
		c.streams.add(e.From)
		c.sessions.add(e.To)
	case w.socket.is(e) && object && c.s.Class(e.From) == clientRequest:
		c.outgoing.add(e.From)
	case w.next.is(e) && object && e.From != e.To && c.s.Kind(e.From) == v8.Object && c.s.NameIndex(e.From) == c.s.NameIndex(e.To):
		if _, ok := c.chains[c.s.NameIndex(e.From)]; ok || len(c.chains) < maxChains {
			c.chains[c.s.NameIndex(e.From)]++
		}
	case w.list.is(e) && object && c.s.Class(e.From) == circularBuffer:
		c.ticks[e.To] = 0
	}
}

func isText(k v8.NodeKind) bool { return k == v8.String || k == v8.ConsString || k == v8.SlicedString }

// array notes an object whose slots were counted.
func (c *census) array(n node, slots int64) {
	if slots >= c.fewest && len(c.big) < maxBig {
		c.big[n] = &container{node: n, entries: slots, kind: arrayKind}
	}
}

// slotBytes is the size of a slot where V8 compresses pointers, the smaller of two.
const slotBytes = 4

// internal notes the tables of maps and sets that may have enough entries.
func (c *census) internal(e v8.Edge) {
	if !c.words.table.is(e) || c.s.Size(e.To) < c.fewest*slotBytes || len(c.tables) >= maxBig {
		return
	}
	if class := c.s.Class(e.From); class == "Map" || class == "Set" {
		c.tables[e.To] = e.From
	}
}
