package cmd

import (
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"example.com/kneeline/internal/fault"
	"example.com/kneeline/internal/meta"
)

// helpWidth is the width at which help is wrapped.
const helpWidth = 80

// newHelp returns the help command. It differs from the library's in that an
// unknown topic is an error.
func newHelp(a *app) *cobra.Command {
	c := &cobra.Command{
		Use:   "help [COMMAND | TOPIC]",
		Short: "Help on a command or a topic",
		Args: func(c *cobra.Command, args []string) error {
			if found, rest, err := c.Root().Find(args); err != nil || len(rest) > 0 && found != c {
				return fault.WithHint(
					fault.Usagef("no help on %q", strings.Join(args, " ")),
					fmt.Sprintf("'%s help' lists commands and topics", meta.Name))
			}
			return nil
		},
		// Help must work when a settings file does not.
		PersistentPreRunE: func(*cobra.Command, []string) error { return nil },
		RunE: func(c *cobra.Command, args []string) error {
			found, _, err := c.Root().Find(args)
			if err != nil {
				return err
			}
			found.InitDefaultHelpFlag()
			a.help(found, nil)
			return nil
		},
		ValidArgsFunction: func(c *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
			found, _, err := c.Root().Find(args)
			if err != nil {
				return nil, cobra.ShellCompDirectiveNoFileComp
			}
			var names []string
			for _, sub := range found.Commands() {
				if !sub.Hidden {
					names = append(names, cobra.CompletionWithDesc(sub.Name(), sub.Short))
				}
			}
			return names, cobra.ShellCompDirectiveNoFileComp
		},
	}
	withoutResult(c)
	return c
}

// help writes the help of c to stdout: what it is for, examples first, then
// usage and flags.
func (a *app) help(c *cobra.Command, _ []string) {
	var b strings.Builder
	b.WriteString(c.Short + "\n")
	if c.Example != "" {
		section(&b, "Examples", c.Example)
	}
	if c.Runnable() || c.HasAvailableSubCommands() {
		section(&b, "Usage", "  "+c.UseLine())
	}
	if c.Long != "" {
		b.WriteString("\n" + wrapProse(c.Long) + "\n")
	}
	if c.HasAvailableSubCommands() {
		writeCommands(&b, c)
	}
	if c.HasAvailableLocalFlags() && c.HasParent() && !c.IsAdditionalHelpTopicCommand() {
		writeFlags(&b, c)
	}
	if c.Runnable() || c.HasAvailableSubCommands() {
		section(&b, "Flags of every command", c.Root().PersistentFlags().FlagUsagesWrapped(helpWidth))
	}
	if !c.HasParent() {
		b.WriteString(wrapList("\nMore help", fmt.Sprintf("'%s COMMAND --help'", meta.Name), topicNames(c)) + "\n")
	}
	io.WriteString(a.Stdout, b.String()) // nobody is left to tell if this fails
}

func section(b *strings.Builder, title, text string) {
	fmt.Fprintf(b, "\n%s:\n%s\n", title, strings.TrimRight(text, "\n"))
}

// writeCommands lists the commands under c by group.
func writeCommands(b *strings.Builder, c *cobra.Command) {
	width := 0
	for _, sub := range c.Commands() {
		if sub.IsAvailableCommand() {
			width = max(width, len(sub.Name()))
		}
	}
	list := func(title, group string) {
		var lines strings.Builder
		for _, sub := range c.Commands() {
			if sub.IsAvailableCommand() && sub.GroupID == group {
				short := wrapText(sub.Short, helpWidth-width-4)
				short = strings.ReplaceAll(short, "\n", "\n"+strings.Repeat(" ", width+4))
				fmt.Fprintf(&lines, "  %-*s  %s\n", width, sub.Name(), short)
			}
		}
		if lines.Len() > 0 {
			section(b, title, lines.String())
		}
	}
	for _, g := range c.Groups() {
		list(g.Title, g.ID)
	}
	list("Commands", "")
}

// wrapProse wraps the paragraphs of text; one with indented lines is laid out
// already and stays as it is.
func wrapProse(text string) string {
	paragraphs := strings.Split(strings.Trim(text, "\n"), "\n\n")
	for i, p := range paragraphs {
		if !strings.HasPrefix(p, " ") && !strings.Contains(p, "\n ") {
			paragraphs[i] = wrapText(p, helpWidth)
		}
	}
	return strings.Join(paragraphs, "\n\n")
}

// wrapText breaks text into lines of at most width characters.
func wrapText(text string, width int) string {
	var lines []string
	line := ""
	for _, word := range strings.Fields(text) {
		if line != "" && utf8.RuneCountInString(line)+1+utf8.RuneCountInString(word) > width {
			lines = append(lines, line)
			line = ""
		}
		if line != "" {
			line += " "
		}
		line += word
	}
	return strings.Join(append(lines, line), "\n")
}

func topicNames(root *cobra.Command) []string {
	var names []string
	for _, c := range root.Commands() {
		if c.IsAdditionalHelpTopicCommand() {
			names = append(names, fmt.Sprintf("'%s help %s'", meta.Name, c.Name()))
		}
	}
	return names
}

// wrapList writes "title: first, item, item" wrapped at helpWidth.
func wrapList(title, first string, items []string) string {
	lines := []string{title + ": " + first}
	for _, item := range items {
		last := &lines[len(lines)-1]
		if len(*last)+2+len(item) > helpWidth {
			*last += ","
			lines = append(lines, "  "+item)
			continue
		}
		*last += ", " + item
	}
	return strings.Join(lines, "\n")
}
