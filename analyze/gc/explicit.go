package gc

import "example.com/kneeline/gcparse"

// forced is the collection of Go that is going on by order of the program.
type forced struct {
	run   *run
	id    int64
	begin spot
	known bool
}

// lookExplicit finds collections of the whole heap that the program asked for. It
// takes a pause that is marked so.
//
// Not all such pauses are one: where a call only begins a concurrent cycle
// (-XX:+ExplicitGCInvokesConcurrent), it costs no more than any young collection.
// V8 marks before the pause, so that it is never full there. A collection of Go
// has two short pauses, and what it costs lies between them: runtime.GC waits for
// all of it, and a quarter of the processors work on it.
func (a *Analyzer) lookExplicit(e *gcparse.Event, p spot) {
	switch {
	case e.Flags.Any(gcparse.Full):
		a.signs.see(signExplicit, p)
	case e.Collector == gcparse.V8 && e.Generation != gcparse.Young:
		a.signs.see(signExplicit, p)
	case e.Collector == gcparse.Go && !e.Heap.HasAfter:
		a.forced = forced{run: p.run, id: e.ID, begin: p, known: true}
	case e.Collector == gcparse.Go:
		if f := a.forced; f.known && f.run == p.run && f.id == e.ID && p.at >= f.begin.at {
			whole := p.at + p.dur - f.begin.at
			p = f.begin
			p.dur = min(whole, maxDuration)
		}
		a.forced = forced{}
		a.signs.see(signExplicit, p)
	}
}
