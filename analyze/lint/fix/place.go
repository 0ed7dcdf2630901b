package fix

import (
	"bytes"
	"fmt"
	"path"
	"strconv"
	"strings"
	"unicode/utf8"

	"example.com/kneeline/analyze/lint/rule"
	"example.com/kneeline/internal/finding"
)

// Place puts the edits that a rule wants for a finding into it, with the place of each
// in data, the bytes of the file as they are, template expressions and all. Where one
// cannot be made safely the finding has none and says why.
func Place(data []byte, f *finding.Finding, wanted []rule.Edit) {
	var edits []finding.Edit
	for _, w := range wanted {
		from, to, text, why := place(data, w)
		if why != "" {
			f.Edits, f.NoEdit = nil, why
			return
		}
		line, column := position(data, from)
		edits = append(edits, finding.Edit{File: w.At.File, Offset: from, Line: line, Column: column, Old: string(data[from:to]), New: text})
	}
	f.Edits, f.NoEdit = edits, ""
}

// place returns which bytes are to be replaced by which text, or why that cannot be.
func place(data []byte, w rule.Edit) (from, to int, text, why string) {
	from, to = w.At.Offset, w.At.End
	if from < 0 || to > len(data) || from >= to {
		return 0, 0, "", "the place is outside of the file"
	}
	quoted := false
	switch found := string(data[from:to]); {
	case found == w.Old:
	case len(found) == len(w.Old)+2 && (found[0] == '"' || found[0] == '\'') && found[0] == found[len(found)-1] && found[1:len(found)-1] == w.Old:
		quoted = true
		if !w.Item {
			from, to = from+1, to-1
		}
	case strings.TrimSpace(found) == w.Old:
		from += strings.Index(found, w.Old)
		to = from + len(w.Old)
	case w.Item && word(found, w.Old) >= 0:
		from += word(found, w.Old)
		to = from + len(w.Old)
	default:
		return 0, 0, "", fmt.Sprintf("the file writes it as %s: a template, an escape or a text of several lines", clip(found))
	}
	if w.Item {
		from, to, why = item(data, from, to)
		return from, to, "", why
	}
	text = w.New
	if !quoted && wantsQuotes(w.At.File, data) && !isBare(text) && text[0] != '"' {
		text = strconv.Quote(text)
	}
	return from, to, text, ""
}

// word is where a text stands among others, parted by blanks, commas or quotes; -1 where
// it does not stand there just once.
func word(among, text string) int {
	at := strings.Index(among, text)
	if at < 0 || text == "" || strings.Contains(among[at+1:], text) {
		return -1
	}
	const parts = " \t,\"'"
	if at > 0 && !strings.ContainsRune(parts, rune(among[at-1])) || at+len(text) < len(among) && !strings.ContainsRune(parts, rune(among[at+len(text)])) {
		return -1
	}
	return at
}

// wantsQuotes reports whether texts of the file have to be in quotes: JSON and TOML.
func wantsQuotes(name string, data []byte) bool {
	if ext := strings.ToLower(path.Ext(name)); ext == ".toml" || ext == ".json" {
		return true
	}
	text := bytes.TrimLeft(bytes.TrimPrefix(data, []byte("\ufeff")), " \t\r\n")
	return len(text) > 0 && text[0] == '{'
}

// isBare reports whether a text is a number or one of the words that JSON and TOML have
// without quotes.
func isBare(text string) bool {
	if text == "" || text == "true" || text == "false" {
		return true
	}
	_, err := strconv.ParseFloat(text, 64)
	return err == nil
}

// position is the line and column of an offset, both from 1; columns count characters.
func position(data []byte, at int) (line, column int) {
	before := data[:at]
	return bytes.Count(before, []byte("\n")) + 1, utf8.RuneCount(before[bytes.LastIndexByte(before, '\n')+1:]) + 1
}

// maxShown is how much of a text of the file is shown.
const maxShown = 40

func clip(text string) string {
	if len(text) > maxShown {
		text = strings.ToValidUTF8(text[:maxShown], "") + "…"
	}
	return strconv.Quote(text)
}
