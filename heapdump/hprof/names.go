package hprof

import (
	"strings"
	"unicode/utf8"

	"example.com/kneeline/heapdump"
)

// names is the table of strings of a dump: names of classes, fields, methods and
// files.
type names struct {
	blob []byte
	at   map[uint64]span
	lost int64
}

type span struct{ off, n uint32 }

// add takes a copy of a string; what does not fit the limits is counted.
func (t *names) add(id uint64, text []byte) {
	if t.at == nil {
		t.at = make(map[uint64]span)
	}
	if len(t.at) >= maxStrings || len(t.blob)+len(text) > maxStringBytes || len(text) > maxName {
		t.lost++
		return
	}
	t.at[id] = span{uint32(len(t.blob)), uint32(len(text))}
	t.blob = append(t.blob, text...)
}

// longestName is how many bytes of a name are told: a class file may have 64 KiB,
// and no name that people write comes near this.
const longestName = 1000

// get is a string by its identifier; false when the dump has none. Of one that is
// longer than any name is its beginning stands for it.
func (t *names) get(id uint64) (string, bool) {
	s, ok := t.at[id]
	if !ok {
		return "", false
	}
	if s.n <= longestName {
		return modifiedUTF8(t.blob[s.off : s.off+s.n]), true
	}
	end := s.off + longestName
	for end > s.off && t.blob[end]&0xc0 == 0x80 {
		end-- // not within a character
	}
	return modifiedUTF8(t.blob[s.off:end]) + "…", true
}

// redacted reads the text by which a redacted copy tells that it is one, and what its
// texts were like. Its identifier is the highest there is.
func (t *names) redacted(ids int) (heapdump.Texts, bool) {
	s, ok := t.at[1<<(8*ids-1)<<1-1]
	if !ok {
		return heapdump.Texts{}, false
	}
	return heapdump.ParseRedacted(string(t.blob[s.off : s.off+s.n]))
}

// modifiedUTF8 decodes the UTF-8 of class files, in which 0 is two bytes and
// characters above U+FFFF are surrogate pairs of three bytes each. Bytes that
// mean nothing become U+FFFD.
func modifiedUTF8(b []byte) string {
	plain := true
	for _, c := range b {
		if c >= utf8.RuneSelf || c < ' ' {
			plain = false
			break
		}
	}
	if plain {
		return string(b)
	}
	var out strings.Builder
	out.Grow(len(b))
	for len(b) > 0 {
		r, n := modifiedRune(b)
		if r >= 0xd800 && r < 0xdc00 {
			if low, m := modifiedRune(b[n:]); low >= 0xdc00 && low < 0xe000 {
				r = 0x10000 + (r-0xd800)<<10 + (low - 0xdc00)
				n += m
			}
		}
		if r < ' ' || r >= 0xd800 && r < 0xe000 || r == 0x7f {
			r = utf8.RuneError
		}
		out.WriteRune(r)
		b = b[n:]
	}
	return out.String()
}

func modifiedRune(b []byte) (rune, int) {
	switch {
	case len(b) == 0:
		return 0, 0
	case b[0] < 0x80:
		return rune(b[0]), 1
	case b[0]&0xe0 == 0xc0 && len(b) >= 2 && b[1]&0xc0 == 0x80:
		return rune(b[0]&0x1f)<<6 | rune(b[1]&0x3f), 2
	case b[0]&0xf0 == 0xe0 && len(b) >= 3 && b[1]&0xc0 == 0x80 && b[2]&0xc0 == 0x80:
		return rune(b[0]&0x0f)<<12 | rune(b[1]&0x3f)<<6 | rune(b[2]&0x3f), 3
	}
	return utf8.RuneError, 1
}
