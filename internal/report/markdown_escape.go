package report

import "strings"

// markdownSpecial are the characters that mean something in the middle of
// Markdown text. A backslash before punctuation always makes it literal.
var markdownSpecial = strings.NewReplacer(
	`\`, `\\`, "`", "\\`", "*", `\*`, "_", `\_`, "[", `\[`, "]", `\]`,
	"|", `\|`, "~", `\~`, "$", `\$`, "&", "&amp;", "<", "&lt;", ">", "&gt;",
)

// md escapes s so that Markdown shows it as it is, on one line.
func md(s string) string {
	s = markdownSpecial.Replace(clean(s))
	// At the start of a line more characters begin a block: headings, lists,
	// rules, numbered items.
	mark := s
	switch {
	case s == "":
		return s
	case strings.ContainsRune("#-+=", rune(s[0])):
		mark = strings.TrimLeft(s, s[:1])
	default:
		digits := strings.TrimLeft(s, "0123456789")
		if digits == s || digits == "" || digits[0] != '.' && digits[0] != ')' {
			return s
		}
		mark = digits[1:]
	}
	if mark != "" && mark[0] != ' ' {
		return s
	}
	at := strings.IndexAny(s, "#-+=.)")
	return s[:at] + `\` + s[at:]
}

// mdCell is [md] for a cell of a table, which must not be empty for some
// readers to keep the column.
func mdCell(s string) string {
	if s = md(s); s == "" {
		return " "
	}
	return s
}

// mdSpan writes s as a code span: fenced by more backticks than it holds.
func mdSpan(s string) string {
	s = clean(s)
	if s == "" {
		return ""
	}
	fence := strings.Repeat("`", longestRun(s, '`')+1)
	if strings.HasPrefix(s, "`") || strings.HasSuffix(s, "`") {
		s = " " + s + " "
	}
	return fence + s + fence
}

// mdFence writes lines as a fenced block that its content cannot close.
func mdFence(code, lang string) string {
	lines := cleanCode(code)
	if len(lines) == 0 {
		return ""
	}
	text := strings.Join(lines, "\n")
	fence := strings.Repeat("`", max(longestRun(text, '`')+1, 3))
	return fence + mdLang(lang) + "\n" + text + "\n" + fence + "\n"
}

// maxLang is longer than the name of any language.
const maxLang = 20

// mdLang keeps of a language name what an info string may hold.
func mdLang(lang string) string {
	if lang = clean(lang); len(lang) > maxLang {
		return ""
	}
	return strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= '0' && r <= '9' || r == '-' {
			return r
		}
		return -1
	}, strings.ToLower(lang))
}

func longestRun(s string, r rune) int {
	longest, run := 0, 0
	for _, c := range s {
		if c != r {
			run = 0
			continue
		}
		run++
		longest = max(longest, run)
	}
	return longest
}
