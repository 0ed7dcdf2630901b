package loadgen

import "net/netip"

// address is where a connection goes.
type address struct {
	ip netip.AddrPort
	// unix is the path of a socket; ip says nothing then.
	unix string
}

func (a address) network() string {
	if a.unix != "" {
		return "unix"
	}
	return "tcp"
}

// dialName is the address as the net package has it.
func (a address) dialName() string {
	if a.unix != "" {
		return a.unix
	}
	return a.ip.String()
}

// String is the address as reports have it.
func (a address) String() string {
	if a.unix != "" {
		return "unix:" + a.unix
	}
	return a.ip.String()
}

// family tells IPv4 and IPv6 apart.
func (a address) family() int {
	if a.ip.Addr().Is6() {
		return 1
	}
	return 0
}

// replicas reports whether addresses stand for several hosts, over which load is
// spread, rather than for one host in two families: that has one of each.
func replicas(addrs []address) bool {
	var n [2]int
	for _, a := range addrs {
		n[a.family()]++
	}
	return n[0] > 1 || n[1] > 1
}

// routes is where the requests of one loop go.
//
// The addresses of one host are alternatives: connections go to the one that took
// the last of them, and an address that takes none is passed over. Those of
// several hosts are replicas: each has its turn at every planned request, and a
// request whose turn meets a dead replica fails, since a client that went on to
// the next one would hide it.
type routes struct {
	addrs []address
	// spread says that the addresses are replicas.
	spread bool
	next   int // whose turn it is
	home   int // of alternatives: the address that last took a connection
	// up says by family whether a connection was ever made, off that the machine
	// has no way to it.
	up, off [2]bool
}

func newRoutes(addrs []address, spread bool, first int) *routes {
	return &routes{addrs: addrs, spread: spread && len(addrs) > 1, next: first % max(1, len(addrs))}
}

// lanes is the number of groups of connections that must not be taken for each
// other.
func (r *routes) lanes() int {
	if r.spread {
		return len(r.addrs)
	}
	return 1
}

// lane is the group of an address.
func (r *routes) lane(addr int) int {
	if r.spread {
		return addr
	}
	return 0
}

// take returns the address for the next request.
func (r *routes) take() int {
	if !r.spread {
		return r.home
	}
	for range r.addrs {
		a := r.next
		r.next = (r.next + 1) % len(r.addrs)
		if !r.off[r.addrs[a].family()] {
			return a
		}
	}
	return r.next
}

// took notes that an address took a connection.
func (r *routes) took(addr int) {
	r.home = addr
	r.up[r.addrs[addr].family()] = true
}

// known reports whether any address ever took a connection.
func (r *routes) known() bool { return r.up[0] || r.up[1] }

// instead returns the address to try after one that gave no connection, of which
// tried were tried for the same request; false when that is the request's end.
func (r *routes) instead(addr, tried int, cause string) (int, bool) {
	if tried >= len(r.addrs) || cause != CauseRefused && cause != CauseUnreachable {
		return 0, false
	}
	if !r.spread {
		return (addr + 1) % len(r.addrs), true
	}
	// A machine without IPv6 is no fault of the replicas.
	f := r.addrs[addr].family()
	if cause != CauseUnreachable || r.up[f] || !r.has(1-f) || r.off[1-f] {
		return 0, false
	}
	r.off[f] = true
	return r.take(), true
}

func (r *routes) has(family int) bool {
	for _, a := range r.addrs {
		if a.family() == family {
			return true
		}
	}
	return false
}
