package goproc

import (
	_ "embed"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"

	"go.yaml.in/yaml/v3"

	"example.com/kneeline/internal/fault"
	"example.com/kneeline/internal/nearest"
)

// Section is the key at the top of a file of patterns below which the rows of this
// package stand.
const Section = "go"

// Limits of a file of patterns.
const (
	MaxFileSize = 1 << 20
	MaxRows     = 10_000
)

// Roles of a [Row]: what a goroutine with the function on its stack is. Where
// several rows hold, the first of this list wins.
const (
	roleSelf       = "self"       // fetches the profile
	roleStream     = "stream"     // a request that lasts as long as the client likes
	roleWork       = "work"       // does the work of a request for another goroutine
	roleRequest    = "request"    // serves one request
	roleIdle       = "idle"       // a connection without a request
	roleReading    = "reading"    // a connection whose request is not there yet
	roleConnection = "connection" // serves a connection of many requests
	roleCompanion  = "companion"  // helps one of the above

	// Rows of these roles say something else than what the goroutine is.
	roleWait             = "wait"   // what it waits for
	roleAccept           = "accept" // a listener that takes no more connections
	roleMemoryConnection = "memory-connection"
	roleMemoryRequest    = "memory-request"
)

var (
	servingRoles = []string{roleSelf, roleStream, roleWork, roleRequest, roleIdle, roleReading, roleConnection, roleCompanion}
	roles        = append(slices.Clone(servingRoles), roleWait, roleAccept, roleMemoryConnection, roleMemoryRequest)
)

// What a wait is for; the how of a [Row].
const (
	howLimit      = "limit"
	howPool       = "pool"
	howLock       = "lock"
	howRate       = "rate"
	howShared     = "shared"
	howDownstream = "downstream"
	howJoin       = "join"
	howClient     = "client"
	howDelegated  = "delegated"

	// These follow from the state alone and are in no row.
	howUnclear = "unclear" // a select, a receive, a condition: a turn, a result or an event
	howService = ""        // does not wait for its turn
)

var hows = []string{howLimit, howPool, howLock, howRate, howShared, howDownstream, howJoin, howClient, howDelegated}

// Row is one function of the table.
type Row struct {
	// Name says what it is, or what a wait is for, with its article.
	Name     string `yaml:"name"`
	Role     string `yaml:"role"`
	Protocol string `yaml:"protocol"`
	// Function is a name, normalised; a * at its end stands for any characters.
	Function string `yaml:"function"`
	// Within is a function that must be nearer to the root of the stack.
	Within string `yaml:"within"`
	How    string `yaml:"how"`
	// Setting is what bounds the wait.
	Setting string `yaml:"setting"`
	Source  string `yaml:"source"`
}

// Table is all rows, in order: of two that hold the first wins within a role.
type Table struct {
	Rows []Row
}

//go:embed table.yaml
var builtIn []byte

var builtInTable = sync.OnceValues(func() (*Table, error) { return Parse("table.yaml", builtIn) })

// Default returns the built-in table.
func Default() *Table {
	t, err := builtInTable()
	if err != nil {
		panic(err) // of a file that is part of the program, and tested
	}
	return t
}

// With returns a table in which the rows of others come first.
func (t *Table) With(others ...*Table) *Table {
	out := &Table{}
	for _, o := range others {
		out.Rows = append(out.Rows, o.Rows...)
	}
	out.Rows = append(out.Rows, t.Rows...)
	return out
}

// Parse reads the rows below "go" of a file of patterns, which messages call name.
// Other sections are for others. All problems are reported, each with its line.
func Parse(name string, data []byte) (*Table, error) {
	if len(data) > MaxFileSize {
		return nil, fault.Usagef("%s: expected at most %d bytes of patterns, found more", name, MaxFileSize)
	}
	var doc yaml.Node
	switch err := yaml.Unmarshal(data, &doc); {
	case err != nil && !errors.Is(err, io.EOF):
		return nil, fault.Usagef("%s: not valid YAML: %s", name, strings.TrimPrefix(err.Error(), "yaml: "))
	case len(doc.Content) == 0 || doc.Content[0].Kind != yaml.MappingNode:
		return &Table{}, nil
	}
	p := &tableParser{name: name}
	top := doc.Content[0].Content
	for i := 0; i+1 < len(top); i += 2 {
		if top[i].Value == Section {
			p.section(top[i+1])
		}
	}
	if err := errors.Join(p.problems...); err != nil {
		return nil, err
	}
	return &Table{Rows: p.rows}, nil
}

type tableParser struct {
	name     string
	rows     []Row
	problems []error
}

func (p *tableParser) problem(line int, format string, args ...any) {
	p.problems = append(p.problems, fault.Usagef("%s:%d: %s", p.name, line, fmt.Sprintf(format, args...)))
}

func (p *tableParser) section(n *yaml.Node) {
	if n.Kind != yaml.SequenceNode {
		p.problem(n.Line, "%s: expected a list of rows", Section)
		return
	}
	if len(n.Content) > MaxRows {
		p.problem(n.Line, "%s: expected at most %d rows, found %d", Section, MaxRows, len(n.Content))
		return
	}
	for _, item := range n.Content {
		p.row(item)
	}
}

// keys are those of a row.
var keys = []string{"name", "role", "protocol", "function", "within", "how", "setting", "source"}

func (p *tableParser) row(n *yaml.Node) {
	if n.Kind != yaml.MappingNode {
		p.problem(n.Line, "expected a row of 'name: value'")
		return
	}
	before := len(p.problems)
	for i := 0; i+1 < len(n.Content); i += 2 {
		if k := n.Content[i]; !slices.Contains(keys, k.Value) {
			p.problem(k.Line, "unknown key of a row of %s %q%s", Section, k.Value, meant(k.Value, keys))
		}
	}
	var r Row
	if err := n.Decode(&r); err != nil {
		p.problem(n.Line, "expected text for each key of a row: %s", strings.TrimPrefix(err.Error(), "yaml: "))
		return
	}
	if r.Name == "" || r.Function == "" {
		p.problem(n.Line, "a row of %s: expected the keys \"name\" and \"function\"", Section)
	}
	if !slices.Contains(roles, r.Role) {
		p.problem(n.Line, "\"role\": expected one of %s, found %q%s", strings.Join(roles, ", "), r.Role, meant(r.Role, roles))
	}
	if waits := r.Role == roleWait || r.Role == roleAccept; waits != (r.How != "") {
		p.problem(n.Line, "\"how\": expected with the roles wait and accept, and only there")
	} else if waits && !slices.Contains(hows, r.How) {
		p.problem(n.Line, "\"how\": expected one of %s, found %q%s", strings.Join(hows, ", "), r.How, meant(r.How, hows))
	}
	if strings.Trim(r.Function, "*") == "" {
		p.problem(n.Line, "\"function\": expected a name, found %q", r.Function)
	}
	if len(p.problems) == before {
		r.Function, r.Within = normal(r.Function), normal(r.Within)
		p.rows = append(p.rows, r)
	}
}

func meant(word string, known []string) string {
	if near, ok := nearest.To(word, known); ok {
		return fmt.Sprintf(" (did you mean %q?)", near)
	}
	return ""
}
