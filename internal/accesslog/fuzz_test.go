package accesslog

import (
	"bytes"
	"strings"
	"testing"
)

// fuzz holds one format to its promises on any line: no panic, values in range, and
// the same record when the line is read again.
func fuzz(f *testing.F, format string, o Options) {
	for _, s := range samples {
		if s.format == format || format == "" {
			f.Add([]byte(s.line))
		}
	}
	f.Fuzz(func(t *testing.T, line []byte) {
		read := func() (recs []string, loss Loss) {
			r, err := NewReader("fuzz", bytes.NewReader(line), o, &loss)
			if err != nil {
				return nil, loss
			}
			for rec := (Record{}); r.Next(&rec); {
				switch {
				case rec.Duration < Unknown || rec.Upstream < Unknown || rec.Sent < Unknown || rec.Received < Unknown:
					t.Fatalf("out of range: %+v", rec)
				case rec.Status != 0 && (rec.Status < 100 || rec.Status > 999):
					t.Fatalf("status %d", rec.Status)
				case rec.Resolution <= 0:
					t.Fatalf("a record without a time: %+v", rec)
				}
				recs = append(recs, string(rec.Method)+" "+string(rec.Path))
			}
			if uint64(len(recs))+loss.Unread != loss.Lines {
				t.Fatalf("%d records of %d lines, %d unread", len(recs), loss.Lines, loss.Unread)
			}
			return recs, loss
		}
		a, _ := read()
		if b, _ := read(); strings.Join(a, "\n") != strings.Join(b, "\n") {
			t.Fatalf("read twice: %q and %q", a, b)
		}
	})
}

func FuzzCombined(f *testing.F) { fuzz(f, "combined", Options{Format: "combined"}) }
func FuzzHAProxy(f *testing.F)  { fuzz(f, "haproxy", Options{Format: "haproxy"}) }
func FuzzEnvoy(f *testing.F)    { fuzz(f, "envoy", Options{Format: "envoy"}) }
func FuzzALB(f *testing.F)      { fuzz(f, "alb", Options{Format: "alb"}) }
func FuzzJSON(f *testing.F)     { fuzz(f, "json", Options{Format: "json"}) }
func FuzzLogfmt(f *testing.F)   { fuzz(f, "logfmt", Options{Format: "logfmt"}) }

// FuzzDetect holds the choice of a format to reading what it chose.
func FuzzDetect(f *testing.F) { fuzz(f, "", Options{}) }

// FuzzLogFormat holds formats of the user to the same promises.
func FuzzLogFormat(f *testing.F) {
	f.Add(`$remote_addr [$time_local] "$request" $status`, []byte(`1 [02/Jan/2024:03:04:05 +0000] "GET / HTTP/1.1" 200`))
	f.Add(`%h %t \"%r\" %>s %D`, []byte(`1 [02/Jan/2024:03:04:05 +0000] "GET / HTTP/1.1" 200 5`))
	f.Fuzz(func(t *testing.T, format string, line []byte) {
		tm, err := parseTemplate(format)
		if err != nil {
			return
		}
		var r Record
		r.reset()
		if tm.parse(line, &r) == "" && r.Resolution <= 0 {
			t.Fatalf("%q, %q: a record without a time", format, line)
		}
	})
}
