package cmd

import (
	"bytes"
	"context"
	"errors"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"example.com/kneeline/analyze/lint/changed"
	"example.com/kneeline/internal/fault"
	"example.com/kneeline/internal/finding"
)

// gitPatience is how long git may be silent after it is told to end.
const gitPatience = 5 * time.Second

// changedSince asks git which lines are new since a revision, those of files that git
// does not track included.
func changedSince(ctx context.Context, revision string) (func(finding.Location) bool, error) {
	top, err := git(ctx, "", "rev-parse", "--show-toplevel")
	if err != nil {
		return nil, fault.WithHint(fault.NoAnswerf("--new-from: %w", err), "run it inside of the repository with the files, or compare with --baseline FILE")
	}
	root := strings.TrimRight(string(top), "\r\n")
	commit, err := git(ctx, root, "rev-parse", "--verify", "--end-of-options", revision+"^{commit}")
	if err != nil {
		return nil, fault.Usagef("--new-from: expected a revision that git knows here, found %q", revision)
	}
	// The settings of users must not change what is read here.
	diff, err := git(ctx, root, "-c", "core.quotepath=off", "-c", "diff.noprefix=false", "-c", "diff.mnemonicPrefix=false", "diff", "--no-color", "--no-ext-diff", "--no-textconv",
		"--src-prefix=a/", "--dst-prefix=b/", "--ignore-submodules", "--find-renames", "--unified=0", "--inter-hunk-context=0", strings.TrimSpace(string(commit)), "--")
	if err != nil {
		return nil, fault.NoAnswerf("--new-from %s: %w", revision, err)
	}
	lines, err := changed.Parse(diff)
	if err != nil {
		return nil, fault.NoAnswerf("--new-from %s: what git diff wrote could not be read: %w", revision, err)
	}
	untracked, err := git(ctx, root, "ls-files", "--others", "--exclude-standard", "-z")
	if err != nil {
		return nil, fault.NoAnswerf("--new-from %s: %w", revision, err)
	}
	for _, name := range strings.Split(string(untracked), "\x00") {
		if name != "" {
			lines.Add(name)
		}
	}
	// The lines of a submodule are another repository's: one that is at another commit, or
	// has changes, is new as a whole.
	raw, err := git(ctx, root, "diff", "--raw", "-z", "--no-renames", "--ignore-submodules=none", strings.TrimSpace(string(commit)), "--")
	if err != nil {
		return nil, fault.NoAnswerf("--new-from %s: %w", revision, err)
	}
	for _, dir := range changed.Submodules(raw) {
		lines.Add(dir)
	}
	return func(at finding.Location) bool {
		name, inside := inRepository(root, at.File)
		return !inside || lines.Has(name, at.Line)
	}, nil
}

// inRepository is a file's path from the root of the repository; a file that is outside
// of it, or none at all such as stdin, is not inside.
func inRepository(root, file string) (string, bool) {
	path, err := filepath.Abs(filepath.FromSlash(file))
	if err != nil {
		return "", false
	}
	if real, err := filepath.EvalSymlinks(filepath.Dir(path)); err == nil { // git tells the real root
		path = filepath.Join(real, filepath.Base(path))
	}
	rel, err := filepath.Rel(root, path)
	if err != nil || rel == ".." || strings.HasPrefix(rel, ".."+string(filepath.Separator)) {
		return "", false
	}
	return filepath.ToSlash(rel), true
}

// git runs git in a directory and returns what it writes; its error has what git says.
func git(ctx context.Context, dir string, args ...string) ([]byte, error) {
	path, err := exec.LookPath("git")
	if err != nil {
		return nil, errors.New("expected git, which alone knows what has changed, found none installed")
	}
	cmd := exec.CommandContext(ctx, path, args...)
	cmd.Dir, cmd.WaitDelay = dir, gitPatience
	var out, said bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &said
	if err := cmd.Run(); err != nil {
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		if text, _, _ := strings.Cut(strings.TrimSpace(said.String()), "\n"); text != "" {
			return nil, errors.New("git: " + text)
		}
		return nil, err
	}
	return out.Bytes(), nil
}
