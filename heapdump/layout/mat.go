package layout

// MATLayout gives the sizes that Eclipse MAT shows. MAT takes class pointers to
// be as wide as references, rounds each superclass up and knows no fields but
// those in the file, so it differs from the VM; source:
// HprofParserHandlerImpl.calculateSizeRecursive and calculateClassSize of
// eclipse-mat/mat.
type MATLayout struct {
	pointer, ref, alignment uint64
	// Sizes are the bytes of one instance by class, 0 for arrays.
	Sizes []uint64
	// Mirrors are the bytes that MAT gives the class object by class: its static
	// fields.
	Mirrors []uint64
}

// MAT computes MAT's sizes; the reference size and the alignment are those that
// l learned from the same observations.
func MAT(o *Observations, l *Layout) *MATLayout {
	m := &MATLayout{
		pointer: uint64(o.IDSize), ref: l.Ref, alignment: l.Alignment,
		Sizes: make([]uint64, len(o.Classes)), Mirrors: make([]uint64, len(o.Classes)),
	}
	ends := make([]uint64, len(o.Classes))
	for _, i := range supersFirst(o.Classes) {
		c := &o.Classes[i]
		if c.Super < 0 || int(c.Super) >= len(ends) {
			ends[i] = m.pointer + m.ref
			if i != o.ObjectClass { // its superclass is not in the file
				ends[i] = align(ends[i]+c.Fields.sum(m.ref), m.ref)
			}
		} else {
			ends[i] = align(ends[c.Super]+c.Fields.sum(m.ref), m.ref)
		}
		if c.Array == 0 {
			m.Sizes[i] = align(ends[i], m.alignment)
		}
		m.Mirrors[i] = align(c.Statics.sum(m.ref)+uint64(c.MadeUp)*m.ref, m.alignment)
	}
	return m
}

// Array is the size of an array of n elements.
func (m *MATLayout) Array(t Type, n uint64) uint64 {
	base, element := m.array(t)
	return align(base+n*element, m.alignment)
}

// Arrays is the sum of the sizes of all arrays of one class.
func (m *MATLayout) Arrays(t Type, a *Lengths) uint64 {
	base, element := m.array(t)
	return sumArrays(a, base, element, m.alignment)
}

func (m *MATLayout) array(t Type) (base, element uint64) {
	base = m.pointer + m.ref + 4
	if element = t.Size(); element == 0 {
		return base, m.ref
	}
	return align(base, m.ref), element
}

// supersFirst orders classes so that each comes after its superclass. Classes
// in a cycle, or whose superclass is out of range, keep their superclass but
// come in any order.
func supersFirst(classes []Class) []int {
	const fresh, open, done = 0, 1, 2
	state := make([]uint8, len(classes))
	order := make([]int, 0, len(classes))
	var chain []int
	for i := range classes {
		chain = chain[:0]
		for at := i; state[at] == fresh; {
			state[at] = open
			chain = append(chain, at)
			s := classes[at].Super
			if s < 0 || int(s) >= len(classes) {
				break
			}
			at = int(s)
		}
		for j := len(chain) - 1; j >= 0; j-- {
			state[chain[j]] = done
			order = append(order, chain[j])
		}
	}
	return order
}
