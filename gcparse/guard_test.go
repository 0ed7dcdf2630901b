package gcparse

import (
	"bytes"
	"compress/gzip"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"go.uber.org/goleak"

	"example.com/kneeline/internal/input"
)

// slowSource says when it is read from and closed, and gives nothing until told.
type slowSource struct {
	begun, give chan struct{}
	reading     bool
	closed      chan bool // true if it was closed while it was read
}

func (s *slowSource) Read([]byte) (int, error) {
	s.reading = true
	s.begun <- struct{}{}
	<-s.give
	s.reading = false
	return 0, nil
}

func (s *slowSource) Close() error {
	s.closed <- s.reading
	return nil
}

func TestGuard(t *testing.T) {
	s := &slowSource{make(chan struct{}), make(chan struct{}), false, make(chan bool, 2)}
	g := &guard{src: s}
	read := make(chan struct{})
	go func() {
		defer close(read)
		g.Read(nil)
	}()
	<-s.begun
	if err := g.Close(); err != nil || len(s.closed) > 0 {
		t.Fatal("closed while it was read: ", err)
	}
	s.give <- struct{}{}
	<-read
	if len(s.closed) != 1 || <-s.closed {
		t.Error("not closed once after it was read")
	}
	if _, err := g.Read(nil); err != os.ErrClosed || g.Close() != nil || len(s.closed) > 0 {
		t.Error("used or closed again: ", err)
	}
}

// Giving up in the middle of packed logs is no race with their decompression.
func TestGivingUpPacked(t *testing.T) {
	defer goleak.VerifyNone(t)
	path := filepath.Join(t.TempDir(), "gc.log.gz")
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	z.Write([]byte(strings.Repeat(g1Log, 2000)))
	z.Close()
	if err := os.WriteFile(path, packed.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	for at := 1; at < 2000; at += 97 {
		ctx, cancel := context.WithCancel(context.Background())
		n := 0
		stream := Stream{Name: path, Sources: []input.Source{{Name: path, Path: path}}}
		res, err := Read(ctx, stream, Options{Workers: 3}, func(*Event) {
			if n++; n == at {
				cancel()
			}
		})
		cancel()
		if err != context.Canceled || res.Complete || len(res.Problems) > 0 {
			t.Fatalf("given up after %d events: %v, %v", at, err, res.Problems)
		}
	}
}
