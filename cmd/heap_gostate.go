package cmd

import (
	"fmt"

	"example.com/kneeline/analyze/pending"
	"example.com/kneeline/internal/report"
	"example.com/kneeline/internal/units"
)

// goBlocks are what only the profiles of a Go process tell.
func (v heapView) goBlocks(g *pending.Go) []report.Block {
	if g == nil {
		return nil
	}
	return []report.Block{goRequests(g), goMemory(g.Memory), v.goContention(g.Contention), goBase(g.Base), v.goChanges(g.Base), v.goStates(g)}
}

// goRequests is how many requests there are, and in what state.
func goRequests(g *pending.Go) report.Block {
	kv := &rows{report.KeyValues{Caption: "Requests in their handlers"}}
	q := g.Requests
	if q.Total > 0 {
		kv.add("all", units.Count(q.Total), protocolWords(q.Protocols))
		kv.add("wait for their turn", units.Count(q.Waiting), shareOf(q.Waiting, q.Total))
		kv.add("are served", units.Count(q.Served), shareOf(q.Served, q.Total))
	}
	for _, r := range []struct {
		key  string
		n    int64
		note string
	}{
		{"cannot tell", q.Unclear, "they wait for a turn, a result or an event"},
		{"wait for another service", q.Downstream, "of those that are served"},
		{"wait for their client", q.Client, "of those that are served"},
		{"abandoned", q.Abandoned, "http.TimeoutHandler has answered, the handler works on"},
		{"as long as the client likes", q.LongLived, "websockets and such; not counted above"},
		{"idle connections", g.Connections.Idle, "kept alive without a request"},
		{"requests not yet there", g.Connections.Reading, "connections whose request is being read"},
		{"connections of many requests", g.Connections.Multiplexed, "HTTP/2 and gRPC"},
	} {
		if r.n > 0 {
			kv.add(r.key, units.Count(r.n), r.note)
		}
	}
	if g.Connections.AcceptBlocked {
		kv.Items = append(kv.Items, report.KeyValue{Key: "the listener", Value: "takes no more connections", Note: "its limit is reached", Level: report.Bad})
	}
	if g.Processes > 1 {
		kv.add("processes", units.Count(g.Processes), "added up")
	}
	if len(kv.Items) == 0 {
		return nil
	}
	return kv.KeyValues
}

func shareOf(n, all int64) string {
	if all == 0 {
		return ""
	}
	return units.Share(float64(n) / float64(all))
}

func protocolWords(all []pending.GoProtocol) string {
	var words []string
	for _, p := range all {
		words = append(words, fmt.Sprintf("%s %s", p.Protocol, units.Count(p.Count)))
	}
	return joinNotes(words...)
}

// goMemory is what the heap profile says of requests.
func goMemory(m *pending.GoMemory) report.Block {
	if m == nil {
		return nil
	}
	kv := &rows{report.KeyValues{Caption: "Memory of requests and connections"}}
	note := "as of the last collection that ended"
	if m.Period > 0 {
		note += ", one sample every " + units.Size(m.Period)
	}
	kv.add("in use", units.Size(m.Bytes), note)
	each := func(v *float64) string {
		if v == nil {
			return ""
		}
		return units.Size(int64(*v)) + " each"
	}
	kv.add("connections", units.Size(m.Connections), joinNotes(each(m.EachConnection), shareOf(m.Connections, m.Bytes)))
	kv.add("requests", units.Size(m.Requests), joinNotes(each(m.EachRequest), shareOf(m.Requests, m.Bytes)))
	kv.add("by handlers", units.Size(m.Handlers), joinNotes(shareOf(m.Handlers, m.Bytes), "may outlive the request"))
	if m.Error != nil {
		kv.add("give or take", units.Share(*m.Error), "of connections and requests together, since it is a sample")
	}
	if m.Stacks != nil {
		kv.add("stacks", units.Size(*m.Stacks), "of all goroutines, not in the above")
	}
	return kv.KeyValues
}

// goContention is the waits that ended.
func (v heapView) goContention(all []pending.GoContention) report.Block {
	if len(all) == 0 {
		return nil
	}
	t := report.Table{Caption: "Waits that ended, by block and mutex profiles", Columns: []report.Column{
		{Title: "profile"}, {Title: "place"}, {Title: "waits", Align: report.Right}, {Title: "in all", Align: report.Right}, {Title: "mean", Align: report.Right},
	}}
	most := v.rows(groupsInText)
	for i, c := range all {
		if i == most {
			t.Rows = append(t.Rows, report.Row("", units.Count(len(all)-i)+" more"))
			break
		}
		t.Rows = append(t.Rows, report.Row(c.Profile, v.class(c.Place), units.Count(c.Count), units.Seconds(c.Seconds), units.Seconds(c.Mean)))
	}
	return t
}

// signed writes a change with its sign.
func signed(n int64) string {
	if n > 0 {
		return "+" + units.Count(n)
	}
	return units.Count(n)
}

// goBase is the change since the base.
func goBase(b *pending.GoBase) report.Block {
	if b == nil {
		return nil
	}
	kv := &rows{report.KeyValues{Caption: "Since the base"}}
	if b.Seconds != nil {
		kv.add("time", units.Seconds(*b.Seconds), "")
	}
	kv.add("goroutines", signed(b.Goroutines), "")
	kv.add("requests", signed(b.Requests), "")
	if b.Bytes != nil {
		size := units.Size(*b.Bytes)
		if *b.Bytes > 0 {
			size = "+" + size
		}
		kv.add("bytes in use", size, "")
	}
	return kv.KeyValues
}

func (v heapView) goChanges(b *pending.GoBase) report.Block {
	if b == nil || len(b.Places) == 0 {
		return nil
	}
	t := report.Table{Caption: "Where the number of goroutines changed most", Columns: []report.Column{
		{Title: "change", Align: report.Right}, {Title: "per second", Align: report.Right}, {Title: "state"}, {Title: "place"},
	}}
	most := v.rows(groupsInText)
	for i, c := range b.Places {
		if i == most {
			break
		}
		rate := dash
		if c.Rate != nil {
			rate = units.Rate(*c.Rate)
		}
		t.Rows = append(t.Rows, report.Row(signed(c.Change), rate, c.State, v.class(c.Place)))
	}
	return t
}

// goStates counts all goroutines; a page has room for it.
func (v heapView) goStates(g *pending.Go) report.Block {
	if !v.page || len(g.States) == 0 {
		return nil
	}
	t := report.Table{Caption: "Goroutines by state", Columns: []report.Column{{Title: "state"}, {Title: "count", Align: report.Right}, {Title: "share", Align: report.Right}}}
	for _, s := range g.States {
		t.Rows = append(t.Rows, report.Row(s.State, units.Count(s.Count), shareOf(s.Count, g.Goroutines)))
	}
	return t
}
