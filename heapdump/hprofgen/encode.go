package hprofgen

import (
	"encoding/binary"
	"math/rand/v2"
	"strings"
)

// Tags of records.
const (
	tagString      = 0x01
	tagLoadClass   = 0x02
	tagFrame       = 0x04
	tagTrace       = 0x05
	tagHeapDump    = 0x0c
	tagHeapSegment = 0x1c
	tagHeapEnd     = 0x2c
)

// File is an encoded dump.
type File struct {
	Data []byte
	// Records are the offsets at which records and sub-records begin, and the
	// length of the file.
	Records []int
}

// encoder writes one file.
type encoder struct {
	d     *Dump
	out   []byte
	body  []byte // sub-records of the heap record under way
	marks []int  // in body
	file  File
}

// Encode writes the dump.
func (d *Dump) Encode() File {
	e := &encoder{d: d}
	e.out = append(append(e.out, d.opt.Version...), 0)
	e.out = binary.BigEndian.AppendUint32(e.out, uint32(d.opt.IDSize))
	e.out = binary.BigEndian.AppendUint64(e.out, uint64(d.opt.Taken.UnixMilli()))
	e.raw(d.early)
	e.declare()
	e.heap()
	if d.opt.Segment > 0 {
		e.record(tagHeapEnd, nil)
	}
	e.raw(d.records)
	e.file.Data = e.out
	e.file.Records = append(e.file.Records, len(e.out))
	return e.file
}

func (e *encoder) raw(records []rawRecord) {
	for _, r := range records {
		e.file.Records = append(e.file.Records, len(e.out))
		e.head(r.tag, r.length)
		e.out = append(e.out, r.body...)
	}
}

func (e *encoder) head(tag byte, length uint32) {
	e.out = append(e.out, tag, 0, 0, 0, 0)
	e.out = binary.BigEndian.AppendUint32(e.out, length)
}

func (e *encoder) record(tag byte, body []byte) {
	e.file.Records = append(e.file.Records, len(e.out))
	e.head(tag, uint32(len(body)))
	e.out = append(e.out, body...)
}

func (e *encoder) id(b []byte, id ID) []byte {
	if e.d.opt.IDSize == 4 {
		return binary.BigEndian.AppendUint32(b, uint32(id))
	}
	return binary.BigEndian.AppendUint64(b, id)
}

// declare writes strings, loaded classes, frames and traces.
func (e *encoder) declare() {
	d := e.d
	for _, c := range d.classes {
		d.name(d.fileName(c.Name))
		for _, f := range c.Fields {
			d.name(f.Name)
		}
		for _, f := range c.statics {
			d.name(f.Name)
		}
	}
	for _, t := range d.threads {
		for _, f := range t.frames {
			d.name(f.Method)
			d.name("()V")
			d.name(f.Source)
		}
	}
	for _, s := range d.text {
		e.record(tagString, append(e.id(nil, d.names[s]), modifiedUTF8(s)...))
	}
	for _, c := range d.classes {
		b := binary.BigEndian.AppendUint32(nil, c.serial)
		b = e.id(b, c.ID)
		b = binary.BigEndian.AppendUint32(b, 1)
		e.record(tagLoadClass, e.id(b, d.names[d.fileName(c.Name)]))
	}
	e.traces()
}

// name gives a text an identifier.
func (d *Dump) name(s string) ID {
	id, ok := d.names[s]
	if !ok {
		id = ID(0x10_0000 + 16*len(d.text))
		d.names[s] = id
		d.text = append(d.text, s)
	}
	return id
}

// fileName is a class's name as the file spells it.
func (d *Dump) fileName(name string) string {
	if d.opt.Dotted {
		return name
	}
	element := strings.TrimRight(name, "[]")
	depth := strings.Count(name, "[]")
	if depth == 0 {
		return strings.ReplaceAll(name, ".", "/")
	}
	code, ok := map[string]string{
		"boolean": "Z", "char": "C", "float": "F", "double": "D",
		"byte": "B", "short": "S", "int": "I", "long": "J",
	}[element]
	if !ok {
		code = "L" + strings.ReplaceAll(element, ".", "/") + ";"
	}
	return strings.Repeat("[", depth) + code
}

// modifiedUTF8 is Java's: NUL as C0 80, and surrogates one by one.
func modifiedUTF8(s string) (b []byte) {
	unit := func(u rune) {
		b = append(b, 0xe0|byte(u>>12), 0x80|byte(u>>6&0x3f), 0x80|byte(u&0x3f))
	}
	for _, r := range s {
		switch {
		case r == 0:
			b = append(b, 0xc0, 0x80)
		case r > 0xffff:
			r -= 0x10000
			unit(0xd800 + r>>10)
			unit(0xdc00 + r&0x3ff)
		default:
			b = append(b, string(r)...)
		}
	}
	return b
}

// heap writes the sub-records.
func (e *encoder) heap() {
	d := e.d
	if d.opt.RootsFirst {
		e.writeRoots()
	}
	if !d.opt.ClassesLast {
		e.writeClasses()
	}
	objects := d.objects
	if d.opt.Shuffle {
		objects = append([]*object{}, objects...)
		rand.New(rand.NewPCG(1, 2)).Shuffle(len(objects), func(i, j int) { objects[i], objects[j] = objects[j], objects[i] })
	}
	for _, o := range objects {
		e.sub(e.object(o))
	}
	for _, b := range d.bulks {
		e.bulk(b)
	}
	if d.opt.ClassesLast {
		e.writeClasses()
	}
	for _, b := range d.raw {
		e.sub(b)
	}
	if !d.opt.RootsFirst {
		e.writeRoots()
	}
	e.flush()
}

func (e *encoder) writeClasses() {
	for _, c := range e.d.classes {
		if !c.Missing {
			e.sub(e.class(c))
		}
	}
}

func (e *encoder) writeRoots() {
	for _, c := range e.d.classes {
		if c.Loader == 0 && c.element == 0 {
			e.sub(e.id([]byte{0x05}, c.ID))
		}
	}
	for _, write := range e.d.roots {
		write(e)
	}
}

// sub adds a sub-record and ends a segment that is full.
func (e *encoder) sub(b []byte) {
	e.marks = append(e.marks, len(e.body))
	e.body = append(e.body, b...)
	if s := e.d.opt.Segment; s > 0 && len(e.body) >= s {
		e.flush()
	}
}

func (e *encoder) flush() {
	if len(e.body) == 0 {
		return
	}
	tag := byte(tagHeapDump)
	if e.d.opt.Segment > 0 {
		tag = tagHeapSegment
	}
	length := uint32(len(e.body))
	if claim := e.d.opt.HeapLength; claim != nil {
		length = claim(length)
	}
	e.file.Records = append(e.file.Records, len(e.out))
	e.head(tag, length)
	for _, m := range e.marks {
		e.file.Records = append(e.file.Records, len(e.out)+m)
	}
	e.out = append(e.out, e.body...)
	e.body, e.marks = e.body[:0], e.marks[:0]
}
