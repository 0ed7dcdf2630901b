package term

import (
	"bytes"
	"os"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func env(pairs ...string) func(string) string {
	m := map[string]string{}
	for i := 0; i < len(pairs); i += 2 {
		m[pairs[i]] = pairs[i+1]
	}
	return func(k string) string { return m[k] }
}

func TestUseColor(t *testing.T) {
	for _, c := range []struct {
		name string
		flag Mode
		env  func(string) string
		tty  bool
		want bool
	}{
		{"terminal", Auto, env("TERM", "xterm"), true, true},
		{"pipe", Auto, env("TERM", "xterm"), false, false},
		{"dumb terminal", Auto, env("TERM", "dumb"), true, false},
		{"NO_COLOR on a terminal", Auto, env("NO_COLOR", "1"), true, false},
		{"empty NO_COLOR does not count", Auto, env("NO_COLOR", ""), true, true},
		{"CLICOLOR_FORCE on a pipe", Auto, env("CLICOLOR_FORCE", "1"), false, true},
		{"CLICOLOR_FORCE=0 does not count", Auto, env("CLICOLOR_FORCE", "0"), false, false},
		{"NO_COLOR beats CLICOLOR_FORCE", Auto, env("NO_COLOR", "1", "CLICOLOR_FORCE", "1"), true, false},
		{"CLICOLOR=0", Auto, env("CLICOLOR", "0"), true, false},
		{"flag always beats NO_COLOR", Always, env("NO_COLOR", "1"), false, true},
		{"flag never beats CLICOLOR_FORCE", Never, env("CLICOLOR_FORCE", "1"), true, false},
	} {
		if got := UseColor(c.flag, c.env, c.tty); got != c.want {
			t.Errorf("%s: got %v, want %v", c.name, got, c.want)
		}
	}
}

func TestParseMode(t *testing.T) {
	for i, s := range Modes {
		if m, err := ParseMode(s); err != nil || m != Mode(i) {
			t.Errorf("ParseMode(%q) = %v, %v; want %v", s, m, err, Mode(i))
		}
	}
	if _, err := ParseMode("sometimes"); err == nil || !strings.Contains(err.Error(), "auto, always, never") {
		t.Errorf("a wrong value must name the right ones, got %v", err)
	}
}

func TestUseASCII(t *testing.T) {
	for _, c := range []struct {
		env  func(string) string
		want bool
	}{
		{env(), false},
		{env("LANG", "en_US.UTF-8"), false},
		{env("LANG", "C"), true},
		{env("LANG", "de_DE.ISO-8859-1"), true},
		{env("LC_ALL", "C.utf8", "LANG", "C"), false},
		{env("LC_CTYPE", "POSIX", "LANG", "en_US.UTF-8"), true},
	} {
		if got := UseASCII(c.env); got != c.want {
			t.Errorf("LC_ALL=%q LC_CTYPE=%q LANG=%q: got %v, want %v",
				c.env("LC_ALL"), c.env("LC_CTYPE"), c.env("LANG"), got, c.want)
		}
	}
}

func TestStreamsThatAreNoTerminal(t *testing.T) {
	file, err := os.CreateTemp(t.TempDir(), "out")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	if IsTerminal(file) || Columns(file) != 0 {
		t.Error("a file must not count as a terminal")
	}
	if IsTerminal(&bytes.Buffer{}) || Columns(&bytes.Buffer{}) != 0 {
		t.Error("a buffer must not count as a terminal")
	}
}

func TestClean(t *testing.T) {
	for in, want := range map[string]string{
		"plain":                      "plain",
		"a\x1b[31mred\x1b[0mb":       "aredb",
		"title\x1b]0;owned\x07end":   "titleend",
		"two\nlines\tand tab":        "two lines and tab",
		"bell\x07 back\x08space":     "bell backspace",
		"bidi \u202ereversed\u202c":  "bidi reversed",
		"bad \xff utf-8":             "bad \ufffd utf-8",
		"joined 👩\u200d🔧 stays":      "joined 👩\u200d🔧 stays",
		"C1 \u009b31m introduces":    "C1 31m introduces",
		"p99 < 400 ms – µ, λ, ρ × 2": "p99 < 400 ms – µ, λ, ρ × 2",
	} {
		if got := Clean(in); got != want {
			t.Errorf("Clean(%q) = %q, want %q", in, got, want)
		}
	}
	if got := CleanLines("if x:\n\ty\r\x1b[2J"); got != "if x:\n    y" {
		t.Errorf("CleanLines keeps lines and indentation, got %q", got)
	}
}

// Whatever goes in, nothing that a terminal would act on comes out.
func TestCleanLeavesNoControls(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := Clean(string(rapid.SliceOf(rapid.Byte()).Draw(t, "bytes")) + rapid.String().Draw(t, "string"))
		for _, r := range s {
			if r < ' ' || r >= 0x7f && r < 0xa0 {
				t.Fatalf("control character %U in %q", r, s)
			}
		}
	})
}

func TestStyles(t *testing.T) {
	plain, colored := NewStyles(false), NewStyles(true)
	if got := plain.Bad.Render("x"); got != "x" {
		t.Errorf("without colour nothing is added, got %q", got)
	}
	got := colored.Bad.Render("over the limit")
	if Width(got) != len("over the limit") || !strings.Contains(got, "\x1b[") {
		t.Errorf("colour adds escapes and no width, got %q", got)
	}
	if Clean(got) != "over the limit" {
		t.Errorf("cleaning gives the text back, got %q", Clean(got))
	}
	for _, s := range []Style{colored.Good, colored.Warn, colored.Bad, colored.Series[0], colored.Code} {
		if e := s.Render("x"); strings.Contains(e, "38;") {
			t.Errorf("only the 16 colours of the terminal's theme may be used, got %q", e)
		}
	}
	if colored.Bad == colored.Good || (Style{}) != plain.Bad {
		t.Error("styles must compare by what they do")
	}
}

func TestWidthAndTruncate(t *testing.T) {
	if w := Width("容量 1,188/s"); w != 12 {
		t.Errorf("wide characters take two columns, got %d", w)
	}
	if s := Truncate("容量", 3); s != "容" {
		t.Errorf("a wide character is not torn, got %q", s)
	}
	if s := Truncate("abc", 0); s != "" {
		t.Errorf("no room, no text, got %q", s)
	}
}
