package gcparse

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"example.com/kneeline/internal/input"
)

// script writes to a log in steps, one each time the follower waits, and ends the
// following after the last: virtual time.
type script struct {
	t     *testing.T
	path  string
	steps []func()
	done  context.CancelFunc
	waits int
}

func (s *script) wait(context.Context, time.Duration) {
	s.waits++
	if len(s.steps) == 0 {
		s.done()
		return
	}
	s.steps[0]()
	s.steps = s.steps[1:]
}

// write adds a step that appends text.
func (s *script) write(text string) {
	s.steps = append(s.steps, func() {
		f, err := os.OpenFile(s.path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
		if err != nil {
			s.t.Fatal(err)
		}
		defer f.Close()
		if _, err := f.WriteString(text); err != nil {
			s.t.Fatal(err)
		}
	})
}

// do adds a step of another kind.
func (s *script) do(what func() error) {
	s.steps = append(s.steps, func() {
		if err := what(); err != nil {
			s.t.Fatal(err)
		}
	})
}

func (s *script) nothing(times int) {
	for range times {
		s.steps = append(s.steps, func() {})
	}
}

// follow runs the script and gives the events.
func (s *script) follow() ([]Event, *Result) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	s.done = cancel
	var events []Event
	stream := Stream{Name: s.path, Sources: []input.Source{{Name: s.path, Path: s.path}}}
	res, err := Follow(ctx, stream, FollowOptions{Wait: s.wait}, func(e *Event) { events = append(events, *e) })
	if err != nil {
		s.t.Fatal(err)
	}
	return events, res
}

func newScript(t *testing.T) *script {
	return &script{t: t, path: filepath.Join(t.TempDir(), "gc.log")}
}

// Written in pieces of any size, a log gives the events that it gives whole.
func TestFollowAgreesWithWhole(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for name, text := range samples(t) {
		if len(text) > 30<<10 {
			continue
		}
		s := newScript(t)
		for rest := string(text); rest != ""; {
			n := min(len(rest), 1+rng.IntN(1+len(text)/4))
			s.write(rest[:n])
			rest = rest[n:]
		}
		want, wantRes := readText(text, 0, nil)
		got, res := s.follow()
		sameEvents(t, name, want, got, wantRes, res)
	}
}

func TestFollowAcrossRotation(t *testing.T) {
	lines := strings.SplitAfter(g1Log, "\n")
	half := len(lines) / 2
	first, second := strings.Join(lines[:half], ""), strings.Join(lines[half:], "")
	want, _ := parse(t, g1Log)
	s := newScript(t)
	for name, turn := range map[string]func(){
		"renamed and made anew": func() {
			s.write(first[:100])
			s.do(func() error { return os.Rename(s.path, s.path+".0") })
			s.nothing(3)
			s.write(second)
		},
		"renamed after more was written": func() {
			s.write(first[:100])
			s.do(func() error {
				f, err := os.OpenFile(s.path, os.O_APPEND|os.O_WRONLY, 0)
				if err != nil {
					return err
				}
				if _, err := f.WriteString(first[100:]); err != nil {
					return err
				}
				f.Close()
				if err := os.Rename(s.path, s.path+".0"); err != nil {
					return err
				}
				return os.WriteFile(s.path, []byte(second), 0o644)
			})
		},
		"cut": func() {
			s.write(first)
			s.do(func() error { return os.Truncate(s.path, 0) })
			s.write(second)
		},
	} {
		t.Run(name, func(t *testing.T) {
			s = newScript(t)
			turn()
			expect := want
			if name == "renamed and made anew" {
				whole, _ := parse(t, first[:100]+"\n"+second)
				expect = whole
			}
			s.nothing(3)
			got, res := s.follow()
			if diff := cmp.Diff(titles(expect), titles(got)); diff != "" {
				t.Error(diff)
			}
			if n := len(res.Stream.Sources); n != 2 {
				t.Errorf("%d sources, want that before and that after", n)
			}
			if last := got[len(got)-1]; last.Source != 1 {
				t.Errorf("the last event is of source %d", last.Source)
			}
		})
	}
}

// An event that waits for its CPU times appears when the log falls silent, and
// time is told to go on meanwhile.
func TestFollowSilence(t *testing.T) {
	s := newScript(t)
	s.write("[1.000s][info][gc] GC(0) Pause Full (System.gc()) 10M->5M(20M) 9.000ms\n")
	s.nothing(quiet + 2)
	seen := -1
	ctx, cancel := context.WithCancel(context.Background())
	s.done = cancel
	idle := 0
	stream := Stream{Sources: []input.Source{{Name: s.path, Path: s.path}}}
	opts := FollowOptions{Wait: s.wait, Idle: func() { idle++ }}
	if _, err := Follow(ctx, stream, opts, func(*Event) { seen = s.waits }); err != nil {
		t.Fatal(err)
	}
	if seen < quiet || seen > quiet+2 {
		t.Errorf("the event came after %d waits, want about %d", seen, quiet)
	}
	if idle < quiet {
		t.Errorf("idle was told %d times", idle)
	}
}

// A line that comes in many small pieces is no silence: the CPU times that follow
// an event are still its own.
func TestFollowSlowLine(t *testing.T) {
	s := newScript(t)
	s.write("[1.000s][info][gc] GC(0) Pause Full (System.gc()) 10M->5M(20M) 9.000ms\n")
	for _, c := range "[1.000s][info][gc,cpu] GC(0) User=0.02s Sys=0.00s Real=0.01s\n" {
		s.write(string(c))
	}
	s.nothing(2)
	events, _ := s.follow()
	if len(events) != 1 || !events[0].HasCPU || events[0].User != 20e6 {
		t.Errorf("%+v", events)
	}
}

// Standard input is read to its end, and a set's older files before its newest.
func TestFollowOthers(t *testing.T) {
	lines := strings.SplitAfter(g1Log, "\n")
	s := newScript(t)
	older := s.path + ".0"
	if err := os.WriteFile(older, []byte(strings.Join(lines[:20], "")), 0o644); err != nil {
		t.Fatal(err)
	}
	s.write(strings.Join(lines[20:], ""))
	s.nothing(2)
	ctx, cancel := context.WithCancel(context.Background())
	s.done = cancel
	n := 0
	stream := Stream{Sources: []input.Source{{Name: older, Path: older}, {Name: s.path, Path: s.path}}}
	if _, err := Follow(ctx, stream, FollowOptions{Wait: s.wait}, func(*Event) { n++ }); err != nil || n != 7 {
		t.Errorf("%d events of a set, %v", n, err)
	}
	n = 0
	stream = Stream{Sources: []input.Source{{Name: "stdin", Path: input.Stdin}}}
	opts := FollowOptions{Options: Options{Stdin: strings.NewReader(g1Log)}, Wait: s.wait}
	if _, err := Follow(context.Background(), stream, opts, func(*Event) { n++ }); err != nil || n != 7 {
		t.Errorf("%d events of stdin, %v", n, err)
	}
}

func TestStreams(t *testing.T) {
	dir := t.TempDir()
	write := func(name string, uptimes ...float64) input.Source {
		var b bytes.Buffer
		for i, up := range uptimes {
			fmt.Fprintf(&b, "[%.3fs][info][gc] GC(%d) Pause Young (x) 1M->1M(2M) 1.000ms\n", up, int(up)+i)
		}
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, b.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
		return input.Source{Name: path, Path: path}
	}
	names := func(streams []Stream) []string {
		var list []string
		for _, s := range streams {
			var files []string
			for _, src := range s.Sources {
				rel, _ := filepath.Rel(dir, src.Path)
				files = append(files, filepath.ToSlash(rel))
			}
			list = append(list, strings.Join(files, " "))
		}
		return list
	}
	tests := []struct {
		name  string
		files []input.Source
		want  []string
	}{
		{"round and round", []input.Source{write("a/gc.log", 40, 50), write("a/gc.log.0", 30, 39), write("a/gc.log.1", 10, 19), write("a/gc.log.2", 20, 29)},
			[]string{"a/gc.log.1 a/gc.log.2 a/gc.log.0 a/gc.log"}},
		{"current of JDK 8", []input.Source{write("b/gc.log.0", 30, 39), write("b/gc.log.1.current", 40, 45), write("b/gc.log.2", 20, 29)},
			[]string{"b/gc.log.2 b/gc.log.0 b/gc.log.1.current"}},
		{"files of an earlier run", []input.Source{write("c/gc.log", 20, 29), write("c/gc.log.0", 0.5, 19), write("c/gc.log.1", 0.6, 300), write("c/gc.log.2", 301, 399)},
			[]string{"c/gc.log.1 c/gc.log.2 c/gc.log.0 c/gc.log"}},
		{"different logs", []input.Source{write("d/app-gc.log", 1, 2), write("d/web-gc.log", 1, 2), write("e/app-gc.log", 1, 2)},
			[]string{"d/app-gc.log", "d/web-gc.log", "e/app-gc.log"}},
		{"dates and process numbers", []input.Source{write("f/gc-2026-11-29_10-00-00.log", 20, 29), write("f/gc_pid12_2026-11-28_10-00-00.log", 1, 19)},
			[]string{"f/gc_pid12_2026-11-28_10-00-00.log f/gc-2026-11-29_10-00-00.log"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := names(Streams(context.Background(), tt.files))
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
	stdin := input.Source{Name: "stdin", Path: input.Stdin}
	if s := Streams(context.Background(), []input.Source{stdin}); len(s) != 1 || s[0].Name != "stdin" {
		t.Errorf("stdin: %+v", s)
	}
	// A set is read as one log: its runs go on from file to file.
	set := Streams(context.Background(), tests[0].files)[0]
	res, err := Read(context.Background(), set, Options{}, func(*Event) {})
	if err != nil || len(res.Runs) != 1 || res.Runs[0].Events[Pause] != 8 {
		t.Errorf("runs of a set: %+v, %v", res.Runs, err)
	}
}
