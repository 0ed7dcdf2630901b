package cmd

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"example.com/kneeline/internal/fault"
	"example.com/kneeline/internal/meta"
	"example.com/kneeline/internal/nearest"
	"example.com/kneeline/internal/term"
)

// globalOptions are the flags that every command has.
type globalOptions struct {
	output     []string
	color      string
	quiet      bool
	verbose    bool
	cpuProfile string
}

// The groups of commands in help.
const (
	groupMeasure   = "measure"
	groupReference = "reference"
	groupProgram   = "program"
)

// NewRoot returns the tree of commands for tools that describe it, such as the
// generator of man pages.
func NewRoot() *cobra.Command { return newRoot(newApp(State{}.withDefaults())) }

func newRoot(a *app) *cobra.Command {
	root := &cobra.Command{
		Use:   meta.Name,
		Short: "Find how much load a service takes, and what happens past that",
		Example: examples(
			"headroom", "the built-in demo service: capacity, and what a queue of 5,000 does",
			"headroom http://127.0.0.1:8080/feed --peak 800/s", "your own service",
			"gc gc.log", "was the garbage collector the overload?",
			"lint .", "timeouts, retries, queues and pools in configuration files that do harm",
			"explain LOD-01", "what a finding means"),
		Version:           versionOf(a.Build).line(),
		Args:              unknownCommand,
		RunE:              func(c *cobra.Command, _ []string) error { return c.Help() },
		SilenceErrors:     true,
		SilenceUsage:      true,
		DisableAutoGenTag: true,
		PersistentPreRunE: func(c *cobra.Command, _ []string) error { return a.prepare(c) },
	}
	root.CompletionOptions.SetDefaultShellCompDirective(cobra.ShellCompDirectiveNoFileComp)
	root.SetIn(a.Stdin)
	root.SetOut(a.Stdout)
	root.SetErr(a.Stderr)
	root.SetFlagErrorFunc(flagError)
	root.AddGroup(
		&cobra.Group{ID: groupMeasure, Title: "Measure a service"},
		&cobra.Group{ID: groupReference, Title: "Look things up"},
		&cobra.Group{ID: groupProgram, Title: "The program itself"},
	)
	a.addGlobalFlags(root)
	for _, c := range commands(a) {
		root.AddCommand(c)
	}
	root.AddCommand(helpTopics()...)
	root.SetHelpFunc(a.help)
	root.SetUsageFunc(func(c *cobra.Command) error { a.help(c, nil); return nil })
	root.SetHelpCommand(newHelp(a))
	root.SetHelpCommandGroupID(groupProgram)
	root.SetCompletionCommandGroupID(groupProgram)
	root.InitDefaultCompletionCmd()
	for _, c := range root.Commands() {
		if c.Name() == "completion" {
			describeCompletion(c)
		}
	}
	return root
}

func (a *app) addGlobalFlags(root *cobra.Command) {
	flags := root.PersistentFlags()
	flags.SortFlags = false
	g := &a.global
	flags.StringArrayVarP(&g.output, "output", "o", nil, "write the result as `FORMAT[=PATH]`, may be repeated (see 'help output')")
	enumVar(root, flags, &g.color, "color", "auto", "when to colour text", term.Modes...)
	flags.BoolVarP(&g.quiet, "quiet", "q", false, "no progress, notes or warnings on stderr")
	flags.BoolVarP(&g.verbose, "verbose", "v", false, "say more on stderr")
	flags.StringVar(&g.cpuProfile, "debug-cpuprofile", "", "write a CPU profile of the program to `FILE`")
	must(flags.MarkHidden("debug-cpuprofile"))
	onlyByHand(flags, "debug-cpuprofile")
	notFromProject(flags, "output")
	must(root.RegisterFlagCompletionFunc("output", func(c *cobra.Command, _ []string, _ string) ([]string, cobra.ShellCompDirective) {
		return formatsOf(c), cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveNoSpace
	}))
}

// prepare does what comes before any command's own code.
func (a *app) prepare(c *cobra.Command) error {
	if err := a.applySettings(c); err != nil {
		return err
	}
	a.quiet, a.verbose = a.global.quiet, a.global.verbose
	if a.quiet && a.verbose {
		return fault.Usagef("--quiet and --verbose contradict each other")
	}
	a.warnOfUnknownVariables(c.Root())
	var err error
	if a.out, err = newOutput(a, c, a.global.output); err != nil {
		return err
	}
	if path := a.global.cpuProfile; path != "" {
		a.profile, err = startCPUProfile(path)
	}
	return err
}

// colorOn decides whether to colour a stream.
func (a *app) colorOn(tty bool) bool {
	mode, err := term.ParseMode(a.global.color)
	return err == nil && term.UseColor(mode, a.Getenv, tty)
}

// progressOn decides whether to draw a live view on stderr.
func (a *app) progressOn() bool {
	return a.StderrTTY && !a.quiet && a.Getenv("TERM") != "dumb"
}

// unknownCommand refuses arguments of a command that has only subcommands.
func unknownCommand(c *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	err := fault.Usagef("unknown command %q for %q", args[0], c.CommandPath())
	var names []string
	for _, sub := range c.Commands() {
		if !sub.Hidden {
			names = append(names, sub.Name())
		}
	}
	if near, ok := nearest.To(args[0], names); ok {
		return fault.WithHint(err, "did you mean '"+c.CommandPath()+" "+near+"'?")
	}
	return err
}

// noArgs refuses arguments.
func noArgs(c *cobra.Command, args []string) error {
	if len(args) > 0 {
		return fault.Usagef("%s takes no arguments, found %q", c.CommandPath(), args[0])
	}
	return nil
}

// oneArg wants one argument, which is called what.
func oneArg(what string) cobra.PositionalArgs {
	return func(c *cobra.Command, args []string) error {
		switch {
		case len(args) == 0:
			return fault.Usagef("%s: expected %s, found nothing", c.CommandPath(), what)
		case len(args) > 1:
			return fault.Usagef("%s: expected %s, found a second argument %q", c.CommandPath(), what, args[1])
		}
		return nil
	}
}

// optionalArg wants at most one argument, which is called what.
func optionalArg(what string) cobra.PositionalArgs {
	one := oneArg("at most " + what)
	return func(c *cobra.Command, args []string) error {
		if len(args) == 0 {
			return nil
		}
		return one(c, args)
	}
}

// examples lays out examples of a command, given as pairs of the arguments after
// the program's name and what they do, which may be empty. Remarks stand beside
// the commands where all fit, else above them.
func examples(pairs ...string) string {
	width, remark := 0, 0
	for p := range slices.Chunk(pairs, 2) {
		width = max(width, len(p[0]))
		remark = max(remark, len(p[1]))
	}
	prefix := "  " + meta.Name + " "
	beside := len(prefix)+width+len("  # ")+remark <= helpWidth
	var b strings.Builder
	for p := range slices.Chunk(pairs, 2) {
		switch {
		case p[1] == "":
			b.WriteString(prefix + p[0] + "\n")
		case beside:
			b.WriteString(prefix + p[0] + strings.Repeat(" ", width-len(p[0])) + "  # " + p[1] + "\n")
		default:
			b.WriteString("  # " + p[1] + "\n" + prefix + p[0] + "\n")
		}
	}
	return strings.TrimRight(b.String(), "\n")
}

// must panics on an error that only a mistake in this package can cause.
func must(err error) {
	if err != nil {
		panic(err)
	}
}
