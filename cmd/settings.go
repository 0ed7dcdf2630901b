package cmd

import (
	"errors"
	"fmt"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"example.com/kneeline/internal/config"
	"example.com/kneeline/internal/fault"
	"example.com/kneeline/internal/meta"
	"example.com/kneeline/internal/nearest"
)

// Every flag can also be set by an environment variable and in a settings file.
// A flag --slo-at of the command headroom is KNEELINE_HEADROOM_SLO_AT, and
// slo-at in the section headroom; a flag that every command has is KNEELINE_COLOR
// and stands at the top of the file. The first of these wins: the flag, the
// variable, the project's file, the user's file.

const (
	// scopeAnnotation restricts where a flag may be set.
	scopeAnnotation = "scope"
	scopeByHand     = "flag"
	scopeNoProject  = "no-project"
)

// onlyByHand declares flags that are set on the command line alone.
func onlyByHand(flags *pflag.FlagSet, names ...string) { scope(flags, scopeByHand, names) }

// notFromProject declares flags that a project's file may not set: what a
// checked-out project must not be able to decide, such as which files to
// overwrite or which hosts may be loaded.
func notFromProject(flags *pflag.FlagSet, names ...string) { scope(flags, scopeNoProject, names) }

func scope(flags *pflag.FlagSet, value string, names []string) {
	for _, name := range names {
		must(flags.SetAnnotation(name, scopeAnnotation, []string{value}))
	}
}

func scopeOf(f *pflag.Flag) string {
	if v := f.Annotations[scopeAnnotation]; len(v) > 0 {
		return v[0]
	}
	return ""
}

// settable reports whether f can be set other than by hand.
func settable(f *pflag.Flag) bool {
	return f.Name != "help" && f.Name != "version" && scopeOf(f) != scopeByHand
}

// settingKey is where a flag stands in a file: the names of the commands and
// the flag's own, joined by dots.
func settingKey(c *cobra.Command, f *pflag.Flag) string {
	if isGlobal(c, f) {
		return f.Name
	}
	path := strings.Split(c.CommandPath(), " ")[1:]
	return strings.Join(append(path, f.Name), ".")
}

// variable is the environment variable for the setting at key.
func variable(key string) string {
	return meta.EnvPrefix + strings.ToUpper(strings.NewReplacer(".", "_", "-", "_").Replace(key))
}

func isGlobal(c *cobra.Command, f *pflag.Flag) bool {
	return c.Root().PersistentFlags().Lookup(f.Name) == f
}

// schemaOf says which settings files may have: those of all commands, so that a
// misspelt section is found whichever command runs.
func schemaOf(c *cobra.Command) *config.Schema {
	s := &config.Schema{Settings: map[string]config.Kind{}, Sections: map[string]*config.Schema{}}
	add := func(f *pflag.Flag) {
		if !settable(f) {
			return
		}
		s.Settings[f.Name] = config.Scalar
		if _, ok := f.Value.(pflag.SliceValue); ok {
			s.Settings[f.Name] = config.List
		}
	}
	if c.HasParent() {
		c.LocalFlags().VisitAll(func(f *pflag.Flag) {
			if !isGlobal(c, f) {
				add(f)
			}
		})
	} else {
		c.PersistentFlags().VisitAll(add)
	}
	for _, sub := range c.Commands() {
		if below := schemaOf(sub); len(below.Settings)+len(below.Sections) > 0 {
			s.Sections[sub.Name()] = below
		}
	}
	return s
}

// layer is one source of settings, in the order in which they win.
type layer struct {
	// lookup returns the values at a key and where they stand.
	lookup  func(key string) (values []string, origin string, ok bool)
	project bool
}

// layers returns the sources below the command line.
func (a *app) layers(root *cobra.Command) ([]layer, error) {
	schema := schemaOf(root)
	project, err := a.projectFile(schema)
	user, err2 := a.userFile(schema)
	if err := errors.Join(err, err2); err != nil {
		return nil, err
	}
	return []layer{
		{lookup: a.fromEnvironment},
		{lookup: fromFile(project), project: true},
		{lookup: fromFile(user)},
	}, nil
}

func (a *app) fromEnvironment(key string) ([]string, string, bool) {
	name := variable(key)
	value := a.Getenv(name)
	return []string{value}, name, value != ""
}

func fromFile(f *config.File) func(string) ([]string, string, bool) {
	return func(key string) ([]string, string, bool) {
		s, ok := f.Lookup(key)
		if !ok {
			return nil, "", false
		}
		return s.Values, fmt.Sprintf("%s:%d", f.Name, s.Line), true
	}
}

// projectFile reads the file of the project that the working directory is in,
// nil if there is none.
func (a *app) projectFile(schema *config.Schema) (*config.File, error) {
	dir, err := a.Getwd()
	if err != nil {
		return nil, nil // a directory that is gone has no file to find
	}
	path, err := config.Find(dir, meta.ConfigFile)
	if err != nil {
		return nil, fault.Usagef("cannot look for %s: %w", meta.ConfigFile, err)
	}
	if path == "" {
		return nil, nil
	}
	if rel, err := filepath.Rel(dir, path); err == nil {
		return config.Read(path, rel, schema)
	}
	return config.Read(path, path, schema)
}

// userFile reads the user's own file, nil if there is none.
func (a *app) userFile(schema *config.Schema) (*config.File, error) {
	path := a.userFilePath()
	if !config.IsFile(path) {
		return nil, nil
	}
	return config.Read(path, path, schema)
}

// userFilePath follows the XDG Base Directory Specification, and %AppData% on
// Windows. A relative directory is ignored, as the specification says.
func (a *app) userFilePath() string {
	dir := a.Getenv("XDG_CONFIG_HOME")
	if !filepath.IsAbs(dir) {
		dir = ""
		if home := a.Getenv("HOME"); filepath.IsAbs(home) {
			dir = filepath.Join(home, ".config")
		}
		if runtime.GOOS == "windows" {
			dir = a.Getenv("AppData")
		}
	}
	if dir == "" {
		return ""
	}
	return filepath.Join(dir, meta.Name, "config.yaml")
}

// applySettings sets the flags of c that the command line left alone.
func (a *app) applySettings(c *cobra.Command) error {
	layers, err := a.layers(c.Root())
	if err != nil {
		return err
	}
	var errs []error
	c.Flags().VisitAll(func(f *pflag.Flag) {
		if f.Changed || !settable(f) {
			return
		}
		for _, l := range layers {
			values, origin, ok := l.lookup(settingKey(c, f))
			if !ok {
				continue
			}
			if err := setFlag(c, f, l, values, origin); err != nil {
				errs = append(errs, err)
			}
			return
		}
	})
	return errors.Join(errs...)
}

func setFlag(c *cobra.Command, f *pflag.Flag, l layer, values []string, origin string) error {
	key := settingKey(c, f)
	if l.project && scopeOf(f) == scopeNoProject {
		return fault.WithHint(
			fault.Usagef("%s: %s may not be set by a project's file", origin, key),
			fmt.Sprintf("use --%s, %s or the user's file", f.Name, variable(key)))
	}
	where := origin
	if !strings.HasPrefix(origin, meta.EnvPrefix) {
		where += ": " + key
	}
	for _, v := range values {
		if err := c.Flags().Set(f.Name, v); err != nil {
			var invalid *pflag.InvalidValueError
			if errors.As(err, &invalid) {
				err = invalid.Unwrap()
			}
			return badValue(where, f, v, err)
		}
	}
	return nil
}

// warnOfUnknownVariables warns of a variable that is nearly one of ours. Others
// with our prefix are left alone: container platforms make up such names for
// services.
func (a *app) warnOfUnknownVariables(root *cobra.Command) {
	known := map[string]bool{}
	var names []string
	eachSetting(root, func(c *cobra.Command, f *pflag.Flag) {
		name := variable(settingKey(c, f))
		known[name] = true
		names = append(names, strings.TrimPrefix(name, meta.EnvPrefix))
	})
	for _, kv := range a.Environ {
		name, _, _ := strings.Cut(kv, "=")
		rest, ours := strings.CutPrefix(name, meta.EnvPrefix)
		if !ours || known[name] {
			continue
		}
		if near, ok := nearest.To(rest, names); ok {
			a.Warnf("the environment variable %s is not known; did you mean %s%s?", name, meta.EnvPrefix, near)
		}
	}
}

// eachSetting calls f for every flag of c and below that can be set by a
// variable or a file.
func eachSetting(c *cobra.Command, do func(*cobra.Command, *pflag.Flag)) {
	flags := c.LocalFlags()
	if !c.HasParent() {
		flags = c.PersistentFlags()
	}
	flags.VisitAll(func(f *pflag.Flag) {
		if settable(f) && (!c.HasParent() || !isGlobal(c, f)) {
			do(c, f)
		}
	})
	for _, sub := range c.Commands() {
		eachSetting(sub, do)
	}
}
