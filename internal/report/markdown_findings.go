package report

import "fmt"

func (m *markdown) findings(f Findings) {
	m.bold(f.Caption)
	if len(f.Findings) == 0 {
		m.para("%s", md(f.none()))
	}
	for _, it := range f.Findings {
		fmt.Fprintf(m, "- **%s** %s %s\n", md(it.Severity.String()), mdSpan(it.Rule), md(it.Message))
		if at := it.Location.String(); at != "" {
			fmt.Fprintf(m, "  - where: %s\n", mdSpan(at))
		}
		for _, e := range it.Evidence {
			fmt.Fprintf(m, "  - %s: %s\n", md(e.Name), md(e.Value))
		}
		if it.Remediation != "" {
			fmt.Fprintf(m, "  - fix: %s\n", md(it.Remediation))
		}
	}
	m.WriteString("\n")
}
