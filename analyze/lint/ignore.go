package lint

import (
	"bytes"
	"fmt"
	"regexp"
	"strings"
	"time"
	"unicode/utf8"

	"example.com/kneeline/analyze/lint/model"
	"example.com/kneeline/internal/finding"
)

// ignoreMark begins an ignore in a comment of any style:
//
//	kneeline:ignore RTY-08 until=2027-01-31 "batch export"
//	kneeline:ignore RTY-08,TMO-08 "reason"
const ignoreMark = "kneeline:ignore"

var ignoreForm = regexp.MustCompile(`^\s+([A-Z]{3}-[0-9]{2}(?:\s*,\s*[A-Z]{3}-[0-9]{2})*)(?:\s+until=(\S+))?\s+"([^"]*[^"\s][^"]*)"`)

// ignore is one comment that asks to leave findings out.
type ignore struct {
	at     model.Position
	rules  []string
	until  string
	reason string
	// alone says that the comment has its line to itself: it then holds for the next
	// line with anything else on it, and so for the object that begins there.
	alone bool
	line  int // for which it holds
}

// findIgnores reads the comments of a file. A comment that begins like one and is none
// is a problem.
func findIgnores(name string, data []byte) (found []*ignore, problems []model.Problem) {
	if !bytes.Contains(data, []byte(ignoreMark)) {
		return nil, nil
	}
	lines := bytes.Split(data, []byte("\n"))
	for i, line := range lines {
		at := bytes.Index(line, []byte(ignoreMark))
		if at < 0 {
			continue
		}
		pos := model.Position{File: name, Line: i + 1, Column: utf8.RuneCount(line[:at]) + 1}
		m := ignoreForm.FindSubmatch(line[at+len(ignoreMark):])
		if m == nil {
			problems = append(problems, model.Problem{At: pos,
				Err: `expected kneeline:ignore RULE[,RULE] [until=YYYY-MM-DD] "reason", found ` + clip(line[at:])})
			continue
		}
		g := &ignore{at: pos, until: string(m[2]), reason: string(m[3]), line: i + 1}
		for id := range strings.SplitSeq(string(m[1]), ",") {
			g.rules = append(g.rules, strings.TrimSpace(id))
		}
		if g.until != "" {
			if _, err := time.Parse(time.DateOnly, g.until); err != nil {
				problems = append(problems, model.Problem{At: pos,
					Err: fmt.Sprintf("expected a day such as until=2027-01-31, found %q", g.until)})
				continue
			}
		}
		if g.alone = isComment(line[:at]); g.alone {
			g.line = nextLine(lines, i+1)
		}
		found = append(found, g)
	}
	return found, problems
}

// isComment reports whether nothing but a comment's mark stands before an ignore.
func isComment(before []byte) bool {
	return len(bytes.Trim(before, " \t#/;*<!-{")) == 0
}

// nextLine is the line after i that has more than a comment, counted from 1.
func nextLine(lines [][]byte, i int) int {
	for ; i < len(lines); i++ {
		text := bytes.TrimSpace(lines[i])
		if len(text) > 0 && text[0] != '#' && text[0] != ';' && !bytes.HasPrefix(text, []byte("//")) && !bytes.HasPrefix(text, []byte("<!--")) {
			return i + 1
		}
	}
	return i + 1
}

// clip returns the beginning of what was found, in quotes.
func clip(b []byte) string {
	const most = 60
	text := strings.TrimSpace(string(b))
	if len(text) > most {
		text = strings.ToValidUTF8(text[:most], "") + "…"
	}
	return fmt.Sprintf("%q", text)
}

// holds reports whether the ignore is for a finding, on the day now.
func (g *ignore) holds(f *finding.Finding, now time.Time) bool {
	if f.Location.File != g.at.File || f.Location.Line != g.line {
		return false
	}
	if g.until != "" && now.Format(time.DateOnly) > g.until {
		return false
	}
	for _, id := range g.rules {
		if id == f.Rule {
			return true
		}
	}
	return false
}
