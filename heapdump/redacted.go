package heapdump

import (
	"fmt"
	"strings"
)

// redactedMark begins the text by which a redacted copy of a dump is known.
const redactedMark = "kneeline: redacted copy, contents are zero /1"

// Redacted is the text that a redacted copy of a dump carries as one of its names:
// its contents are zero, so that the cost of equal texts is no more in them.
func Redacted(t Texts) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s %d %d %.17g %d %d %d", redactedMark, t.Arrays, t.Bytes, t.Share, t.Distinct, t.Wasted, min(len(t.Top), maxTop))
	for _, d := range t.Top[:min(len(t.Top), maxTop)] {
		fmt.Fprintf(&b, " %d %d", d.Count, d.BytesEach)
	}
	return b.String()
}

// maxTop is how many contents the text tells of.
const maxTop = 20

// ParseRedacted reads the text of a redacted copy; ok is false for any other.
func ParseRedacted(text string) (t Texts, ok bool) {
	rest, ok := strings.CutPrefix(text, redactedMark+" ")
	if !ok {
		return t, false
	}
	r, n := strings.NewReader(rest), 0
	if _, err := fmt.Fscan(r, &t.Arrays, &t.Bytes, &t.Share, &t.Distinct, &t.Wasted, &n); err != nil || n < 0 || n > maxTop ||
		t.Arrays < 0 || t.Bytes < 0 || t.Distinct < 0 || t.Wasted < 0 || !(t.Share >= 0 && t.Share <= 1) {
		return Texts{}, false
	}
	for range n {
		var d Duplicate
		if _, err := fmt.Fscan(r, &d.Count, &d.BytesEach); err != nil || d.Count < 0 || d.BytesEach < 0 {
			return Texts{}, false
		}
		t.Top = append(t.Top, d)
	}
	return t, true
}
