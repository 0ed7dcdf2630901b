package term

import (
	"fmt"
	"strings"
)

// Mode is what the user asked of colour.
type Mode uint8

const (
	// Auto colours when the stream is a terminal and the environment agrees.
	Auto Mode = iota
	// Always colours whatever the stream is.
	Always
	// Never colours nothing.
	Never
)

// Modes are the accepted values of a colour flag, for help and completion.
var Modes = []string{"auto", "always", "never"}

// ParseMode reads the value of a colour flag.
func ParseMode(s string) (Mode, error) {
	switch strings.ToLower(s) {
	case "", "auto":
		return Auto, nil
	case "always":
		return Always, nil
	case "never":
		return Never, nil
	}
	return Auto, fmt.Errorf("colour %q: expected %s", s, strings.Join(Modes, ", "))
}

// UseColor decides whether to colour a stream. The flag wins; then NO_COLOR
// (https://no-color.org: set and not empty), then CLICOLOR_FORCE, then the
// stream itself: a terminal that is not dumb, unless CLICOLOR is 0.
func UseColor(flag Mode, getenv func(string) string, tty bool) bool {
	switch flag {
	case Always:
		return true
	case Never:
		return false
	}
	if getenv("NO_COLOR") != "" {
		return false
	}
	if force := getenv("CLICOLOR_FORCE"); force != "" && force != "0" {
		return true
	}
	return tty && getenv("TERM") != "dumb" && getenv("CLICOLOR") != "0"
}

// UseASCII reports whether the locale names a character set other than UTF-8,
// so that block and box characters would come out as rubbish. No locale at all
// (containers, cron) counts as UTF-8.
func UseASCII(getenv func(string) string) bool {
	for _, name := range []string{"LC_ALL", "LC_CTYPE", "LANG"} {
		v := strings.ToLower(getenv(name))
		if v == "" {
			continue
		}
		return !strings.Contains(v, "utf-8") && !strings.Contains(v, "utf8")
	}
	return false
}
