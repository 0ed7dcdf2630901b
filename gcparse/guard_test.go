package gcparse

import (
	"os"
	"testing"
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
