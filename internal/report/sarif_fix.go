package report

import (
	"strings"
	"unicode/utf8"

	"example.com/kneeline/internal/finding"
)

type (
	sarifFix struct { // 3.55
		Description sarifText     `json:"description"`
		Changes     []sarifChange `json:"artifactChanges"`
	}
	sarifChange struct { // 3.56
		Artifact     sarifArtifact      `json:"artifactLocation"`
		Replacements []sarifReplacement `json:"replacements"`
	}
	sarifReplacement struct { // 3.57
		Deleted  sarifSpan     `json:"deletedRegion"`
		Inserted *sarifContent `json:"insertedContent,omitempty"`
	}
	sarifContent struct { // 3.3
		Text string `json:"text"`
	}
	sarifSpan struct { // 3.30
		StartLine   int `json:"startLine"`
		StartColumn int `json:"startColumn"`
		EndLine     int `json:"endLine"`
		EndColumn   int `json:"endColumn"`
	}
)

// sarifEdits are the edits of a finding as a fix, file by file.
func sarifEdits(f finding.Finding) sarifFix {
	fix := sarifFix{Description: sarifText{Text: clean(f.Remediation)}}
	at := map[string]int{}
	for _, e := range f.Edits {
		i, ok := at[e.File]
		if !ok {
			i = len(fix.Changes)
			at[e.File] = i
			fix.Changes = append(fix.Changes, sarifChange{Artifact: sarifArtifact{uri(e.File)}})
		}
		r := sarifReplacement{Deleted: spanOf(e)}
		if e.New != "" {
			r.Inserted = &sarifContent{e.New}
		}
		fix.Changes[i].Replacements = append(fix.Changes[i].Replacements, r)
	}
	return fix
}

// spanOf is what an edit takes out, from the first character to behind the last.
func spanOf(e finding.Edit) sarifSpan {
	s := sarifSpan{StartLine: e.Line, StartColumn: e.Column, EndLine: e.Line + strings.Count(e.Old, "\n")}
	last := e.Old[strings.LastIndexByte(e.Old, '\n')+1:]
	s.EndColumn = utf8.RuneCountInString(last) + 1
	if s.EndLine == s.StartLine {
		s.EndColumn += s.StartColumn - 1
	}
	return s
}
