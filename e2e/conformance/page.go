package conformance

import (
	"cmp"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
)

// Row is one line of the page: a setting, what is done, what the model says. It has no
// measured figures, which differ from run to run, but how closely they agree.
type Row struct {
	Settings, Request string
	Model             string
	Agrees            string
}

// Exactly and Closely are how figures agree.
const (
	Exactly = "exactly"
	Closely = "within 5 %"
)

// Says writes what the model says of a request.
func (o Outcome) Says() (model, agrees string) {
	tries := fmt.Sprintf("%.0f tries", o.Tries)
	if o.Tries == 1 {
		tries = "1 try"
	}
	if o.Seconds == 0 {
		return tries, Exactly
	}
	return fmt.Sprintf("%s, %.3g s", tries, o.Seconds), "tries exactly, time " + Closely
}

// Request writes a request for a row: the method (GET where it is empty), to how many
// servers, what more is set of them, and what each does.
func Request(method string, servers int, f Fault, more ...string) string {
	text := fmt.Sprintf("%s, %d servers", cmp.Or(method, "GET"), servers)
	if servers == 1 {
		text = strings.TrimSuffix(text, "s")
	}
	for _, m := range more {
		if m != "" {
			text += ", " + strings.TrimSuffix(m, ";")
		}
	}
	return text + "; each " + f.Name
}

// Page holds the rows of a program against its part of a page, which begins and ends
// with marks, and writes it anew where update is set.
func Page(t *testing.T, path, program string, rows []Row, update bool) {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	begin, end := fmt.Sprintf("<!-- begin %s -->\n", program), fmt.Sprintf("<!-- end %s -->\n", program)
	before, rest, ok := strings.Cut(string(data), begin)
	old, after, ok2 := strings.Cut(rest, end)
	if !ok || !ok2 {
		t.Fatalf("%s: expected %q and %q", path, begin, end)
	}
	text := table(rows)
	if old == text {
		return
	}
	if !update {
		t.Errorf("%s: the part of %s is not what the cells say: run the tests with -update", path, program)
		return
	}
	if err := os.WriteFile(path, []byte(before+begin+text+end+after), 0o644); err != nil {
		t.Fatal(err)
	}
}

func table(rows []Row) string {
	var b strings.Builder
	b.WriteString("| settings | request | the model says | measured agrees |\n| --- | --- | --- | --- |\n")
	for _, r := range rows {
		cells := []string{r.Settings, r.Request, r.Model, r.Agrees}
		for i := range cells {
			cells[i] = strings.ReplaceAll(cells[i], "|", `\|`)
		}
		fmt.Fprintf(&b, "| %s |\n", strings.Join(cells, " | "))
	}
	return b.String()
}

// Code writes settings as code, a line each joined by a blank.
func Code(settings string) string {
	lines := strings.FieldsFunc(settings, func(r rune) bool { return r == '\n' })
	for i := range lines {
		lines[i] = "`" + strings.TrimSpace(lines[i]) + "`"
	}
	return strings.Join(slices.DeleteFunc(lines, func(s string) bool { return s == "``" }), " ")
}
