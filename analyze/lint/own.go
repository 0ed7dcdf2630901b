package lint

import "example.com/kneeline/analyze/lint/model"

// Own is what a file comes to that takes part in a run without a format of ours: a
// topology, or an application's own settings. Format is what it is called; comments in it
// leave findings out as in others.
func Own(name string, data []byte, format string) Collected {
	out := Collected{Name: name, State: Recognised}
	out.wide = wideOf(data)
	out.Documents = []*model.Document{{File: name, Line: 1, Format: format}}
	out.ignores, out.Problems = findIgnores(name, data)
	return out
}
