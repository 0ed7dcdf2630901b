package cmd

import (
	"github.com/spf13/cobra"

	"example.com/kneeline/internal/meta"
)

// describeCompletion adapts the library's completion command to our ways: no
// result, and help that leads with examples.
func describeCompletion(c *cobra.Command) {
	c.Short = "Write the completion script of a shell"
	c.Long = ""
	c.Example = "  source <(" + meta.Name + " completion bash)\n" +
		"  " + meta.Name + " completion zsh > \"${fpath[1]}/_" + meta.Name + "\"\n" +
		"  " + meta.Name + " completion fish > ~/.config/fish/completions/" + meta.Name + ".fish\n" +
		"  " + meta.Name + " completion powershell | Out-String | Invoke-Expression"
	c.Args = unknownCommand
	c.RunE = func(c *cobra.Command, _ []string) error { return c.Help() }
	withoutResult(c)
	for _, shell := range c.Commands() {
		shell.Short = "The completion script of " + shell.Name()
		shell.Long = ""
		shell.Args = noArgs
		withoutResult(shell)
	}
}
