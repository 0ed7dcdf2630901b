package report

import (
	"encoding/json"
	"io"
	"strings"

	"example.com/kneeline/internal/finding"
)

// The parts of SARIF 2.1.0 that are written (OASIS standard of 27 March 2020; the
// number behind a type is its section).
type (
	sarifLog struct { // 3.13
		Schema  string     `json:"$schema"`
		Version string     `json:"version"`
		Runs    []sarifRun `json:"runs"`
	}
	sarifRun struct { // 3.14
		Tool        sarifTool         `json:"tool"`
		Invocations []sarifInvocation `json:"invocations"`
		ColumnKind  string            `json:"columnKind"`
		Results     []sarifResult     `json:"results"`
	}
	sarifTool struct { // 3.18
		Driver sarifDriver `json:"driver"`
	}
	sarifDriver struct { // 3.19
		Name    string      `json:"name"`
		Version string      `json:"version,omitempty"`
		Rules   []sarifRule `json:"rules"`
	}
	sarifRule struct { // 3.49
		ID               string             `json:"id"`
		Name             string             `json:"name"`
		ShortDescription sarifText          `json:"shortDescription"`
		FullDescription  sarifText          `json:"fullDescription"`
		Help             sarifText          `json:"help"`
		Default          sarifConfiguration `json:"defaultConfiguration"`
	}
	sarifConfiguration struct { // 3.50
		Level string `json:"level"`
	}
	sarifText struct { // 3.11, 3.12
		Text     string `json:"text"`
		Markdown string `json:"markdown,omitempty"`
	}
	sarifInvocation struct { // 3.20
		Successful    bool                `json:"executionSuccessful"`
		Notifications []sarifNotification `json:"toolExecutionNotifications,omitempty"`
	}
	sarifNotification struct { // 3.58
		Level     string          `json:"level"`
		Message   sarifText       `json:"message"`
		Locations []sarifLocation `json:"locations,omitempty"`
	}
	sarifResult struct { // 3.27
		RuleID       string             `json:"ruleId"`
		RuleIndex    *int               `json:"ruleIndex,omitempty"`
		Level        string             `json:"level"`
		Message      sarifText          `json:"message"`
		Locations    []sarifLocation    `json:"locations,omitempty"`
		Fingerprints map[string]string  `json:"partialFingerprints,omitempty"`
		Suppressions []sarifSuppression `json:"suppressions,omitempty"`
		State        string             `json:"baselineState,omitempty"`
		Fixes        []sarifFix         `json:"fixes,omitempty"`
	}
	sarifSuppression struct { // 3.35
		Kind          string `json:"kind"`
		Justification string `json:"justification,omitempty"`
	}
	sarifLocation struct { // 3.28
		Physical *sarifPhysical `json:"physicalLocation,omitempty"`
		Logical  []sarifLogical `json:"logicalLocations,omitempty"`
	}
	sarifPhysical struct { // 3.29
		Artifact sarifArtifact `json:"artifactLocation"`
		Region   *sarifRegion  `json:"region,omitempty"`
	}
	sarifArtifact struct { // 3.4
		URI string `json:"uri"`
	}
	sarifRegion struct { // 3.30
		StartLine   int `json:"startLine"`
		StartColumn int `json:"startColumn,omitempty"`
	}
	sarifLogical struct { // 3.33
		Name string `json:"fullyQualifiedName"`
	}
)

// fingerprintName names the kind of fingerprint in SARIF; the number is that of the
// recipe.
const fingerprintName = "kneelineFinding/v1"

// SARIF writes findings as a log of SARIF 2.1.0. Rules bring their whole pages, so
// that a viewer needs no network; findings that are left out are there as suppressed.
func SARIF(w io.Writer, is Issues) error {
	run := sarifRun{
		Tool:        sarifTool{sarifDriver{Name: is.Tool, Version: is.Version, Rules: []sarifRule{}}},
		Invocations: []sarifInvocation{{Successful: true, Notifications: sarifProblems(is.Problems)}},
		ColumnKind:  "unicodeCodePoints",
		Results:     []sarifResult{},
	}
	index := map[string]int{}
	for i, r := range is.Rules {
		index[r.ID] = i
		run.Tool.Driver.Rules = append(run.Tool.Driver.Rules, sarifPage(r))
	}
	all := make([]finding.Finding, 0, len(is.Findings)+len(is.Suppressed))
	all = append(all, is.Findings...)
	for _, s := range is.Suppressed {
		all = append(all, s.Finding)
	}
	all = append(append(all, is.Known...), is.Gone...)
	ids := fingerprints(all)
	for i, f := range all {
		res := sarifFinding(f, ids[i])
		if at, ok := index[f.Rule]; ok {
			res.RuleIndex = &at
		}
		res.State = is.state(i)
		if n := i - len(is.Findings); n >= 0 && n < len(is.Suppressed) {
			res.Suppressions = []sarifSuppression{{Kind: "inSource", Justification: clean(is.Suppressed[n].Reason)}}
		}
		run.Results = append(run.Results, res)
	}
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	return enc.Encode(sarifLog{Schema: "https://json.schemastore.org/sarif-2.1.0.json", Version: "2.1.0", Runs: []sarifRun{run}})
}

// state is how the i-th of all results stands to what the run was compared with.
func (is Issues) state(i int) string {
	switch n := i - len(is.Findings) - len(is.Suppressed); {
	case !is.Compared:
		return ""
	case i < len(is.Findings):
		return "new"
	case n >= len(is.Known):
		return "absent"
	}
	return "unchanged"
}

func sarifFinding(f finding.Finding, id string) sarifResult {
	text := clean(f.Message)
	if more := explanation(f); len(more) > 0 {
		text += "\n" + strings.Join(more, "\n")
	}
	r := sarifResult{RuleID: f.Rule, Level: f.Severity.String(), Message: sarifText{Text: text}}
	if id != "" {
		r.Fingerprints = map[string]string{fingerprintName: id}
	}
	if l, ok := sarifPlace(f.Location); ok {
		r.Locations = []sarifLocation{l}
	}
	if len(f.Edits) > 0 {
		r.Fixes = []sarifFix{sarifEdits(f)}
	}
	return r
}

func sarifPlace(at finding.Location) (sarifLocation, bool) {
	var l sarifLocation
	if at.File != "" {
		l.Physical = &sarifPhysical{Artifact: sarifArtifact{uri(at.File)}}
		if at.Line > 0 {
			l.Physical.Region = &sarifRegion{StartLine: at.Line, StartColumn: max(at.Column, 0)}
		}
	}
	if name := clean(at.Object); name != "" {
		l.Logical = []sarifLogical{{name}}
	}
	return l, l.Physical != nil || l.Logical != nil
}

func sarifProblems(all []Unread) []sarifNotification {
	var out []sarifNotification
	for _, p := range all {
		n := sarifNotification{Level: "warning", Message: sarifText{Text: clean(p.Message)}}
		if l, ok := sarifPlace(finding.Location{File: p.File, Line: p.Line, Column: p.Column}); ok {
			n.Locations = []sarifLocation{l}
		}
		out = append(out, n)
	}
	return out
}

// sarifPage is a rule's page as help text and as Markdown.
func sarifPage(r finding.Rule) sarifRule {
	var text, markdown strings.Builder
	for _, s := range r.Page() {
		text.WriteString(s.Heading + "\n")
		markdown.WriteString("## " + s.Heading + "\n\n")
		for _, line := range s.Lines {
			if s.Code {
				text.WriteString("  " + line + "\n")
				markdown.WriteString("    " + line + "\n")
				continue
			}
			text.WriteString(line + "\n")
			markdown.WriteString(md(line) + "\n\n")
		}
		text.WriteString("\n")
		markdown.WriteString("\n")
	}
	return sarifRule{
		ID: r.ID, Name: r.Name,
		ShortDescription: sarifText{Text: r.Title},
		FullDescription:  sarifText{Text: strings.Join(strings.Fields(r.Why), " ")},
		Help:             sarifText{Text: strings.TrimSpace(text.String()), Markdown: strings.TrimSpace(markdown.String())},
		Default:          sarifConfiguration{r.Severity.String()},
	}
}
