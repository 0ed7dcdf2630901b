package hprof

import (
	"sort"
	"unicode/utf16"
	"unicode/utf8"

	"example.com/kneeline/heapdump"
)

// Text implements [heapdump.Store].
func (s *store) Text(id heapdump.ID) (string, bool) {
	in, ok := s.Instance(id)
	if !ok {
		b, t, ok := s.content(uint64(id))
		return decode(b, t, false), ok
	}
	value, ok := in.Ref("value")
	if !ok || in.Class.Name != "java.lang.String" {
		return "", false
	}
	b, t, ok := s.content(uint64(value))
	if !ok {
		return "", false
	}
	coder, _ := in.Int("coder")
	text := decode(b, t, coder == 1)
	if n, ok := in.Int("count"); ok { // Java 6: a part of a shared array
		off, _ := in.Int("offset")
		runes := []rune(text)
		if off < 0 || n < 0 || off > len(runes) || n > len(runes)-off {
			return "", false
		}
		text = string(runes[off : off+n])
	}
	return text, true
}

// content finds a kept text.
func (s *store) content(id uint64) ([]byte, heapdump.Type, bool) {
	_, number, ok := s.locate(id)
	if !ok {
		return nil, 0, false
	}
	i := sort.Search(len(s.texts), func(i int) bool { return s.texts[i].blob >= number })
	if i == len(s.texts) || s.texts[i].blob != number {
		return nil, 0, false
	}
	t := &s.texts[i]
	blob := s.blobs.get(t.blob)
	if blob == nil {
		return nil, 0, false
	}
	n, ok := searchColumn(blob, int(t.off), int(t.n), id)
	if !ok {
		return nil, 0, false
	}
	starts := int(t.off) + columnHead
	lengths := starts + 4*((int(t.n)+textBlock-1)/textBlock)
	at := int(le.Uint32(blob[starts+4*(n/textBlock):]))
	for k := n / textBlock * textBlock; k < n; k++ {
		at += textSize(blob[lengths+k])
	}
	typ := heapdump.Type(8)
	if blob[lengths+n]&1 != 0 {
		typ = 5
	}
	return blob[at : at+textSize(blob[lengths+n])], typ, true
}

func textSize(length byte) int { return int(length>>1) << (length & 1) }

// decode turns the elements of a text array into a string. The bytes of a byte[]
// are Latin-1 or, in a String that says so, UTF-16 in the order of the machine,
// which is little-endian on all that HotSpot's recent releases run on.
func decode(b []byte, t heapdump.Type, wide bool) string {
	switch {
	case t == 5:
		units := make([]uint16, len(b)/2)
		for i := range units {
			units[i] = be.Uint16(b[2*i:])
		}
		return string(utf16.Decode(units))
	case wide:
		units := make([]uint16, len(b)/2)
		for i := range units {
			units[i] = le.Uint16(b[2*i:])
		}
		return string(utf16.Decode(units))
	}
	runes := make([]rune, len(b))
	for i, c := range b {
		runes[i] = rune(c)
	}
	return string(runes)
}

// shownText is the beginning of a content for people: not knowing the coder it
// takes UTF-8 for what it is and other bytes as Latin-1.
func shownText(b []byte, t heapdump.Type) string {
	if t == 8 && utf8.Valid(b) {
		return string(b)
	}
	return decode(b, t, false)
}
