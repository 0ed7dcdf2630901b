// Gendocs writes the man pages and the command reference from the commands
// themselves:
//
//	go run ./internal/gendocs -man DIR
//	go run ./internal/gendocs -markdown DIR
//
// It is no part of the program, so that the program does not carry the Markdown
// and roff libraries.
package main

import (
	"flag"
	"fmt"
	"os"

	"github.com/spf13/cobra"
	"github.com/spf13/cobra/doc"

	"example.com/kneeline/cmd"
	"example.com/kneeline/internal/meta"
)

func main() {
	man := flag.String("man", "", "write man pages to `DIR`")
	markdown := flag.String("markdown", "", "write a Markdown reference to `DIR`")
	flag.Parse()
	if *man == "" && *markdown == "" || flag.NArg() > 0 {
		flag.Usage()
		os.Exit(2)
	}
	if err := generate(cmd.NewRoot(), *man, *markdown); err != nil {
		fmt.Fprintln(os.Stderr, "gendocs:", err)
		os.Exit(1)
	}
}

// generate writes what is asked for; an empty directory asks for nothing.
func generate(root *cobra.Command, man, markdown string) error {
	if man != "" {
		if err := os.MkdirAll(man, 0o755); err != nil {
			return err
		}
		header := &doc.GenManHeader{Section: "1", Source: meta.Name, Manual: meta.Name + " manual"}
		if err := doc.GenManTree(root, header, man); err != nil {
			return err
		}
	}
	if markdown != "" {
		if err := os.MkdirAll(markdown, 0o755); err != nil {
			return err
		}
		return doc.GenMarkdownTree(root, markdown)
	}
	return nil
}
