package hprofgen

import "encoding/binary"

// Frame is one stack frame.
type Frame struct {
	// Class is dotted; it is made when it is new.
	Class, Method, Source string
	// Line is -1 unknown, -2 compiled, -3 native.
	Line int32
}

// At is a frame of a class's method, with a line.
func At(class, method string, line int32) Frame {
	return Frame{Class: class, Method: method, Source: "Source.java", Line: line}
}

// Thread is a thread of the dump.
type Thread struct {
	// ID is its java.lang.Thread object.
	ID ID

	d      *Dump
	serial uint32
	frames []Frame
}

// threadFields are the fields of java.lang.Thread that matter (JDK 17).
var threadFields = []Field{
	F("name", Object), F("priority", Int), F("daemon", Boolean), F("tid", Long), F("threadStatus", Int), F("target", Object),
	F("threadLocalRandomSeed", Long), F("threadLocalRandomProbe", Int),
}

// Thread makes a thread with a stack, top frame first. class nil is
// java.lang.Thread.
func (d *Dump) Thread(name string, class *Class, frames ...Frame) *Thread {
	if class == nil {
		class = d.Class("java.lang.Thread", nil, threadFields...)
	}
	id := d.Object(class, "name", d.String(name), "tid", len(d.threads)+1, "threadStatus", 401)
	return d.ThreadOf(id, frames...)
}

// ThreadOf gives a thread object a stack. Called twice for one object it makes
// the thread appear twice, as virtual threads do in some versions.
func (d *Dump) ThreadOf(id ID, frames ...Frame) *Thread {
	t := &Thread{ID: id, d: d, serial: uint32(len(d.threads) + 1), frames: frames}
	for _, f := range frames {
		d.Class(f.Class, nil)
	}
	d.threads = append(d.threads, t)
	d.Root(0x08, id, t.serial, t.trace())
	return t
}

// trace is the serial number of the thread's stack; 1 is a dummy.
func (t *Thread) trace() uint32 { return t.serial + 1 }

// Local makes an object a local variable of a frame, 0 being the top one.
func (t *Thread) Local(frame int32, id ID) { t.d.Root(0x03, id, t.serial, uint32(frame)) }

// Root adds a root's sub-record: its tag, its object and what follows it.
func (d *Dump) Root(tag byte, id ID, more ...uint32) {
	d.roots = append(d.roots, func(e *encoder) {
		b := e.id([]byte{tag}, id)
		for _, m := range more {
			b = binary.BigEndian.AppendUint32(b, m)
		}
		e.sub(b)
	})
}

// RootJNI adds a JNI global root, whose body is two identifiers.
func (d *Dump) RootJNI(id, ref ID) {
	d.roots = append(d.roots, func(e *encoder) { e.sub(e.id(e.id([]byte{0x01}, id), ref)) })
}

func (e *encoder) traces() {
	d := e.d
	e.record(tagTrace, make([]byte, 12)) // HotSpot's dummy; serial fixed below
	binary.BigEndian.PutUint32(e.out[len(e.out)-12:], 1)
	frame := ID(1)
	for _, t := range d.threads {
		b := binary.BigEndian.AppendUint32(nil, t.trace())
		b = binary.BigEndian.AppendUint32(b, t.serial)
		b = binary.BigEndian.AppendUint32(b, uint32(len(t.frames)))
		for _, f := range t.frames {
			r := e.id(nil, frame)
			for _, s := range []string{f.Method, "()V", f.Source} {
				r = e.id(r, d.names[s])
			}
			r = binary.BigEndian.AppendUint32(r, d.byName[f.Class].serial)
			e.record(tagFrame, binary.BigEndian.AppendUint32(r, uint32(f.Line)))
			b = e.id(b, frame)
			frame++
		}
		e.record(tagTrace, b)
	}
}
