package gcparse

import (
	"bytes"
	"encoding/json"
	"io"
	"testing"
	"testing/iotest"
	"unicode/utf16"
	"unicode/utf8"
)

// What a JSON encoder wraps is what comes out.
func FuzzJSONWrapper(f *testing.F) {
	f.Add("[0.1s][info][gc] GC(0) Pause \"Young\"\t\\ 1M", "2026-11-29T10:00:00Z", "a")
	f.Add("snow ☃ and 𝄞 and \u2028", "x", "k\"ey")
	f.Fuzz(func(t *testing.T, message, date, key string) {
		if !utf8.ValidString(message) || len(message) > 1000 {
			return
		}
		text, err := json.Marshal(struct {
			Before  map[string]any `json:"before"`
			Message string         `json:"message"`
			Time    string         `json:"time"`
			After   []any          `json:"after"`
		}{map[string]any{key: []any{date, 1.5, nil, true}}, message, date, []any{key, map[string]any{"x": message}}})
		if err != nil {
			t.Fatal(err)
		}
		o, ok := openJSON(text, make([]byte, 0, len(text)))
		if !ok || string(o.text) != message {
			t.Errorf("%q, %v from %s, want %q", o.text, ok, text, message)
		}
	})
}

// No wrapper and no claim panics, and what is opened is no longer than the line.
func FuzzWrappers(f *testing.F) {
	for _, tt := range wrapperTests {
		f.Add([]byte(tt.how(2, "[0.1s][info][gc] GC(0) Pause Young (x) 1M->1M(2M) 1.0ms")))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		if bytes.IndexByte(text, '\n') >= 0 || len(text) == 0 || len(text) > 2000 {
			return
		}
		for _, k := range wrapperKinds {
			before := bytes.Clone(text)
			o, ok := k.open(text, make([]byte, 0, len(text)))
			if !bytes.Equal(before, text) {
				t.Fatalf("%s changed its input", k.name)
			}
			if ok && len(o.text) > len(text) {
				t.Fatalf("%s made %d bytes of %d", k.name, len(o.text), len(text))
			}
		}
	})
}

// UTF-16 decodes as the standard library does it, however it arrives.
func FuzzUTF16(f *testing.F) {
	f.Add([]byte("\xff\xfea\x00b\x00\n\x00"))
	f.Add([]byte("\xfe\xff\xd8\x34\xdd\x1e\xd8\x34"))
	f.Fuzz(func(t *testing.T, text []byte) {
		if len(text) < 4 || string(text[:2]) != "\xff\xfe" && string(text[:2]) != "\xfe\xff" {
			return
		}
		var units []uint16
		for i := 2; i+1 < len(text); i += 2 {
			u := uint16(text[i]) | uint16(text[i+1])<<8
			if text[0] == 0xfe {
				u = u>>8 | u<<8
			}
			units = append(units, u)
		}
		if n := len(units); n > 0 && units[n-1] >= 0xd800 && units[n-1] < 0xdc00 {
			units = units[:n-1] // half a character at the end is dropped
		}
		want := string(utf16.Decode(units))
		for name, src := range map[string]io.Reader{
			"whole": bytes.NewReader(text), "byte by byte": iotest.OneByteReader(bytes.NewReader(text)),
		} {
			got, err := io.ReadAll(&decoder{src: src})
			if err != nil || string(got) != want {
				t.Fatalf("%s: %q, %v, want %q", name, got, err, want)
			}
		}
	})
}
