package dominators

// Graph is what [Solve] needs. Node 1 is the root; node 0 is none. All lists have a
// place for each node and are written to.
type Graph struct {
	// Nodes is the highest number.
	Nodes uint32
	// Parent is the node from which the visit came to a node.
	Parent []uint32
	// Start tells where in In the predecessors of a node begin; they end where those
	// of the next begin. The parent need not be among them. A node without any has no
	// predecessor but its parent, or is held by the root if Held says so.
	Start, In []uint32
	// Held says whether the root itself leads to a node.
	Held func(node uint32) bool
	// Semi, Label and Dominator are room for the work; Dominator has the result.
	Semi, Label, Dominator []uint32
	// Path gives a list of at least n places, keeping what the one before had.
	Path func(have []uint32, n int) ([]uint32, error)
	// Tell is called now and then with how many nodes are done; false ends the work.
	Tell func(done uint32) bool
}

// tellEvery is after how many nodes Tell is called.
const tellEvery = 1 << 18

// solver has the state of finding dominators. link[v] is above v in the forest of
// nodes that were dealt with; for the others it is their parent. dom[v] is in turn the
// first of the nodes whose semidominator is v (until the first child of v is dealt
// with), the next in the list that v is in, and the dominator of v.
type solver struct {
	link, semi, label, dom []uint32
	path                   []uint32
	grow                   func([]uint32, int) ([]uint32, error)
	err                    error
}

// Solve fills in Dominator. It gives false when Tell ended it.
func Solve(g *Graph) (bool, error) {
	s := solver{link: g.Parent, semi: g.Semi, label: g.Label, dom: g.Dominator, grow: g.Path}
	n := g.Nodes
	for i := range n + 1 {
		s.semi[i], s.label[i], s.dom[i] = i, i, 0
	}
	for i := n; i >= 2; i-- {
		if i%tellEvery == 0 && g.Tell != nil && !g.Tell(n-i) {
			return false, nil
		}
		p := g.Parent[i]
		in := g.In[g.Start[i]:g.Start[i+1]]
		switch {
		case g.Held(i):
			s.semi[i], s.dom[i] = 1, 1
		case len(in) == 0:
			s.semi[i], s.dom[i] = p, p
		default:
			semi := p
			for _, u := range in {
				if x := s.semi[s.eval(u, i)]; x < semi {
					if semi = x; semi == 1 {
						break
					}
				}
			}
			s.semi[i] = semi
			if semi == 1 {
				s.dom[i] = 1
			} else {
				s.dom[i], s.dom[semi] = s.dom[semi], i
			}
		}
		s.empty(p, i)
		if s.err != nil {
			return false, s.err
		}
	}
	for i := uint32(2); i <= n; i++ {
		if s.dom[i] != s.semi[i] {
			s.dom[i] = s.dom[s.dom[i]]
		}
	}
	return true, nil
}

// empty gives the nodes whose semidominator is p a dominator, or a node that has the
// same one; node i, a child of p, is linked to it now. What has the root for its
// semidominator is in no list.
func (s *solver) empty(p, i uint32) {
	if p == 1 {
		return
	}
	x := s.dom[p]
	s.dom[p] = 0
	for x != 0 {
		next := s.dom[x]
		if u := s.eval(x, i-1); s.semi[u] < s.semi[x] {
			s.dom[x] = u
		} else {
			s.dom[x] = p
		}
		x = next
	}
}

// eval gives the node with the lowest semidominator on the way from v up to the top of
// its tree in the forest, without the top; the nodes above last are in it.
func (s *solver) eval(v, last uint32) uint32 {
	if v <= last {
		return v
	}
	n := 0
	for x := v; s.link[x] > last; x = s.link[x] {
		if n == len(s.path) {
			if s.path, s.err = s.grow(s.path, n+1); s.err != nil {
				return v
			}
		}
		s.path[n] = x
		n++
	}
	for n--; n >= 0; n-- {
		y := s.path[n]
		a := s.link[y]
		if s.semi[s.label[a]] < s.semi[s.label[y]] {
			s.label[y] = s.label[a]
		}
		s.link[y] = s.link[a]
	}
	return s.label[v]
}
