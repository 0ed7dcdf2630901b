package pattern

import (
	_ "embed"
	"fmt"
	"slices"
	"strings"
	"sync"
)

// Kinds of a [Queue] say how its entries are found.
const (
	// Ring: an array used in a circle, from a head index on.
	Ring = "ring"
	// Linked: a chain of nodes.
	Linked = "linked"
	// Array: an array from its start.
	Array = "array"
	// Heap: a priority queue in an array; its order is not age.
	Heap = "heap"
	// Chunks: arrays linked by their last slot, with indices that count twice, as
	// the JCTools queues have them.
	Chunks = "chunks"
	// Map: the values of a map, of which only the number is known.
	Map = "map"
	// Count: a number without entries.
	Count = "count"
)

// Kinds returns all kinds.
func Kinds() []string { return []string{Ring, Linked, Array, Heap, Chunks, Map, Count} }

// Roles say what waits.
const (
	Requests    = "requests"
	Connections = "connections"
	Tasks       = "tasks"
	Timers      = "timers"
	Responses   = "responses"
	Waiters     = "waiters"
	Messages    = "messages"
)

// Roles returns all roles.
func Roles() []string {
	return []string{Requests, Connections, Tasks, Timers, Responses, Waiters, Messages}
}

// Queue is how one class of queues keeps its entries. Paths are field names
// joined by dots, from the queue on; the last may be "length" of an array.
type Queue struct {
	Name string
	// Class is a class name; * stands for any characters. Subclasses count too.
	Class  string
	Server string
	Kind   string
	Role   string
	// Array is the path of the array, Head that of the index of the first entry.
	Array, Head string
	// Indexes is the path of an int array with head index and tail index in the
	// last places of its two halves, which is how Jetty keeps them apart.
	Indexes string
	// First are paths of the first node, of which the first that is not null
	// counts. Next is the node's link, Item what it holds, the first field that
	// the node's class has; without Item the node is the entry.
	First []string
	Next  string
	Item  []string
	// Count, Capacity are paths of the numbers.
	Count, Capacity string
	// CountWith is a path of a number from which Count is subtracted, for queues
	// that keep two indices.
	CountWith string
	// Unbounded is true for a queue that has no limit of its own.
	Unbounded bool
	// Collection is true for a class that programs keep anything in, not only
	// work that waits.
	Collection bool
	// Self is true when an item that is the node itself was taken already.
	Self bool
	// Via are the classes that the paths and the chain lead through, such as the
	// nodes, of which a dump's reader should keep the instances.
	Via []string
	// Source is where the names are from.
	Source string

	re  matcher
	via []matcher
}

// Fields are the fields of the queue's own class that its paths begin with.
func (q *Queue) Fields() []string {
	var out []string
	for _, path := range append([]string{q.Array, q.Head, q.Indexes, q.Count, q.CountWith, q.Capacity}, q.First...) {
		if field, _, _ := strings.Cut(path, "."); field != "" {
			out = append(out, field)
		}
	}
	return out
}

// Owner is a class with a queue in a field.
type Owner struct {
	Class, Server string
	// Field is the path of the queue, from the owner on; with Each that of an
	// array of queues.
	Field string
	Each  bool
	// What the queue is called, such as "job queue".
	What string
	// Role of the queue here; empty leaves the queue's own.
	Role string
	// Named is the path of the owner's own name, a string.
	Named string
	// Capacity is the path of the limit, where the owner and not the queue has it.
	Capacity string
	// MaxThreads and MinThreads are paths of the pool's limits.
	MaxThreads, MinThreads string
	// Setting is the key to change, Note says how.
	Setting, Note string
	Source        string

	re matcher
}

// Item is a class of entries of queues.
type Item struct {
	Class, Server string
	// Means says what an entry of the class is.
	Means string
	// Request is true when each stands for one request or connection.
	Request bool
	// Internal is true when it is the server's own work.
	Internal bool
	// Ages are paths of fields with a time, from the item on, the best first.
	Ages []string
	// Via are the classes that these paths lead through.
	Via []string
	// Keep are fields whose objects belong to one entry each, and to its cost.
	Keep   []string
	Source string

	re  matcher
	via []matcher
}

// Limit is a setting that a class keeps in a field.
type Limit struct {
	Class, Server string
	Field         string
	// Name is the key in the server's configuration.
	Name   string
	Unit   string
	Source string

	re matcher
}

// Plain is a class that is no queue of work though its shape is one.
type Plain struct {
	Class, Why, Source string

	re matcher
}

// Table is all rows, those that were added last first.
type Table struct {
	Queues []Queue
	Owners []Owner
	Items  []Item
	Limits []Limit
	Plain  []Plain
}

//go:embed table.yaml
var builtin []byte

// Builtin returns the built-in table. The caller must not change its rows.
var Builtin = sync.OnceValue(func() *Table {
	t, err := Parse("table.yaml", builtin)
	if err != nil {
		// The table is part of the program and tested with it.
		panic(fmt.Sprintf("built-in patterns: %v", err))
	}
	return t
})

// With returns a table with the rows of more before those of t, so that they are
// found first.
func (t *Table) With(more *Table) *Table {
	return &Table{
		Queues: slices.Concat(more.Queues, t.Queues), Owners: slices.Concat(more.Owners, t.Owners),
		Items: slices.Concat(more.Items, t.Items), Limits: slices.Concat(more.Limits, t.Limits),
		Plain: slices.Concat(more.Plain, t.Plain),
	}
}

// Queue returns the row of the queue for a class, given as its name and those of
// its superclasses, nearest first; nil where there is none.
func (t *Table) Queue(line []string) *Queue {
	return nearestRow(t.Queues, func(q *Queue) *matcher { return &q.re }, line)
}

// Item returns the row of an entry of a class; see [Table.Queue].
func (t *Table) Item(line []string) *Item {
	return nearestRow(t.Items, func(i *Item) *matcher { return &i.re }, line)
}

// IsPlain returns the row that says that a class is no queue of work.
func (t *Table) IsPlain(line []string) *Plain {
	return nearestRow(t.Plain, func(p *Plain) *matcher { return &p.re }, line)
}

// OwnersOf returns all rows of owners for a class.
func (t *Table) OwnersOf(line []string) []*Owner {
	return allRows(t.Owners, func(o *Owner) *matcher { return &o.re }, line)
}

// LimitsOf returns all rows of limits for a class.
func (t *Table) LimitsOf(line []string) []*Limit {
	return allRows(t.Limits, func(l *Limit) *matcher { return &l.re }, line)
}

// nearestRow returns the first row that matches the nearest name of a line.
func nearestRow[R any](rows []R, re func(*R) *matcher, line []string) *R {
	for _, name := range line {
		for i := range rows {
			if re(&rows[i]).matches(name) {
				return &rows[i]
			}
		}
	}
	return nil
}

func allRows[R any](rows []R, re func(*R) *matcher, line []string) []*R {
	var out []*R
	for i := range rows {
		if slices.ContainsFunc(line, re(&rows[i]).matches) {
			out = append(out, &rows[i])
		}
	}
	return out
}

// Via returns the fields to keep of a class that paths lead through: none and
// true for all of them, and false when no path does.
func (t *Table) Via(line []string) ([]string, bool) {
	for i := range t.Queues {
		if anyOf(t.Queues[i].via, line) {
			return nil, true
		}
	}
	var fields []string
	for i := range t.Items {
		if item := &t.Items[i]; anyOf(item.via, line) {
			for _, path := range item.Ages {
				fields = append(fields, strings.Split(path, ".")...)
			}
		}
	}
	return fields, len(fields) > 0
}

func anyOf(via []matcher, line []string) bool {
	return slices.ContainsFunc(via, func(m matcher) bool { return slices.ContainsFunc(line, m.matches) })
}

func matchers(classes []string) []matcher {
	var out []matcher
	for _, c := range classes {
		out = append(out, newMatcher(c))
	}
	return out
}

// matcher is a class name with stars, cut at them.
type matcher []string

func newMatcher(class string) matcher { return strings.Split(class, "*") }

func (m matcher) matches(name string) bool {
	if len(m) == 1 {
		return name == m[0]
	}
	rest, ok := strings.CutPrefix(name, m[0])
	if !ok {
		return false
	}
	for _, part := range m[1 : len(m)-1] {
		_, after, found := strings.Cut(rest, part)
		if !found {
			return false
		}
		rest = after
	}
	return strings.HasSuffix(rest, m[len(m)-1])
}
