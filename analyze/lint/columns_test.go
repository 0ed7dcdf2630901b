package lint

import "testing"

func TestColumns(t *testing.T) {
	w := wideOf([]byte("a b\n# ä→𝄞 b\nc\n"))
	for _, tt := range []struct{ line, bytes, want int }{{1, 3, 3}, {2, 3, 3}, {2, 5, 4}, {2, 8, 5}, {2, 13, 7}, {2, 99, 99}, {2, 0, 0}, {3, 1, 1}} {
		if got := w.column(tt.line, tt.bytes); got != tt.want {
			t.Errorf("%d:%d is column %d, want %d", tt.line, tt.bytes, got, tt.want)
		}
	}
	if wideOf([]byte("a\nb")) != nil {
		t.Error("wide lines in ASCII")
	}
	c := &Collected{wide: w, problems: []Problem{{Line: 2}, {Line: 3}}}
	if few := c.few(); len(few) != 1 || few[2] != w[2] {
		t.Errorf("kept %v", few)
	}
}
