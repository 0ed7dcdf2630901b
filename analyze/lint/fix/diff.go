package fix

import (
	"strings"

	"github.com/rogpeppe/go-internal/diff"
)

// Diff is a change as a unified diff, which patch -p1 and git apply take.
func (c *Change) Diff() string {
	name := strings.TrimPrefix(c.File, "./")
	text := string(diff.Diff("a/"+name, c.Old, "b/"+name, c.New))
	if _, rest, ok := strings.Cut(text, "\n"); ok { // a line with both names, which patch has no use for
		return rest
	}
	return text
}
