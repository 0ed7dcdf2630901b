// Package term knows what the program needs to know of terminals: whether a
// stream is one and how wide, whether to colour, how wide a string is drawn,
// and a small set of styles.
//
// It is the only package that imports lipgloss and the libraries under it. It
// never queries the terminal (no adaptive colours, no background detection), so
// nothing but the text it is given ever reaches a stream. What a report looks
// like is not its business: see internal/report.
package term
