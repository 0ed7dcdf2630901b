package stacks

import (
	"strings"
	"testing"
)

// A log of which most lines are none of a dump, and a dump with many threads.
func BenchmarkRead(b *testing.B) {
	log := strings.Repeat("2026-11-29 17:43:58.123 INFO [http-nio-8080-exec-7] example.shop.Till - paid order 4711 in 12 ms\n", 5000)
	for _, c := range []struct{ name, text string }{
		{"log", log + jdk17 + log},
		{"dumps", strings.Repeat(jdk17, 200)},
		{"json", strings.Repeat(json25+"\n", 400)},
	} {
		b.Run(c.name, func(b *testing.B) {
			b.SetBytes(int64(len(c.text)))
			b.ReportAllocs()
			for b.Loop() {
				if _, err := Read(strings.NewReader(c.text)); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
