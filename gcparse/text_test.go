package gcparse

import (
	"context"
	"io"
	"strings"
	"testing"

	"example.com/kneeline/internal/input"
)

// parse reads a text as a stream of its own.
func parse(t testing.TB, text string) ([]Event, *Result) {
	t.Helper()
	return parseFrom(t, strings.NewReader(text))
}

func parseFrom(t testing.TB, src io.Reader) ([]Event, *Result) {
	t.Helper()
	var events []Event
	stream := Stream{Name: "stdin", Sources: []input.Source{{Name: "stdin", Path: input.Stdin}}}
	res, err := Read(context.Background(), stream, Options{Stdin: src}, func(e *Event) { events = append(events, *e) })
	if err != nil {
		t.Fatal(err)
	}
	return events, res
}
