package link

import (
	"bytes"
	"fmt"
	"maps"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"example.com/kneeline/analyze/lint/model"
	"example.com/kneeline/analyze/lint/topology"
)

// Skeleton is a topology file that could be concluded from files.
type Skeleton struct {
	Text []byte
	// Services, Hops and Missing count what is in it; Missing are the numbers that nobody
	// has said yet.
	Services, Hops, Missing int
}

// missing are the numbers of a service that no file holds, with what they are.
var missing = []struct{ key, example, what string }{
	{"replicas", "3", "how many hosts there are"},
	{"capacity", "1200/s", "what one host sustains; 'kneeline headroom' measures it"},
	{"peak", "950/s", "the most that one host gets"},
	{"service_time", "{p50: 40ms, p95: 90ms, p99: 140ms}", "without queueing"},
}

// MakeSkeleton writes what files tell of services and hops, and where a number is missing.
// Dir is where the topology will stand: the files that it names are relative to it.
func MakeSkeleton(documents []*model.Document, all []Fact, dir string) Skeleton {
	g := guess(documents, all)
	s := &Skeleton{Services: len(g.services), Hops: len(g.hops)}
	var b bytes.Buffer
	fmt.Fprintf(&b, "# What the files tell of services and hops. A line with \"missing\" asks for a number that\n# no file holds: take away the # before it and put yours in. Until then lint lists what it cannot check.\nversion: %d\nservices:\n", topology.Version)
	names := slices.Sorted(maps.Keys(g.services))
	if len(names) == 0 {
		b.Reset()
		fmt.Fprintf(&b, "# No file tells of a service. Write them as in this example:\n#   storage:\n#     replicas: 3\nversion: %d\nservices: {}\n", topology.Version)
	}
	for _, name := range names {
		s.service(&b, g.services[name], dir)
	}
	s.hops(&b, g)
	s.Text = b.Bytes()
	return *s
}

func (s *Skeleton) service(b *bytes.Buffer, g *guessed, dir string) {
	fmt.Fprintf(b, "  %s:\n", text(g.name))
	if len(g.configs) == 0 && g.why != "" {
		fmt.Fprintf(b, "    # called by %s\n", oneLine(g.why))
	}
	if len(g.names) > 0 {
		var names []string
		for _, n := range g.names {
			names = append(names, strconv.Quote(oneLine(n)))
		}
		fmt.Fprintf(b, "    names: [%s]\n", strings.Join(names, ", "))
	}
	for _, m := range missing {
		if m.key == "replicas" && g.replicas.Finite() && g.replicas.Amount >= 1 {
			fmt.Fprintf(b, "    replicas: %.0f    # %s:%d\n", g.replicas.Amount, oneLine(g.replicas.At.File), g.replicas.At.Line)
			continue
		}
		s.Missing++
		fmt.Fprintf(b, "    # %s: %s    # missing: %s\n", m.key, m.example, m.what)
	}
	if len(g.configs) == 0 {
		return
	}
	b.WriteString("    config:\n")
	slices.Sort(g.configs)
	for _, file := range g.configs {
		fmt.Fprintf(b, "      - %s\n", text(relative(dir, file)))
	}
}

func (s *Skeleton) hops(b *bytes.Buffer, g *guesser) {
	if len(g.hops) == 0 {
		b.WriteString("hops: []\n# - {from: A, to: B}    # missing: who calls whom, which no file tells\n")
		s.Missing++
		return
	}
	b.WriteString("hops:\n")
	for _, k := range slices.SortedFunc(maps.Keys(g.hops), func(a, b [2]string) int { return strings.Compare(a[0]+"\x00"+a[1], b[0]+"\x00"+b[1]) }) {
		h := g.hops[k]
		fmt.Fprintf(b, "  # %s, %s:%d\n  - from: %s\n    to: %s\n", oneLine(h.object), oneLine(h.at.File), h.at.Line, text(h.from), text(h.to))
		fmt.Fprintf(b, "    # total: 400ms    # missing: the application's own limit, where it has one\n")
		s.Missing++
	}
}

// relative is a file as seen from a directory.
func relative(dir, file string) string {
	if dir == "" || dir == "." || path.IsAbs(file) {
		return file
	}
	if rel, err := filepath.Rel(filepath.FromSlash(dir), filepath.FromSlash(file)); err == nil {
		return filepath.ToSlash(rel)
	}
	return file
}

// oneLine is a text that cannot end a comment, and that YAML takes.
func oneLine(s string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' || r >= 0x7f && r < 0xa0 || r == 0x2028 || r == 0x2029 || r == 0xfeff || r == 0xfffe || r == 0xffff {
			return ' '
		}
		return r
	}, strings.ToValidUTF8(s, "?"))
}

// text is a scalar of YAML, in quotes unless it is plain without doubt.
func text(s string) string {
	if s == "" || strings.Trim(s, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_./") != "" || s[0] == '-' || s[0] == '.' || strings.Trim(s, "0123456789._eE-") == "" {
		return strconv.Quote(oneLine(s))
	}
	switch strings.ToLower(s) {
	case "true", "false", "yes", "no", "on", "off", "null", "y", "n":
		return strconv.Quote(s)
	}
	return s
}
