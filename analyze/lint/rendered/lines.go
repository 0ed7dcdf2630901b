package rendered

import (
	"strings"
)

// Lines finds lines of a template.
type Lines struct {
	template, stream []string
	// exact and keyed are the template's lines by what they say, and by what stands
	// before an expression.
	exact, keyed map[string][]int
}

// NewLines returns a finder for one template and its part of the stream.
func NewLines(template, part []byte) *Lines {
	l := &Lines{template: trimmed(template), stream: trimmed(part), exact: map[string][]int{}, keyed: map[string][]int{}}
	for i, line := range l.template {
		l.exact[line] = append(l.exact[line], i)
		if before, _, ok := strings.Cut(line, "{{"); ok {
			if key := keyOf(before); key != "" {
				l.keyed[key] = append(l.keyed[key], i)
			}
		}
	}
	return l
}

func trimmed(data []byte) []string {
	lines := strings.Split(string(data), "\n")
	for i := range lines {
		lines[i] = strings.TrimSpace(lines[i])
	}
	return lines
}

// keyOf is the key that a line of YAML begins with, with its colon.
func keyOf(line string) string {
	i := strings.IndexByte(line, ':')
	if i < 0 {
		return ""
	}
	return line[:i+1]
}

// Of returns the line of the template that line n of the stream comes from, both
// counted from 1, and 0 where that is not clear: a line that a helper of the chart
// writes, or one that several look like.
func (l *Lines) Of(n int) int {
	if n < 1 || n > len(l.stream) || l.stream[n-1] == "" {
		return 0
	}
	line := l.stream[n-1]
	candidates := l.exact[line]
	if len(candidates) == 0 {
		candidates = l.keyed[keyOf(line)]
	}
	best, score, tied := 0, -1, false
	for _, c := range candidates {
		switch s := l.likeness(c, n-1); {
		case s > score:
			best, score, tied = c+1, s, false
		case s == score:
			tied = true
		}
	}
	if tied {
		return 0
	}
	return best
}

// around is how many lines on either side tell lines apart that look alike.
const around = 12

// likeness is how many lines before and after a place in the template are before and
// after the place in the stream too, the nearest counting most.
func (l *Lines) likeness(inTemplate, inStream int) int {
	score := 0
	for _, step := range []int{-1, 1} {
		s := inStream
		for d := 1; d <= around; d++ {
			t := inTemplate + step*d
			if t < 0 || t >= len(l.template) {
				break
			}
			for k := 1; k <= around; k++ {
				at := s + step*k
				if at < 0 || at >= len(l.stream) {
					break
				}
				if l.alike(l.template[t], l.stream[at]) {
					score += around + 1 - d
					s = at
					break
				}
			}
		}
	}
	return score
}

func (l *Lines) alike(template, stream string) bool {
	if template == "" || stream == "" {
		return false
	}
	before, _, ok := strings.Cut(template, "{{")
	return template == stream || ok && strings.TrimSpace(before) != "" && strings.HasPrefix(stream, strings.TrimSpace(before))
}
