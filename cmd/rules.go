package cmd

import (
	"fmt"

	"github.com/spf13/cobra"

	"example.com/kneeline/internal/finding"
	"example.com/kneeline/internal/meta"
	"example.com/kneeline/internal/report"
)

// rulesResult is what `kneeline rules -o json` writes.
type rulesResult struct {
	Schema string         `json:"schema"`
	Rules  []finding.Rule `json:"rules"`
}

func newRules(a *app) *cobra.Command {
	return &cobra.Command{
		Use:     "rules",
		Short:   "List the rules behind findings",
		Example: examples("rules", "", "rules -o json", ""),
		GroupID: groupReference,
		Args:    noArgs,
		RunE:    func(*cobra.Command, []string) error { return runRules(a) },
	}
}

func runRules(a *app) error {
	rules, err := allRules()
	if err != nil {
		return err
	}
	res := rulesResult{Schema: meta.Name + ".rules/v1", Rules: append([]finding.Rule{}, rules.All()...)}
	return a.out.write(result{JSON: res, Report: res.report()})
}

func (res rulesResult) report() *report.Report {
	families := map[string]bool{}
	t := report.Table{Columns: []report.Column{{Title: "rule"}, {Title: "severity"}, {Title: "what it finds"}}}
	for _, r := range res.Rules {
		families[r.ID[:3]] = true
		t.Rows = append(t.Rows, report.Row(r.ID, r.Severity.String(), r.Title))
	}
	r := &report.Report{
		Title:   "Rules",
		Verdict: report.Verdict{Text: count(len(res.Rules), "rule", "rules") + " in " + count(len(families), "family", "families")},
	}
	r.Add(t, report.Paragraph{Text: fmt.Sprintf("The page of a rule: %s explain RULE", meta.Name)})
	return r
}

// count writes a number with the word for one or for several.
func count(n int, one, several string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, several)
}
