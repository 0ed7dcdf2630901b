package gcparse

import (
	"bytes"
	"context"
	"io"
	"sync"
	"sync/atomic"
)

// maxWorkers bounds the threads, and with them the memory, of one stream.
const maxWorkers = 16

// A stream is read by several threads in three stages. One reads blocks of whole
// lines, several let the family skim them, and one feeds what is left to the
// family, block by block in their order. Only the last has state, and it sees the
// same lines as without threads: the events are the same by construction.

// block is a piece of a source on its way through the stages.
type block struct {
	buf    []byte // to read into
	data   []byte // the whole lines in it
	offset int64
	last   bool // the end of the source: no data, and the error
	err    error

	// skimmer is the family that skimmed it, -1 for none. counts are the lines it
	// settled, kept those it did not; lines is the number of all.
	skimmer int
	counts  [classes]int64
	kept    []span
	lines   int32
	skimmed chan struct{} // a token when that is done
}

// span is a line in a block.
type span struct {
	start, end int32 // with its line end
	index      int32 // how many lines stand before it
}

// skim does the work of the second stage.
func (b *block) skim(f family, i int) {
	b.skimmer, b.counts, b.kept, b.lines = i, [classes]int64{}, b.kept[:0], 0
	if f == nil {
		return
	}
	for at := 0; at < len(b.data); b.lines++ {
		end := len(b.data)
		if n := bytes.IndexByte(b.data[at:], '\n'); n >= 0 {
			end = at + n + 1
		}
		if class, done := f.skim(trimLine(b.data[at:end])); done {
			b.counts[class]++
		} else {
			b.kept = append(b.kept, span{int32(at), int32(end), b.lines})
		}
		at = end
	}
}

// skimmedBlock does the work of the last stage on a block whose first line has
// number no, and gives the number of the line after it.
func (r *reader) skimmedBlock(b *block, source int32, no int64) int64 {
	if b.skimmer < 0 || r.skimmer() != b.skimmer {
		return r.block(b.data, source, no, b.offset)
	}
	for _, k := range b.kept {
		r.kept(trimLine(b.data[k.start:k.end]), source, no+int64(k.index), b.offset+int64(k.start))
		if r.skimmer() != b.skimmer {
			// Another family or a wrapper begins here: what was skimmed after
			// this line is void.
			r.recount(b, k.end)
			return r.block(b.data[k.end:], source, no+int64(k.index)+1, b.offset+int64(k.end))
		}
	}
	for c, n := range b.counts {
		r.sink.result.Ledger.Lines[c] += n
	}
	return no + int64(b.lines)
}

// recount counts the settled lines of a block up to a place.
func (r *reader) recount(b *block, end int32) {
	f := r.seats[b.skimmer].family
	for data := b.data[:end]; len(data) > 0; {
		n := bytes.IndexByte(data, '\n') + 1
		if class, done := f.skim(trimLine(data[:n])); done {
			r.sink.result.Ledger.Lines[class]++
		}
		data = data[n:]
	}
}

// pipeline is the threads that read one source.
type pipeline struct {
	free    chan *block // to be read into
	raw     chan *block // to be skimmed
	ordered chan *block // in the order of the source
	present atomic.Pointer[skimming]
	stop    chan struct{}
	readers sync.WaitGroup
}

// skimming is the family that skims now.
type skimming struct {
	family family
	index  int
}

func (r *reader) publish(p *pipeline) {
	i := r.skimmer()
	if now := p.present.Load(); now != nil && now.index == i {
		return
	}
	s := &skimming{index: i}
	if i >= 0 {
		s.family = r.seats[i].family
	}
	p.present.Store(s)
}

// parallel reads a source with the given number of skimming threads. A source
// that blocks is abandoned when ctx ends.
func (r *reader) parallel(ctx context.Context, src io.Reader, source int32, workers int) error {
	workers = min(workers, maxWorkers)
	blocks := workers + 2
	p := &pipeline{free: make(chan *block, blocks), raw: make(chan *block, blocks), ordered: make(chan *block, blocks),
		stop: make(chan struct{})}
	for range blocks {
		p.free <- &block{buf: make([]byte, blockSize), skimmed: make(chan struct{}, 1)}
	}
	r.publish(p)
	c := newCutter(src, 0)
	go p.read(c)
	for range workers {
		p.readers.Go(p.skim)
	}
	defer p.readers.Wait()
	defer close(p.stop)
	no := int64(1)
	for {
		var b *block
		select {
		case b = <-p.ordered:
		case <-ctx.Done():
			return nil
		}
		r.sink.result.Bytes += int64(len(b.data))
		if b.last {
			r.block(b.data, source, no, b.offset)
			return b.err
		}
		<-b.skimmed
		no = r.skimmedBlock(b, source, no)
		r.publish(p)
		p.free <- b
	}
}

// read is the first stage.
func (p *pipeline) read(c *cutter) {
	for {
		var b *block
		select {
		case b = <-p.free:
		case <-p.stop:
			return
		}
		b.data, b.offset, b.err = c.next(b.buf)
		if b.err != nil {
			b.last = true
			b.data, b.offset = c.rest()
			p.ordered <- b // has room for every block there is
			return
		}
		p.ordered <- b
		p.raw <- b
	}
}

// skim is the second stage.
func (p *pipeline) skim() {
	for {
		select {
		case b := <-p.raw:
			s := p.present.Load()
			b.skim(s.family, s.index)
			b.skimmed <- struct{}{}
		case <-p.stop:
			return
		}
	}
}
