package gcparse

import "bytes"

// uniText is the text of a line that opens or closes something.
type uniText struct {
	title, cause []byte
	flags        Flags
	heap         Space
	duration     int64
	closed       bool // a duration stands there
}

// uniDuration reads a duration with its unit and nothing after it.
func uniDuration(b []byte) (ns int64, ok bool) {
	_, n, _ := scanFixed(b, 1)
	if n == 0 {
		return 0, false
	}
	scale := int64(0)
	switch string(b[n:]) {
	case "ms":
		scale = 1e6
	case "s":
		scale = 1e9
	case "us":
		scale = 1e3
	case "ns":
		scale = 1
	}
	if scale == 0 {
		return 0, false
	}
	ns, m, _ := scanFixed(b, scale)
	return ns, m == n
}

// parse takes the text apart: a title of words and groups in parentheses, the
// cause in one of them, a heap transition, a duration. What they are does not
// depend on their order.
func (t *uniText) parse(b []byte) {
	*t = uniText{}
	b = bytes.TrimRight(b, " ")
	if at := bytes.LastIndexByte(b, ' ') + 1; at > 0 {
		if d, ok := uniDuration(b[at:]); ok {
			t.duration, t.closed = d, true
			b = bytes.TrimRight(b[:at], " ")
		}
	}
	titled := 0 // end of the title
	plain := true
	for i := 0; i < len(b); {
		switch c := b[i]; {
		case c == ' ':
			i++
		case c == '(':
			group, end := uniGroup(b, i)
			if t.group(group) && plain {
				titled = end
			} else {
				plain = false
			}
			i = end
		case c-'0' < 10 && i > 0 && b[i-1] == ' ':
			n := t.transition(b[i:])
			plain = plain && n == 0
			i += max(n, 1)
		default:
			end := i
			for end < len(b) && b[end] != ' ' {
				end++
			}
			if plain {
				titled = end
			}
			i = end
		}
	}
	t.title = b[:titled]
}

// uniGroup gives what stands in the parenthesis that begins at i, and the place
// after it. One that is not closed goes to the end.
func uniGroup(b []byte, i int) (group []byte, end int) {
	depth := 0
	for end = i; end < len(b); end++ {
		switch b[end] {
		case '(':
			depth++
		case ')':
			if depth--; depth == 0 {
				return b[i+1 : end], end + 1
			}
		}
	}
	return b[i+1:], end
}

// group reads a group in parentheses. It is true for one that is part of the
// title.
func (t *uniText) group(g []byte) bool {
	if len(g) == 0 {
		return false
	}
	switch string(g) {
	case "Normal", "Mixed", "Prepare Mixed", "unload classes", "process weakrefs", "update refs",
		"Young", "Old", "Global", "Major", "Minor", "Mark", "Evacuation", "Update Refs", "Updating Refs",
		"Outside of Cycle", "Roots", "Traversal", "N", "O", "Bootstrap", "Degenerated", "young", "old", "global":
		return true
	case "Concurrent Start", "Initial Mark":
		t.flags |= InitialMark
		return true
	case "Evacuation Failure", "Evacuation Failure: Allocation":
		t.flags |= EvacuationFailure
		return false
	case "Evacuation Failure: Pinned":
		t.flags |= EvacuationFailure | Pinned
		return false
	}
	if hasPrefix(g, "Evacuation Failure") {
		t.flags |= EvacuationFailure
		if bytes.Contains(g, []byte("Pinned")) {
			t.flags |= Pinned
		}
		return false
	}
	if g[0]-'0' < 10 && g[len(g)-1] == 's' {
		return false // (0.020s, 0.026s): begin and end in JDK 9
	}
	t.cause = g
	return false
}

// transition reads 10M->4M(20M) or ZGC's 10M(5%)->4M(2%), and gives its length.
func (t *uniText) transition(b []byte) int {
	before, after, capacity, n := scanTransition(b)
	if n > 0 {
		if n < len(b) && b[n] == '(' {
			_, n = uniGroup(b, n) // a share, not a capacity
		}
		t.heap.set(before, after, capacity)
		return n
	}
	before, m := scanSize(b)
	if m == 0 || m >= len(b) || b[m] != '(' {
		return 0
	}
	_, n = uniGroup(b, m)
	if n+2 > len(b) || b[n] != '-' || b[n+1] != '>' {
		return 0
	}
	after, m = scanSize(b[n+2:])
	if m == 0 {
		return 0
	}
	n += 2 + m
	t.heap.set(before, after, -1)
	if n < len(b) && b[n] == '(' {
		group, end := uniGroup(b, n)
		if c, m := scanSize(group); m > 0 && m == len(group) {
			t.heap.Capacity, t.heap.HasCapacity = c, true
		}
		n = end
	}
	return n
}
