package cmd

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"example.com/kneeline/internal/fault"
	"example.com/kneeline/internal/nearest"
)

// enumValue is a flag that takes one of a few words.
type enumValue struct {
	value   *string
	allowed []string
}

func (e *enumValue) String() string {
	if e.value == nil {
		return ""
	}
	return *e.value
}

func (e *enumValue) Set(s string) error {
	if !slices.Contains(e.allowed, s) {
		return fmt.Errorf("expected one of %s, found %q", strings.Join(e.allowed, ", "), s)
	}
	*e.value = s
	return nil
}

// longestChoice is how long the words of a flag may be, joined, to stand in help
// in place of its value.
const longestChoice = 30

// Type returns what stands for the value in help.
func (e *enumValue) Type() string {
	if all := strings.Join(e.allowed, "|"); len(all) <= longestChoice {
		return all
	}
	return "NAME"
}

// enumVar declares a flag that takes one of the allowed words, and completes
// them. flags are cmd's own or its persistent flags.
func enumVar(cmd *cobra.Command, flags *pflag.FlagSet, p *string, name, value, usage string, allowed ...string) {
	*p = value
	v := &enumValue{p, allowed}
	if v.Type() == "NAME" {
		usage += ": " + strings.Join(allowed, ", ")
	}
	flags.Var(v, name, usage)
	must(cmd.RegisterFlagCompletionFunc(name, cobra.FixedCompletions(allowed, cobra.ShellCompDirectiveNoFileComp)))
}

// flagError turns the flag library's errors into usage errors in our words.
func flagError(c *cobra.Command, err error) error {
	var (
		unknown *pflag.NotExistError
		missing *pflag.ValueRequiredError
		invalid *pflag.InvalidValueError
	)
	switch {
	case errors.Is(err, pflag.ErrHelp):
		return err
	case errors.As(err, &unknown):
		return unknownFlag(c, unknown)
	case errors.As(err, &missing):
		f := missing.GetFlag()
		what, _ := pflag.UnquoteUsage(f)
		return fault.Usagef("--%s: expected a value (%s), found nothing", f.Name, what)
	case errors.As(err, &invalid):
		return badValue("--"+invalid.GetFlag().Name, invalid.GetFlag(), invalid.GetValue(), invalid.Unwrap())
	}
	return fault.Usagef("%w", err)
}

func unknownFlag(c *cobra.Command, unknown *pflag.NotExistError) error {
	name := unknown.GetSpecifiedName()
	if group := unknown.GetSpecifiedShortnames(); group != "" {
		err := fault.Usagef("unknown flag -%s", name)
		if len(group) > 1 {
			// "-peak" is read as four letters; most likely one flag was meant.
			return fault.WithHint(err, "flags of several letters begin with two dashes: --"+group)
		}
		return err
	}
	err := fault.Usagef("unknown flag --%s", name)
	var names []string
	c.Flags().VisitAll(func(f *pflag.Flag) {
		if !f.Hidden {
			names = append(names, f.Name)
		}
	})
	if near, ok := nearest.To(name, names); ok {
		return fault.WithHint(err, fmt.Sprintf("did you mean --%s?", near))
	}
	return err
}

// badValue is the error of a value that a flag does not take. where names the
// flag, the variable or the file and key that had it.
func badValue(where string, f *pflag.Flag, value string, cause error) error {
	if f.Value.Type() == "bool" {
		return fault.Usagef("%s: expected true or false, found %q", where, value)
	}
	var e *fault.Error
	if errors.As(cause, &e) && e.Hint != "" {
		return fault.WithHint(fault.Usagef("%s: %w", where, cause), e.Hint)
	}
	return fault.Usagef("%s: %w", where, cause)
}
