package gcparse

import (
	"io"
	"os"
	"sync"
)

// guard lets a source be closed while another goroutine reads from it, as happens
// when reading is given up: decompressors do not stand that, and a pipe may block
// for as long as it likes. Whichever of the two ends last closes.
type guard struct {
	src io.ReadCloser

	mu              sync.Mutex // guards what follows
	reading, closed bool
}

func (g *guard) Read(p []byte) (int, error) {
	g.mu.Lock()
	if g.closed {
		g.mu.Unlock()
		return 0, os.ErrClosed
	}
	g.reading = true
	g.mu.Unlock()
	n, err := g.src.Read(p)
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.reading = false; g.closed {
		g.src.Close()
	}
	return n, err
}

func (g *guard) Close() error {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.closed {
		return nil
	}
	if g.closed = true; g.reading {
		return nil
	}
	return g.src.Close()
}
