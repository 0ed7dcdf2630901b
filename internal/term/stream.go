package term

import (
	"io"

	xterm "golang.org/x/term"
)

// filer is what *os.File has and buffers and pipes of a test have not.
type filer interface{ Fd() uintptr }

// IsTerminal reports whether w writes to a terminal.
func IsTerminal(w io.Writer) bool {
	f, ok := w.(filer)
	return ok && xterm.IsTerminal(int(f.Fd()))
}

// Columns returns the width of the terminal that w writes to, and 0 when w is
// not a terminal or does not tell.
func Columns(w io.Writer) int {
	f, ok := w.(filer)
	if !ok {
		return 0
	}
	cols, _, err := xterm.GetSize(int(f.Fd()))
	if err != nil {
		return 0
	}
	return max(cols, 0)
}
