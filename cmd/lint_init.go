package cmd

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"example.com/kneeline/analyze/lint"
	"example.com/kneeline/analyze/lint/link"
	"example.com/kneeline/analyze/lint/model"
	"example.com/kneeline/internal/atomicfile"
	"example.com/kneeline/internal/fault"
	"example.com/kneeline/internal/input"
	"example.com/kneeline/internal/meta"
)

// defaultTopology is the file that --init writes where -t does not name one.
const defaultTopology = "topology.yaml"

// lintInit are the flags on the skeleton of a topology.
type lintInit struct{ init, force bool }

func (o *lintInit) addFlags(c *cobra.Command) {
	f := c.Flags()
	f.BoolVar(&o.init, "init", false, "write a topology with the services and hops that the files tell of, to "+defaultTopology+" or the file of -t; - is stdout")
	f.BoolVar(&o.force, "force", false, "with --init: write over a file that is there")
	onlyByHand(f, "init", "force")
}

// skeleton writes what the files tell of services and hops.
func (o *lintOptions) skeleton(ctx context.Context, a *app, args []string) error {
	path := or(o.topology, defaultTopology)
	if len(o.from) > 0 {
		return fault.Usagef("--from fills the numbers of a topology in a check: expected it without --init")
	}
	if _, err := os.Stat(path); err == nil && path != input.Stdin && !o.force {
		return fault.WithHint(fault.Usagef("--init: %s is there, and is not written over", path), "give --force, or another file with -t")
	}
	if len(args) == 0 {
		args = []string{"."}
	}
	facts := &lintFacts{}
	in, err := o.readWith(ctx, a, args, facts, func(*lint.Collected) {})
	if err != nil {
		return err
	}
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	dir := "."
	if path != input.Stdin {
		dir = filepath.ToSlash(filepath.Dir(path))
	}
	var docs []*model.Document
	recognised := 0
	for _, f := range in.files {
		docs = append(docs, f.Documents...)
		if f.State == lint.Recognised {
			recognised++
		}
	}
	s := link.MakeSkeleton(docs, facts.all(), dir)
	write := func(w io.Writer) error {
		_, err := io.Copy(w, bytes.NewReader(s.Text))
		return err
	}
	if path == input.Stdin {
		err = write(a.Stdout)
	} else if err = atomicfile.Write(path, write); err == nil {
		_, err = fmt.Fprintf(a.Stdout, "%s: %s and %s of %s, %s missing\nnext: put numbers in, then '%s lint -t %s'\n", path,
			counted(s.Services, "service", "services"), counted(s.Hops, "hop", "hops"), counted(recognised, "file", "files"), counted(s.Missing, "number", "numbers"), meta.Name, path)
	}
	return errors.Join(err, in.failure(recognised, o.strict))
}
