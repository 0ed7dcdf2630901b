package javasource

import "example.com/kneeline/analyze/lint/model"

const (
	// maxArgs bounds the arguments of one call.
	maxArgs = 16
	// maxGeneric bounds the tokens between < and >.
	maxGeneric = 64
)

// behindGeneric is the token behind the type arguments that begin at i, i itself where
// none do.
func (s *source) behindGeneric(i int) int {
	if s.char(i) != '<' {
		return i
	}
	depth := 0
	for j := i; j < len(s.tokens) && j < i+maxGeneric; j++ {
		switch c := s.char(j); {
		case c == '<':
			depth++
		case c == '>':
			if depth--; depth == 0 {
				return j + 1
			}
		case s.tokens[j].kind == word, c == ',', c == '.', c == '?', c == '&', c == '[', c == ']', c == '@':
		default:
			return i
		}
	}
	return i
}

// args splits what stands between the bracket at open and its other one.
func (s *source) args(open int) ([]span, bool) {
	end := int(s.match[open])
	if end < 0 {
		return nil, false
	}
	var out []span
	from := open + 1
	for i := from; i < end; i++ {
		switch c := s.char(i); {
		case (c == '(' || c == '[' || c == '{') && s.match[i] > 0:
			i = int(s.match[i])
		case c == '<':
			if behind := s.behindGeneric(i); behind > i && behind <= end {
				i = behind - 1
			}
		case c == ',':
			if out = append(out, span{from, i}); len(out) == maxArgs {
				return nil, false
			}
			from = i + 1
		}
	}
	if from < end {
		out = append(out, span{from, end})
	}
	return out, true
}

// creates reads new a.b.Name<…>( at i: the class, and the arguments.
func (s *source) creates(i int) (class string, args []span, ok bool) {
	if s.word(i) != "new" || s.word(i+1) == "" {
		return "", nil, false
	}
	i++
	for s.char(i+1) == '.' && s.word(i+2) != "" {
		i += 2
	}
	class = s.word(i)
	open := s.behindGeneric(i + 1)
	if s.char(open) != '(' {
		return "", nil, false
	}
	args, ok = s.args(open)
	return class, args, ok
}

// assigned is the name that what begins at i is assigned to, empty where it is none.
func (s *source) assigned(i int) string {
	if s.char(i-1) != '=' {
		return ""
	}
	return s.word(i - 2)
}

// position is the place of tokens.
func (s *source) position(e span) model.Position {
	t := s.tokens[e.from]
	return model.Position{File: s.name, Line: int(t.line), Column: int(t.column), Offset: int(t.from), End: int(s.tokens[e.to-1].to)}
}
