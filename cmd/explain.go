package cmd

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"example.com/kneeline/internal/fault"
	"example.com/kneeline/internal/finding"
	"example.com/kneeline/internal/meta"
	"example.com/kneeline/internal/report"
)

// explainResult is what `kneeline explain -o json` writes.
type explainResult struct {
	Schema string       `json:"schema"`
	Rule   finding.Rule `json:"rule"`
}

func newExplain(a *app) *cobra.Command {
	return &cobra.Command{
		Use:               "explain RULE",
		Short:             "Explain a finding: what, why, formula, source, fix",
		Example:           examples("explain LOD-01", "by its ID", "explain goodput-collapses -o html=page.html", "by its name"),
		GroupID:           groupReference,
		Args:              oneArg("the ID or name of a rule"),
		ValidArgsFunction: completeRules,
		RunE:              func(_ *cobra.Command, args []string) error { return runExplain(a, args[0]) },
	}
}

func runExplain(a *app, id string) error {
	rules, err := allRules()
	if err != nil {
		return err
	}
	rule, ok := rules.Lookup(id)
	if !ok {
		hint := fmt.Sprintf("'%s rules' lists the rules", meta.Name)
		if near := rules.Suggest(id); len(near) > 0 {
			hint = fmt.Sprintf("did you mean %s?", strings.Join(near, " or "))
		}
		return fault.WithHint(fault.Usagef("unknown rule %q", id), hint)
	}
	return a.out.write(result{
		JSON:   explainResult{meta.Name + ".explain/v1", rule},
		Report: rulePage(rule),
	})
}

// rulePage lays out a rule's page.
func rulePage(rule finding.Rule) *report.Report {
	r := &report.Report{
		Title:   rule.ID + " " + rule.Name,
		Verdict: report.Verdict{Text: fmt.Sprintf("%s: %s", rule.ID, rule.Title)},
	}
	r.Add(report.KeyValues{Items: []report.KeyValue{
		{Key: "Name", Value: rule.Name},
		{Key: "Severity", Value: rule.Severity.String()},
		{Key: "Since", Value: rule.Since},
	}})
	for _, s := range rule.Page() {
		r.Add(report.Heading{Text: s.Heading})
		if s.Code {
			r.Add(report.Code{Text: strings.Join(s.Lines, "\n")})
			continue
		}
		for _, line := range s.Lines {
			r.Add(report.Paragraph{Text: line})
		}
	}
	return r
}

// completeRules completes the IDs of rules, with their titles.
func completeRules(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
	rules, err := allRules()
	if err != nil || len(args) > 0 {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	var out []string
	for _, r := range rules.All() {
		out = append(out, cobra.CompletionWithDesc(r.ID, r.Title))
	}
	return out, cobra.ShellCompDirectiveNoFileComp
}
