package gcparse

// maxWords bounds the table of words. What comes after costs an allocation each,
// which is slow and still right; no real log has nearly as many titles and causes.
const maxWords = 4096

// interner makes one string of equal byte slices.
type interner struct {
	words map[string]string
	// last are the words given last: logs say the same thing over and over.
	last [8]string
	next uint8
}

func (t *interner) get(b []byte) string {
	if len(b) == 0 {
		return ""
	}
	for _, w := range &t.last {
		if w == string(b) {
			return w
		}
	}
	w, ok := t.words[string(b)]
	if !ok {
		w = string(b)
		if t.words == nil {
			t.words = make(map[string]string)
		}
		if len(t.words) < maxWords {
			t.words[w] = w
		}
	}
	t.last[t.next%uint8(len(t.last))] = w
	t.next++
	return w
}
