package hprof

import (
	"fmt"
	"strings"

	"example.com/kneeline/heapdump"
)

// class is a class with what only the reader needs.
type class struct {
	model *heapdump.Class
	super uint64
	// own is the length of the class's own fields in an instance record.
	own int
	// named says that the dump gives the name.
	named bool
	// madeUp counts the static fields that the VM made up for the dump.
	madeUp int
}

// registry has the classes of a dump as their records come.
type registry struct {
	form   *form
	names  *names
	nameOf map[uint64]uint64 // of classes, by class: the string's identifier
	at     map[uint64]int32
	list   []*class
	// arrays are the classes of arrays of primitives, by element type.
	arrays      [12]int32
	fields      int
	undescribed int
	// again counts classes described twice, over those beyond the limits.
	again, over int64
}

func newRegistry(f *form, n *names) *registry {
	g := &registry{form: f, names: n, nameOf: map[uint64]uint64{}, at: map[uint64]int32{}}
	for t := range g.arrays {
		g.arrays[t] = -1
	}
	return g
}

// primitiveArrays are the names of the classes of arrays by element type.
var primitiveArrays = [12]string{
	4: "boolean[]", 5: "char[]", 6: "float[]", 7: "double[]", 8: "byte[]", 9: "short[]", 10: "int[]", 11: "long[]",
}

// primitive is the class of arrays of a primitive type, made when the dump does
// not describe it.
func (g *registry) primitive(t heapdump.Type) int32 {
	if g.arrays[t] < 0 {
		m := &heapdump.Class{Name: primitiveArrays[t], Element: t, Super: -1, Undescribed: true}
		g.arrays[t] = g.append(&class{model: m, named: true})
	}
	return g.arrays[t]
}

func (g *registry) append(c *class) int32 {
	c.model.Index = len(g.list)
	g.list = append(g.list, c)
	return int32(c.model.Index)
}

// placeholder is the class with an identifier, made when nothing describes it;
// -1 beyond the limit.
func (g *registry) placeholder(id uint64) int32 {
	if i, ok := g.at[id]; ok {
		return i
	}
	if g.undescribed >= maxUndescribed {
		g.over++
		return -1
	}
	g.undescribed++
	name, named := g.className(id)
	m := &heapdump.Class{ID: heapdump.ID(id), Name: name, Super: -1, Undescribed: true}
	i := g.append(&class{model: m, named: named})
	g.at[id] = i
	return i
}

func (g *registry) className(id uint64) (string, bool) {
	if n, ok := g.nameOf[id]; ok {
		if s, ok := g.names.get(n); ok {
			return heapdump.ClassName(s), true
		}
	}
	return fmt.Sprintf("(unnamed class 0x%x)", id), false
}

// slot is where a described class goes: its own place, that of the placeholder
// that was made for it, or nil.
func (g *registry) slot(id uint64, name string) *class {
	if i, ok := g.at[id]; ok {
		c := g.list[i]
		if !c.model.Undescribed {
			g.again++
			return nil
		}
		c.model.Undescribed = false
		return c
	}
	for t, n := range primitiveArrays {
		if n == name && n != "" && g.arrays[t] >= 0 {
			c := g.list[g.arrays[t]]
			if c.model.Undescribed {
				c.model.Undescribed = false
				g.at[id] = g.arrays[t]
				return c
			}
		}
	}
	if len(g.list) >= maxClasses {
		g.over++
		return nil
	}
	c := &class{model: &heapdump.Class{}}
	g.at[id] = g.append(c)
	return c
}

// add takes a whole class record with its tag.
func (g *registry) add(b []byte) {
	ids := g.form.ids
	id := g.form.id(b[1:])
	name, named := g.className(id)
	c := g.slot(id, name)
	if c == nil {
		return
	}
	m := c.model
	m.ID, m.Name, m.Super = heapdump.ID(id), name, -1
	c.named = named
	c.super = g.form.id(b[5+ids:])
	m.Loader = heapdump.ID(g.form.id(b[5+2*ids:]))
	m.Signers, m.Domain = heapdump.ID(g.form.id(b[5+3*ids:])), heapdump.ID(g.form.id(b[5+4*ids:]))
	g.element(m)
	p := 1 + 4 + 7*ids + 4
	constants := int(be.Uint16(b[p:]))
	p += 2
	for range constants {
		p += 3 + g.form.width(heapdump.Type(b[p+2]))
	}
	p = g.addStatics(c, b, p)
	g.addFields(c, b, p)
}

// element sets the element type of an array class by its name, and makes it the
// class of primitive arrays if it is one.
func (g *registry) element(m *heapdump.Class) {
	if !strings.HasSuffix(m.Name, "[]") {
		return
	}
	m.Element = 2
	for t, n := range primitiveArrays {
		if n == m.Name {
			m.Element = heapdump.Type(t)
			if g.arrays[t] < 0 {
				g.arrays[t] = int32(m.Index)
			}
		}
	}
}

func (g *registry) addStatics(c *class, b []byte, p int) int {
	ids := g.form.ids
	n := int(be.Uint16(b[p:]))
	p += 2
	for range n {
		t := heapdump.Type(b[p+ids])
		if g.fields < maxFields {
			g.fields++
			s := heapdump.Static{Name: g.fieldName(g.form.id(b[p:])), Type: t, Value: g.form.value(t, b[p+ids+1:])}
			if strings.HasPrefix(s.Name, "<") {
				c.madeUp++
			}
			c.model.Statics = append(c.model.Statics, s)
		} else {
			g.over++
		}
		p += ids + 1 + g.form.width(t)
	}
	return p
}

func (g *registry) addFields(c *class, b []byte, p int) {
	ids := g.form.ids
	n := int(be.Uint16(b[p:]))
	p += 2
	if g.fields+n > maxFields {
		g.over += int64(n)
		return
	}
	g.fields += n
	for range n {
		t := heapdump.Type(b[p+ids])
		if g.form.width(t) == 0 {
			// The length of instances cannot be known: their fields are not read.
			c.model.Fields, c.own = nil, 0
			g.over++
			return
		}
		c.model.Fields = append(c.model.Fields, heapdump.Field{Name: g.fieldName(g.form.id(b[p:])), Type: t})
		c.own += g.form.width(t)
		p += ids + 1
	}
}

func (g *registry) fieldName(id uint64) string {
	if s, ok := g.names.get(id); ok {
		return s
	}
	return fmt.Sprintf("(unnamed 0x%x)", id)
}

// link makes superclasses known, and late names.
func (g *registry) link() {
	for _, c := range g.list {
		if c.super != 0 && c.model.Super < 0 {
			if i, ok := g.at[c.super]; ok {
				c.model.Super = int(i)
			}
		}
		if !c.named && c.model.ID != 0 {
			if c.model.Name, c.named = g.className(uint64(c.model.ID)); c.named {
				g.element(c.model)
			}
		}
	}
}

// known says whether a class and all its superclasses are described.
func (g *registry) known(i int) bool {
	for range maxDepth {
		c := g.list[i]
		switch {
		case c.model.Undescribed:
			return false
		case c.model.Element != 0 || c.super == 0:
			return true
		case c.model.Super < 0:
			return false
		}
		i = c.model.Super
	}
	return true // a circle; nothing more will come
}

// models are the classes for the heap.
func (g *registry) models() []*heapdump.Class {
	out := make([]*heapdump.Class, len(g.list))
	for i, c := range g.list {
		out[i] = c.model
	}
	return out
}
