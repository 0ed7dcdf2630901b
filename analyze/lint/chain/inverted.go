package chain

// Waiting returns the shortest wait of a caller of the service whose end does not end the
// service's work, with the hop. It is nil where there is none; hops of streams have no
// such wait.
func (s *Service) Waiting() (Limit, *Hop) {
	var out Limit
	var of *Hop
	for _, h := range s.In {
		l, ok := h.Patience()
		if ok && !h.Abandons() && !h.Streams() && (of == nil || l.Seconds < out.Seconds) {
			out, of = l, h
		}
	}
	return out, of
}

// Streams reports whether the hop is of long-lived streams, whose limits are no limits of
// a request.
func (h *Hop) Streams() bool {
	for _, l := range h.Layers {
		if l.Hop.Streams {
			return true
		}
	}
	return false
}

// hair is by how much sums of limits may differ from each other by rounding alone, as a
// share.
const hair = 1e-9

// Inverted reports whether a call of the hop may take longer than the caller of its
// service waits.
func (h *Hop) Inverted() bool {
	w, ok := h.Wait()
	if !ok || h.Streams() {
		return false
	}
	l, of := h.From.Waiting()
	return of != nil && w.Seconds > l.Seconds*(1+hair)
}
