package redact

import (
	"example.com/kneeline/heapdump"
)

// plan is what becomes of the fields of the instances of a class.
type plan struct {
	size int // of all fields
	zero []field
}

// field is a field that does not stay as it is, or only if it is a time.
type field struct {
	at, size int
	use      Use
}

// planOf returns the plan for a class; nil when the dump does not describe it.
func (c *copier) planOf(class uint64) *plan {
	p, ok := c.plans[class]
	if ok {
		return p
	}
	if index, known := c.classes[class]; known && c.described(index) {
		p = &plan{}
		for _, f := range c.heap.AllFields(index) {
			size := width(byte(f.Type), c.ids)
			if f.Type != objectType {
				use := Zero
				if c.rules.Field != nil {
					use = c.rules.Field(index, f)
				}
				p.zero = append(p.zero, field{at: p.size, size: size, use: use})
			}
			p.size += size
		}
	}
	c.plans[class] = p
	return p
}

const objectType heapdump.Type = 2

// described says whether a class and all above it are in the dump.
func (c *copier) described(index int) bool {
	for range 1000 {
		k := c.heap.Class(index)
		if k == nil || k.Undescribed {
			return false
		}
		if k.Super < 0 {
			return true
		}
		index = k.Super
	}
	return false
}

// instance zeroes numbers in an instance. One that is not as its class says is zeroed
// with its references: nobody knows where they are.
func (c *copier) instance(rec []byte) {
	body := rec[9+2*c.ids:]
	p := c.planOf(number(rec[5+c.ids:], c.ids))
	if p == nil || p.size != len(body) {
		clear(body)
		c.sum.Unknown++
		c.sum.Zeroed += int64(len(body))
		return
	}
	for _, f := range p.zero {
		c.settle(body[f.at:f.at+f.size], f.use)
	}
}

// settle zeroes a value if it does not stay.
func (c *copier) settle(b []byte, use Use) {
	if use == Keep || use == KeepTime && len(b) == 8 && isTime(int64(be.Uint64(b)), c.millis) {
		c.sum.Kept++
		return
	}
	clear(b)
	c.sum.Zeroed += int64(len(b))
}

// class zeroes the numbers in a class record: of the constant pool all, of statics
// those that the rules do not keep.
func (c *copier) class(rec []byte) {
	r, state := parseClass(rec, c.ids)
	if state != parsed {
		return // cannot be: the walker has parsed it
	}
	index, known := c.classes[number(rec[1:], c.ids)]
	at := 0
	for _, v := range r.values {
		static := at
		if v.static {
			at++
		}
		if v.kind == byte(objectType) {
			continue
		}
		use := Zero
		if k := c.heap.Class(index); v.static && known && k != nil && static < len(k.Statics) && c.rules.Static != nil {
			s := k.Statics[static]
			use = c.rules.Static(index, heapdump.Field{Name: s.Name, Type: s.Type})
		}
		c.settle(rec[v.at:v.at+v.size], use)
	}
}
