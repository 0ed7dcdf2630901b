package cmd

import (
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// flagHeading is the annotation of a flag that names its group in help.
const flagHeading = "heading"

// under declares flags that help lists together below a heading. Groups stand in
// the order in which their first flags were declared.
func under(f *pflag.FlagSet, heading string, declare func()) {
	before := map[string]bool{}
	f.VisitAll(func(fl *pflag.Flag) { before[fl.Name] = true })
	declare()
	f.VisitAll(func(fl *pflag.Flag) {
		if !before[fl.Name] && fl.Annotations[flagHeading] == nil {
			must(f.SetAnnotation(fl.Name, flagHeading, []string{heading}))
		}
	})
}

// writeFlags lists the flags of c, by group where they have headings.
func writeFlags(b *strings.Builder, c *cobra.Command) {
	own := c.LocalNonPersistentFlags() // a new set, which sorts unless told
	own.SortFlags = c.Flags().SortFlags
	var order []string
	groups := map[string]*pflag.FlagSet{}
	own.VisitAll(func(fl *pflag.Flag) {
		heading := ""
		if h := fl.Annotations[flagHeading]; h != nil {
			heading = h[0]
		}
		g := groups[heading]
		if g == nil {
			g = pflag.NewFlagSet(heading, pflag.ContinueOnError)
			g.SortFlags = own.SortFlags
			groups[heading] = g
			if heading != "" {
				order = append(order, heading)
			}
		}
		g.AddFlag(fl)
	})
	for _, heading := range order {
		section(b, heading, groups[heading].FlagUsagesWrapped(helpWidth))
	}
	if rest := groups[""]; rest != nil && rest.HasAvailableFlags() {
		title := "Flags"
		if len(order) > 0 {
			title = "Other flags"
		}
		section(b, title, rest.FlagUsagesWrapped(helpWidth))
	}
}
