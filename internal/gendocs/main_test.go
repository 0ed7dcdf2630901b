package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"example.com/kneeline/cmd"
)

// Every command has a man page and a page of the reference, each with its
// examples.
func TestGenerate(t *testing.T) {
	man, markdown := filepath.Join(t.TempDir(), "man"), filepath.Join(t.TempDir(), "reference")
	root := cmd.NewRoot()
	if err := generate(root, man, markdown); err != nil {
		t.Fatal(err)
	}
	pages := 0
	for _, c := range root.Commands() {
		if !c.IsAvailableCommand() || c.Name() == "help" {
			continue
		}
		pages++
		for _, path := range []string{
			filepath.Join(man, "kneeline-"+c.Name()+".1"),
			filepath.Join(markdown, "kneeline_"+c.Name()+".md"),
		} {
			page, err := os.ReadFile(path)
			if err != nil {
				t.Error(err)
				continue
			}
			if c.Example == "" {
				t.Errorf("%s has no examples", c.Name())
			}
			if !strings.Contains(strings.ToLower(string(page)), "example") {
				t.Errorf("%s has no examples in it", path)
			}
		}
	}
	if pages < 5 {
		t.Errorf("only %d commands", pages)
	}
}

func TestGenerateReportsErrors(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	for _, dirs := range [][2]string{{file, ""}, {"", file}} {
		if err := generate(cmd.NewRoot(), dirs[0], dirs[1]); err == nil {
			t.Errorf("generate into %v gives no error", dirs)
		}
	}
}
