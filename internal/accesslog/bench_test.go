package accesslog

import (
	"bytes"
	"fmt"
	"testing"
	"time"
)

// BenchmarkCombined reads what nginx writes at some thousand requests a second. The
// goal is 1 µs a line.
func BenchmarkCombined(b *testing.B) {
	var text bytes.Buffer
	at := time.Unix(1_700_000_000, 0).UTC()
	const n = 100_000
	for i := range n {
		fmt.Fprintf(&text, "10.0.%d.%d - - [%s] \"GET /api/v1/items/%d?page=%d HTTP/1.1\" 200 %d \"https://example.com/list\" \"Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36\" 0.%03d\n",
			i%256, i%199, at.Add(time.Duration(i)*200*time.Microsecond).Format("02/Jan/2006:15:04:05 -0700"), i%5000, i%7, 200+i%9000, i%300)
	}
	for b.Loop() {
		var loss Loss
		r, err := NewReader("bench", bytes.NewReader(text.Bytes()), Options{}, &loss)
		if err != nil {
			b.Fatal(err)
		}
		got := 0
		for rec := (Record{}); r.Next(&rec); {
			got++
		}
		if got != n {
			b.Fatalf("%d records: %+v", got, loss)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/n, "ns/line")
	b.ReportMetric(0, "ns/op")
}
