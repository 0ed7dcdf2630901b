package goroutines

import (
	"fmt"
	"strings"
	"testing"
)

// BenchmarkRead reads a text of 20,000 goroutines in 1,000 groups.
func BenchmarkRead(b *testing.B) {
	var t strings.Builder
	for i := range 20_000 {
		fmt.Fprintf(&t, "goroutine %d [chan send, %d minutes]:\nmain.(*limit).work%d({0x10?, 0x48f532?}, 0x13)\n\t/src/main.go:22 +0x4d\nnet/http.serverHandler.ServeHTTP({0x1?}, {0x2?, 0x3}, 0x1?)\n\t/go/src/net/http/server.go:3311 +0x8e\nnet/http.(*conn).serve(0x1, {0x2, 0x3})\n\t/go/src/net/http/server.go:2067 +0x690\ncreated by net/http.(*Server).Serve in goroutine 1\n\t/go/src/net/http/server.go:3464 +0x485\n\n", i+1, i%7, i%1000)
	}
	text := t.String()
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		if _, err := Read(strings.NewReader(text)); err != nil {
			b.Fatal(err)
		}
	}
}
