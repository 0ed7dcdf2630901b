package gcparse

import "bytes"

// detail reads lines that add to the collection they belong to. It is false for
// a line it does not know.
func (r *uniReader) detail(g *uniGC, body []byte) bool {
	switch body[0] {
	case 'E':
		if rest, ok := uniAfter(body, "Eden regions: "); ok {
			return g.eden.parse(rest)
		}
		if hasPrefix(body, "Evacuation Failure") {
			g.flags |= EvacuationFailure
			return true
		}
	case 'S':
		if rest, ok := uniAfter(body, "Survivor regions: "); ok {
			return g.survivor.parse(rest)
		}
	case 'H':
		if rest, ok := uniAfter(body, "Humongous regions: "); ok {
			return g.humongous.parse(rest)
		}
	case 'O':
		if rest, ok := uniAfter(body, "Old regions: "); ok {
			return g.oldRegions.parse(rest)
		}
		if rest, ok := uniAfter(body, "Old: "); ok {
			return uniSpace(&g.old, rest)
		}
		return hasPrefix(body, "Old Generation ") || string(body) == "Old Generation"
	case 'Y':
		// Generational ZGC: a part of the collection that closes by its own line.
		return hasPrefix(body, "Young Generation")
	case 'A':
		return hasPrefix(body, "Archive regions: ")
	case 'M':
		return r.metaspace(g, body)
	case 'D', 'P', 'T', 'C':
		return r.generation(g, body)
	case 'U':
		return r.workers(g, body)
	}
	return false
}

// generation reads the occupancy of a generation: DefNew: 78K->8K(88K), or with
// the old capacity, DefNew: 78K(88K)->8K(88K) Eden: …
func (r *uniReader) generation(g *uniGC, body []byte) bool {
	colon := bytes.IndexByte(body, ':')
	if colon < 0 {
		switch {
		case hasPrefix(body, "To-space exhausted"):
			g.flags |= ToSpaceExhausted
			return true
		case hasPrefix(body, "Promotion failed"):
			g.flags |= PromotionFailed
			return true
		}
		return hasPrefix(body, "Clearing All SoftReferences")
	}
	rest := bytes.TrimLeft(body[colon+1:], " ")
	run := r.out.run()
	switch string(body[:colon]) {
	case "DefNew":
		return uniSpace(&g.young, rest)
	case "PSYoungGen":
		uniKnow(run, Parallel)
		return uniSpace(&g.young, rest)
	case "ParNew":
		uniKnow(run, CMS)
		return uniSpace(&g.young, rest)
	case "Tenured":
		uniKnow(run, Serial)
		return uniSpace(&g.old, rest)
	case "ParOldGen", "PSOldGen":
		uniKnow(run, Parallel)
		return uniSpace(&g.old, rest)
	case "CMS":
		uniKnow(run, CMS)
		return uniSpace(&g.old, rest)
	}
	return false
}

// metaspace reads Metaspace: 20K->20K(1056K), the form of JDK 16 with the old
// capacity, and ZGC's in words; and ZGC's Max Capacity.
func (r *uniReader) metaspace(g *uniGC, body []byte) bool {
	if rest, ok := uniAfter(body, "Max Capacity: "); ok {
		v, n := scanSize(rest)
		g.capacity = v
		return n > 0
	}
	rest, ok := uniAfter(body, "Metaspace: ")
	if !ok {
		return false
	}
	if uniSpace(&g.metaspace, rest) {
		return true
	}
	used, n := scanSize(rest)
	if n == 0 || !hasPrefix(rest[n:], " used") {
		return false
	}
	g.metaspace.set(-1, used, -1)
	return true
}

// uniSpace reads 10K->4K(20K) or 10K(20K)->4K(20K).
func uniSpace(s *Space, b []byte) bool {
	before, n := scanSize(b)
	if n == 0 {
		return false
	}
	if n < len(b) && b[n] == '(' {
		end := bytes.IndexByte(b[n:], ')')
		if end < 0 {
			return false
		}
		n += end + 1
	}
	if !hasPrefix(b[n:], "->") {
		return false
	}
	after, m := scanSize(b[n+2:])
	if m == 0 {
		return false
	}
	n += 2 + m
	capacity := int64(-1)
	if n < len(b) && b[n] == '(' {
		if c, m := scanSize(b[n+1:]); m > 0 {
			capacity = c
		}
	}
	s.set(before, after, capacity)
	return true
}

// parse reads 24->0(150) or 3->5.
func (u *uniRegions) parse(b []byte) bool {
	before, n := scanInt(b)
	if n == 0 || !hasPrefix(b[n:], "->") {
		return false
	}
	after, m := scanInt(b[n+2:])
	if m == 0 {
		return false
	}
	*u = uniRegions{before: before, after: after, capacity: -1, has: true}
	if n += 2 + m; n < len(b) && b[n] == '(' {
		if c, m := scanInt(b[n+1:]); m > 0 {
			u.capacity = c
		}
	}
	return true
}

// regions turns counts of regions into bytes, if their size is known.
func (r *uniReader) regions(g *uniGC, e *Event) {
	if g.eden.has || g.survivor.has || g.oldRegions.has {
		uniKnow(r.out.run(), G1)
	}
	if g.humongous.has {
		e.HumongousBefore, e.HumongousAfter, e.HasHumongous = int32(g.humongous.before), int32(g.humongous.after), true
	}
	size := r.proc.region
	if size == 0 {
		return
	}
	if g.eden.has && g.survivor.has {
		capacity := int64(-1)
		if g.eden.capacity >= 0 {
			capacity = (g.eden.capacity + max(0, g.survivor.capacity)) * size
		}
		e.Young.set((g.eden.before+g.survivor.before)*size, (g.eden.after+g.survivor.after)*size, capacity)
	}
	if g.oldRegions.has {
		e.Old.set(g.oldRegions.before*size, g.oldRegions.after*size, -1)
	}
}

// workers reads Using 8 workers of 8 for evacuation, Using 2 of 2 workers for …,
// and Using 1 Workers for Young Generation.
func (r *uniReader) workers(g *uniGC, body []byte) bool {
	rest, ok := uniAfter(body, "Using ")
	if !ok {
		return false
	}
	n, m := scanInt(rest)
	if m == 0 {
		return hasPrefix(rest, "tenuring threshold")
	}
	lower := bytes.Contains(rest, []byte("orkers"))
	if lower {
		g.workers = int32(min(n, 1<<20))
	}
	return lower
}

// cpu reads User=0.01s Sys=0.00s Real=0.00s, which belongs to the event before
// it with the same number.
func (r *uniReader) cpu(id int64, body []byte) Class {
	p := r.proc
	user, n := scanSeconds(body[len("User="):])
	rest, ok := uniAfter(body[len("User=")+n:], "s Sys=")
	if n == 0 || !ok {
		return UnknownLine
	}
	sys, n := scanSeconds(rest)
	rest, ok = uniAfter(rest[n:], "s Real=")
	if n == 0 || !ok {
		return UnknownLine
	}
	real, n := scanSeconds(rest)
	if n == 0 {
		return UnknownLine
	}
	if p.hasHeld && p.held.ID == id && !p.held.HasCPU {
		p.held.User, p.held.Sys, p.held.Real, p.held.HasCPU = user, sys, real, true
		if p.starts || !p.held.Flags.Any(Full) {
			r.release(p)
		} // else the next line may tell that it was inside another
	}
	return DetailLine
}

// uniAfter gives what follows a prefix.
func uniAfter(b []byte, prefix string) ([]byte, bool) {
	if !hasPrefix(b, prefix) {
		return nil, false
	}
	return b[len(prefix):], true
}
