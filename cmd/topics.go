package cmd

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"example.com/kneeline/internal/meta"
)

// helpTopics are pages of help that belong to no single command.
func helpTopics() []*cobra.Command {
	return []*cobra.Command{
		topic("exit-codes", "What the exit code says", exitCodesText()),
		topic("output", "Formats, and where results go", outputText),
		topic("values", "How durations, rates, sizes and shares are written", valuesText),
		topic("settings", "Environment variables and settings files", settingsText),
	}
}

func topic(name, short, text string) *cobra.Command {
	return &cobra.Command{Use: name, Short: short, Long: strings.Trim(text, "\n")}
}

func exitCodesText() string {
	var b strings.Builder
	for _, e := range exitCodes {
		fmt.Fprintf(&b, "%5d  %s\n", e.code, strings.ReplaceAll(wrapText(e.meaning, helpWidth-7), "\n", "\n       "))
	}
	b.WriteString(`
When several apply, the worst counts: 3 before 2 before 1. After a signal it is
always 130 or 143. The format of the output never changes the exit code.`)
	return "\n" + b.String()
}

var outputText = strings.ReplaceAll(`
Every command that has a result writes it as text (the default), json, markdown
or html. Some offer more: completion knows them, and so does the error after an
unknown format.

  -o json                      json on stdout in place of the text
  -o html=report.html          the text on stdout, and a page in a file
  -o json=r.json -o markdown   json in a file, Markdown on stdout
  -o text=report.txt           the text in a file, nothing on stdout

At most one format goes to stdout, which '-o json=-' names. A file is written
under a temporary name and renamed, so it is there in full or not at all.

Results go to stdout, everything else (progress, notes, warnings, errors) to
stderr. Progress is drawn in place on a terminal and is a line a phase elsewhere.
'-q' silences all but errors.

Text is coloured on a terminal. NO_COLOR turns that off; CLICOLOR_FORCE turns it
on for pipes; NO_COLOR wins over CLICOLOR_FORCE, and --color over both. Text
carries the same words with and without colour.

JSON has a "schema" with a version; keys end in their unit (_seconds, _bytes,
_per_second, _ratio); what is absent was not measured, which is not zero; keys
may be added within a version, never changed or removed.
`, "kneeline", meta.Name)

const valuesText = `
  duration   400ms, 2.5s, 1m30s       as Go writes them
  rate       1200/s, 1200rps, 1200    events per second
  size       7.5GiB, 512MiB, 100kB    powers of 1024 with the i, of 1000 without
  share      2.5%
  count      5000

Where a file is read, '-' is stdin; a file compressed with gzip or zstd is
recognised by its content. Secrets come from files or stdin, never from flags,
which other users of the machine can see.
`

var settingsText = strings.NewReplacer("KNEELINE_", meta.EnvPrefix, ".kneeline.yaml", meta.ConfigFile, "kneeline", meta.Name).Replace(`
Every flag can also be set by an environment variable or in a file. What comes
first in this list wins:

  1. the flag                  --slo-at 800/s
  2. an environment variable   KNEELINE_HEADROOM_SLO_AT=800/s
  3. the project's file        .kneeline.yaml, searched upward from the working
                               directory to the root of the repository
  4. the user's file           $XDG_CONFIG_HOME/kneeline/config.yaml
                               (~/.config/kneeline/config.yaml)

Flags that every command has stand at the top of a file and in variables without
a command (KNEELINE_COLOR):

  color: never
  headroom:
    slo: p99<400ms,errors<1%
    peak: 800/s

An unknown key is an error, with its line. An empty variable counts as unset. A
flag that may be repeated takes a list in a file and one value in a variable. A
project's file cannot say which files are written (output) or which hosts may be
loaded. 'kneeline config' shows what is set, and where.
`)
