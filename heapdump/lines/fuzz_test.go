package lines

import (
	"bytes"
	"testing"
	"testing/iotest"
)

// Any bytes are lines of bounded length, the same when they come one by one; no
// line has an end of line in it, and a prefix that a line had is stripped of it.
func FuzzReader(f *testing.F) {
	for _, s := range []string{"", "a\nb", "\xff\xfea\x00\n\x00", "\xfe\xff\xd8\x34\xdd\x1e", "\xef\xbb\xbfx\r\n", "2026-01-02T03:04:05Z x", "1795974238"} {
		f.Add([]byte(s), 5)
	}
	f.Fuzz(func(t *testing.T, text []byte, n int) {
		whole, one := New(bytes.NewReader(text)), New(iotest.OneByteReader(bytes.NewReader(text)))
		for whole.Next() {
			if !one.Next() || !bytes.Equal(whole.Line(), one.Line()) {
				t.Fatalf("line %d: %q and %q", whole.Number(), whole.Line(), one.Line())
			}
			line := whole.Line()
			if len(line) > MaxLength || bytes.ContainsRune(line, '\n') {
				t.Fatalf("line of %d bytes", len(line))
			}
			if s, ok := StampOf(line); ok && s.Time.IsZero() {
				t.Fatalf("no time in %q", line)
			}
			p := PrefixOf(line, n)
			rest, ok := p.Strip(line)
			if !ok || !p.Empty() && len(rest) > len(line)-1 {
				t.Fatalf("prefix of %d bytes of %q leaves %q, %v", n, line, rest, ok)
			}
		}
		if one.Next() || whole.Err() != nil || whole.Cut() != one.Cut() {
			t.Fatal("not the same to the end")
		}
	})
}
