package read

import (
	"strings"

	"example.com/kneeline/analyze/lint/model"
)

// Original returns the text of the file at a place, with the template expressions that
// stand there.
func (in *Input) Original(at model.Position) string {
	var out strings.Builder
	from := at.Offset
	for from < at.End {
		h := in.HoleAt(from, at.End)
		if h == nil || h.At.Offset < from {
			break
		}
		out.Write(in.Data[from:h.At.Offset])
		out.WriteString(h.Raw)
		from = h.At.End
	}
	if from < at.End {
		out.Write(in.Data[from:at.End])
	}
	return out.String()
}

// Shown returns a text of the file as reports write it: as the file has it where a
// template expression stands in it.
func (in *Input) Shown(text string, at model.Position) string {
	if in.HoleAt(at.Offset, at.End) != nil {
		return in.Original(at)
	}
	return text
}
