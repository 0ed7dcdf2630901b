package gcparse

import "bytes"

// The openj9 family is the verbose:gc log of OpenJ9 and IBM's virtual machine
// before it: XML whose root is not closed while the process runs, so that no
// document can be built of it. Tags are read one by one.
//
// What stops the program stands between an exclusive-start and an exclusive-end,
// which gives its duration. The dialect of version 5.0 has one element a
// collection instead, af, sys or con, which is read in openj9_old.go.
var openj9Family = &familyKind{
	name:  "openj9",
	claim: openj9Claim,
	make:  func(out *sink) family { return &openj9Reader{out: out} },
}

// openj9Tag bounds the length of one tag.
const openj9Tag = 64 << 10

// openj9Reader holds the state of one stream.
type openj9Reader struct {
	out *sink
	in  *line

	carry  []byte // a tag whose end is on a later line
	quoted bool   // a value of it is open

	block openj9Block
	old   openj9Old
	conc  openj9Concurrent

	ended  bool // a root was closed, or the head was read: another may begin
	lastID int64
	drawn  Class
}

// skim settles lines of tags that say nothing to an event.
func (r *openj9Reader) skim(text []byte) (Class, bool) { return openj9Skim(text) }

// feed reads the tags of a line.
func (r *openj9Reader) feed(in *line) Class {
	r.in = in
	b := in.text
	if len(r.carry) == 0 {
		if class, done := openj9Skim(b); done {
			return class
		}
	}
	r.drawn = ForeignLine
	for len(b) > 0 {
		if len(r.carry) == 0 {
			open := bytes.IndexByte(b, '<')
			if open < 0 {
				break
			}
			b = b[open:]
			if openj9Name(b) == nil && !has(b, "<?") && !has(b, "<!") {
				b = b[1:] // less than
				continue
			}
			r.quoted = false
		}
		end := r.end(b)
		if end < 0 {
			if len(r.carry)+len(b) > openj9Tag {
				r.carry = r.carry[:0]
				break
			}
			r.carry = append(append(r.carry, b...), ' ')
			r.note(NoiseLine)
			break
		}
		tag := b[:end]
		if len(r.carry) > 0 {
			tag = append(r.carry, tag...)
		}
		r.tag(tag)
		r.carry = r.carry[:0]
		b = b[end:]
	}
	if r.block.open {
		r.block.lines++
	}
	return r.drawn
}

// note raises the class of the line being read.
func (r *openj9Reader) note(c Class) {
	if c < r.drawn {
		r.drawn = c
	}
}

// rest ends pending state. A block that is open has no end; if the duration of a
// collection in it is known, that much is.
func (r *openj9Reader) rest(why restReason) {
	if why == atIdle {
		return
	}
	r.carry = r.carry[:0]
	r.cut()
}

// cut gives up what is open.
func (r *openj9Reader) cut() {
	if r.block.open {
		r.breakBlock()
	}
	if r.old.in != 0 {
		r.out.unread(EventLine, 1, r.old.source, r.old.line, []byte(r.old.text))
	}
	r.block, r.old, r.conc = openj9Block{}, openj9Old{}, openj9Concurrent{}
}

// tag reads one tag, from < to >.
func (r *openj9Reader) tag(t []byte) {
	name := openj9Name(t)
	if name == nil {
		if bytes.HasPrefix(t, []byte("<?xml")) || bytes.HasPrefix(t, []byte("<!--")) {
			r.note(NoiseLine)
		}
		return
	}
	if r.newTag(string(name), t) || r.oldTag(string(name), t) {
		return
	}
	switch {
	case openj9Known[string(name)]:
		r.note(NoiseLine)
	case openj9Has(t, "timestamp") && r.out.current >= 0:
		r.note(UnknownLine)
	}
}

// newTag reads a tag of version 2.6 and later, or gives false.
func (r *openj9Reader) newTag(name string, t []byte) bool {
	switch name {
	case "verbosegc":
		r.root(t)
	case "/verbosegc":
		r.cut()
		r.ended = true
		r.note(NoiseLine)
	case "attribute":
		r.attribute(t)
	case "vmarg":
		r.vmarg(t)
	case "exclusive-start":
		r.startBlock(t)
	case "exclusive-end":
		r.endBlock(t)
	case "response-info":
		if ns, ok := openj9Millis(t, "timems"); ok && r.block.open {
			r.block.reach, r.block.hasReach = ns, true
		}
		r.note(DetailLine)
	case "concurrent-start":
		r.startConcurrent(t)
	case "concurrent-end":
		r.endConcurrent(t)
	default:
		return r.block.tag(r, name, t)
	}
	return true
}

// root reads the opening tag of a log, with which a run begins.
func (r *openj9Reader) root(t []byte) {
	r.cut()
	if r.out.current >= 0 && r.lastID > 0 {
		r.out.newRun(NewHeader)
	}
	r.lastID = 0
	r.ended = false
	run := r.process()
	run.Version = r.out.word(openj9Attr(t, "version"))
	r.note(DetailLine)
}

// process is the run, whose collector is OpenJ9 until its head says which.
func (r *openj9Reader) process() *Run {
	run := r.out.run()
	if run.Collector == AnyCollector {
		run.Collector = OpenJ9
	}
	return run
}

// attribute reads a setting of the head.
func (r *openj9Reader) attribute(t []byte) {
	r.note(DetailLine)
	run := r.out.run()
	value := openj9Attr(t, "value")
	switch string(openj9Attr(t, "name")) {
	case "gcPolicy":
		switch policy := bytes.TrimPrefix(value, []byte("-Xgcpolicy:")); string(policy) {
		case "gencon":
			run.Collector = OpenJ9Gencon
		case "balanced":
			run.Collector = OpenJ9Balanced
		case "optavgpause":
			run.Collector = OpenJ9OptAvgPause
		case "optthruput":
			run.Collector = OpenJ9OptThruput
		case "metronome":
			run.Collector = OpenJ9Metronome
			run.NoPauseData = true // quanta are summed up, not listed
		}
	case "maxHeapSize":
		run.HeapMax = openj9Hex(value)
	case "initialHeapSize":
		run.HeapInitial = openj9Hex(value)
	case "physicalMemory":
		run.Memory, _ = scanInt(value)
	case "numCPUs":
		n, _ := scanInt(value)
		run.CPUs = int32(min(n, 1<<20))
	case "gcthreads":
		n, _ := scanInt(value)
		run.ParallelWorkers = int32(min(n, 1<<20))
	}
}

// vmarg keeps an option of the process.
func (r *openj9Reader) vmarg(t []byte) {
	r.note(DetailLine)
	run := r.out.run()
	name := openj9Attr(t, "name")
	if len(name) == 0 || name[0] != '-' || len(run.Options)+len(name) >= 4<<10 {
		return
	}
	if run.Options != "" {
		run.Options += " "
	}
	run.Options += string(name)
}

// stamp reads the time of a tag. It has no zone and is taken as UTC.
func (r *openj9Reader) stamp(t []byte) Stamp {
	text := openj9Attr(t, "timestamp")
	wall, n, zoned := legacyDate(text)
	resolution := int64(5e5)
	if n == 0 {
		wall, n = openj9Date(text)
		resolution = 5e8
	}
	if n == 0 {
		if !r.in.hasWall {
			return Stamp{}
		}
		return Stamp{Wall: r.in.wall, HasWall: true, Borrowed: true}
	}
	if !zoned {
		r.out.run().Zoneless = true
	}
	return Stamp{Wall: wall, HasWall: true, Error: resolution}
}

// number sees the number of a tag: when it begins again, so has the process.
func (r *openj9Reader) number(t []byte) int64 {
	id, n := scanInt(openj9Attr(t, "id"))
	if n == 0 {
		return 0
	}
	if id < r.lastID && r.lastID-id > 50 {
		r.cut()
		r.out.newRun(NumbersRestart)
	}
	r.lastID = id
	return id
}
