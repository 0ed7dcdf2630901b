package pending

import (
	"slices"
	"strings"

	"example.com/kneeline/analyze/pending/pattern"
	"example.com/kneeline/analyze/pending/workers"
	"example.com/kneeline/heapdump"
)

// Keeper returns what a dump's reader must keep for [Analyze] to find queues by
// the table.
func Keeper(t *pattern.Table) heapdump.Keeper {
	return func(h *heapdump.Heap, class int) heapdump.Keep {
		names := line(h, class)
		whole := heapdump.Keep{Mode: heapdump.KeepWhole}
		switch {
		case len(names) == 0:
			return heapdump.Keep{}
		case strings.HasSuffix(names[0], "[]") && t.Queue([]string{strings.TrimSuffix(names[0], "[]")}) != nil:
			return whole // an array of queues
		case len(t.OwnersOf(names)) > 0, len(t.LimitsOf(names)) > 0:
			return whole
		case t.Queue(names) != nil:
			return heapdump.Keep{Mode: heapdump.KeepFields, Fields: t.Queue(names).Fields()}
		}
		if fields, ok := workers.Keep(names); ok {
			return heapdump.Keep{Mode: heapdump.KeepFields, Fields: fields}
		}
		if fields, ok := t.Via(names); ok {
			if fields == nil {
				return whole
			}
			return heapdump.Keep{Mode: heapdump.KeepFields, Fields: withTimes(h, class, fields)}
		}
		if item := t.Item(names); item != nil && len(item.Keep) > 0 {
			return heapdump.Keep{Mode: heapdump.KeepFields, Fields: withTimes(h, class, slices.Clone(item.Keep))}
		}
		if t.Item(names) != nil && len(h.AllFields(class)) <= fewFields {
			return whole
		}
		if t.IsPlain(names) != nil && strings.HasPrefix(names[0], "java.") {
			return heapdump.Keep{Mode: heapdump.KeepNothing}
		}
		if isWrapper(h, class) {
			return whole
		}
		return heapdump.Keep{}
	}
}

// fewFields is how many fields an entry of a queue has at most whose instances
// are kept whole: those that only wrap what they stand for.
const fewFields = 8

// withTimes adds the other fields that may hold a time, by which one clock is
// set by the other.
func withTimes(h *heapdump.Heap, class int, fields []string) []string {
	for _, f := range h.AllFields(class) {
		if f.Type == typeLong {
			fields = append(fields, f.Name)
		}
	}
	return fields
}
