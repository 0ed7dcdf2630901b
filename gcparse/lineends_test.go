package gcparse

import (
	"io"
	"strings"
	"testing"
	"testing/iotest"
)

func TestLineEnds(t *testing.T) {
	tests := []struct{ in, want string }{
		{"", ""},
		{"one", "one"},
		{"one\rtwo\r", "one\ntwo\n"},
		{"one\r\rtwo", "one\n\ntwo"},
		{"one\r\ntwo\r\n", "one\r\ntwo\r\n"},
		{"one\ntwo\rthree\n", "one\ntwo\rthree\n"},
		{"5%\r10%\r\ntwo\r\n", "5%\n10%\r\ntwo\r\n"},
		{"\r", "\n"},
		{"one\ntwo\r", "one\ntwo\r"},
	}
	for _, tt := range tests {
		for how, src := range map[string]io.Reader{
			"whole":        strings.NewReader(tt.in),
			"byte by byte": iotest.OneByteReader(strings.NewReader(tt.in)),
			"error last":   iotest.DataErrReader(strings.NewReader(tt.in)),
		} {
			got, err := io.ReadAll(&lineEnds{src: src})
			if err != nil || string(got) != tt.want {
				t.Errorf("%q %s: got %q and %v, want %q", tt.in, how, got, err, tt.want)
			}
		}
	}
}
