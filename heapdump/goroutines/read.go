package goroutines

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strconv"
	"strings"
)

// Limits of the reader. What exceeds them is counted in the set, not kept.
const (
	// MaxStacks bounds the distinct stacks that are kept. Goroutines of further ones
	// are counted in one group without frames.
	MaxStacks = 100_000
	// MaxFrames bounds the frames of one stack; the runtime prints at most 100
	// (tracebackInnerFrames and tracebackOuterFrames of runtime/traceback.go).
	MaxFrames = 256
	// MaxLine bounds the length of a line; of a longer one the rest is skipped.
	MaxLine = 16 << 10
	// MaxCreators bounds how many starting goroutines are told apart for a group.
	MaxCreators = 64
	// MaxMinutes is the longest wait that is kept: 16 years.
	MaxMinutes = 1 << 23
	// maxText is where the runtime cuts the text off.
	maxText = 64 << 20
)

// header is the first line of a goroutine:
//
//	goroutine 18 [chan send, 5 minutes, locked to thread]:
//	goroutine 1 gp=0xc000002380 m=0 mp=0x5a1f20 [running]:
var header = regexp.MustCompile(`^goroutine ([0-9]+)(?: gp=\S+)?(?: m=\S+)?(?: mp=\S+)? \[([^\]]*)`)

// Read reads the text of all goroutines. An error is returned when no goroutine
// is in it, and when reading fails; goroutines before that are in the set.
func Read(r io.Reader) (*Set, error) {
	p := &parser{groups: map[string]*group{}}
	err := p.lines(r)
	p.finish()
	set := p.set()
	switch {
	case err != nil:
		set.Cut = true
		return set, fmt.Errorf("line %d: %w", p.line, err)
	case len(set.Stacks) == 0 && p.firstLine == "":
		return set, errors.New("expected goroutines, found nothing")
	case len(set.Stacks) == 0:
		return set, fmt.Errorf("line 1: expected goroutines such as 'goroutine 1 [running]:', found %q", p.firstLine)
	}
	return set, nil
}

// group is a stack that is being counted.
type group struct {
	stack    Stack
	creators map[int64]bool
	waits    map[int64]int64
}

type parser struct {
	line      int
	bytes     int64
	firstLine string
	groups    map[string]*group
	order     []*group
	unread    int64
	elided    int64
	over      int64 // goroutines beyond MaxStacks

	// the goroutine being read
	open      bool
	state     string
	minutes   int64
	frames    []Frame
	creator   Frame
	creatorID int64
	inCreator bool
	wantFile  bool
	cutShort  bool
}

// lines reads line by line, whatever their length.
func (p *parser) lines(r io.Reader) error {
	br := bufio.NewReaderSize(r, MaxLine)
	for {
		text, err := br.ReadSlice('\n')
		if len(text) > 0 {
			p.line++
			p.bytes += int64(len(text))
			p.take(strings.TrimRight(string(text), "\r\n"))
		}
		for errors.Is(err, bufio.ErrBufferFull) {
			text, err = br.ReadSlice('\n')
			p.bytes += int64(len(text))
		}
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

func (p *parser) take(line string) {
	if p.firstLine == "" {
		p.firstLine = line[:min(len(line), 60)]
	}
	switch {
	case strings.HasPrefix(line, "goroutine "):
		p.finish()
		p.begin(line)
	case line == "":
		p.finish()
	case !p.open:
		// the message of a crash before, the registers after
	case strings.HasPrefix(line, "\t") || strings.HasPrefix(line, "        "):
		p.place(strings.TrimSpace(line))
	case strings.HasPrefix(line, "created by "):
		p.created(strings.TrimPrefix(line, "created by "))
	case strings.HasPrefix(line, "..."):
		p.cutShort = true
		p.wantFile = false
	default:
		p.call(line)
	}
}

func (p *parser) begin(line string) {
	m := header.FindStringSubmatch(line)
	if m == nil {
		p.unread++
		return
	}
	p.open = true
	p.state, p.minutes = "", 0
	p.frames, p.creator, p.creatorID = p.frames[:0], Frame{}, 0
	p.inCreator, p.wantFile, p.cutShort = false, false, false
	for i, part := range strings.Split(m[2], ", ") {
		if i == 0 {
			p.state = stateOfWord(strings.Clone(part))
			continue
		}
		if n, ok := strings.CutSuffix(part, " minutes"); ok {
			if v, err := strconv.ParseInt(n, 10, 64); err == nil && v >= 0 {
				p.minutes = min(v, MaxMinutes)
			} else {
				p.unread++
			}
		}
	}
}

// call is the line of a function with its arguments.
func (p *parser) call(line string) {
	i := strings.LastIndexByte(line, '(')
	if i <= 0 || !strings.HasSuffix(line, ")") {
		p.unread++
		return
	}
	if len(p.frames) >= MaxFrames {
		p.cutShort = true
		return
	}
	p.frames = append(p.frames, Frame{Func: line[:i]})
	p.wantFile = true
}

// created is the line that names who started the goroutine.
func (p *parser) created(text string) {
	p.inCreator, p.wantFile = true, true
	name, parent, ok := strings.Cut(text, " in goroutine ")
	p.creator = Frame{Func: name}
	if ok {
		if id, err := strconv.ParseInt(strings.TrimSpace(parent), 10, 64); err == nil {
			p.creatorID = id
		}
	}
}

// place is the line of file and line number below a function.
func (p *parser) place(text string) {
	if !p.wantFile {
		if !strings.HasPrefix(text, "goroutine running on other thread") {
			p.unread++
		}
		return
	}
	p.wantFile = false
	if i := strings.LastIndex(text, " +0x"); i >= 0 {
		text = text[:i]
	}
	if i := strings.Index(text, " fp=0x"); i >= 0 {
		text = text[:i]
	}
	file, line := text, 0
	if i := strings.LastIndexByte(text, ':'); i >= 0 {
		if n, err := strconv.Atoi(text[i+1:]); err == nil && n >= 0 {
			file, line = text[:i], n
		}
	}
	f := &p.creator
	if !p.inCreator {
		f = &p.frames[len(p.frames)-1]
	}
	f.File, f.Line = file, line
}

// finish counts the goroutine that was read.
func (p *parser) finish() {
	if !p.open {
		return
	}
	p.open = false
	if p.cutShort {
		p.elided++
	}
	k := key(p.frames, p.state, p.creator)
	g := p.groups[k]
	if g == nil {
		if len(p.groups) >= MaxStacks {
			p.over++
			return
		}
		g = &group{
			stack:    Stack{Frames: cloned(p.frames), State: p.state, Creator: p.creator},
			creators: map[int64]bool{}, waits: map[int64]int64{},
		}
		p.groups[k] = g
		p.order = append(p.order, g)
	}
	g.stack.Count++
	g.waits[p.minutes]++
	if p.creatorID != 0 && len(g.creators) < MaxCreators {
		g.creators[p.creatorID] = true
	}
}

// cloned copies frames, so that no line of the text is kept in whole.
func cloned(frames []Frame) []Frame {
	out := make([]Frame, len(frames))
	for i, f := range frames {
		out[i] = Frame{Func: strings.Clone(f.Func), File: strings.Clone(f.File), Line: f.Line}
	}
	return out
}

func (p *parser) set() *Set {
	stacks := make([]Stack, 0, len(p.order)+1)
	for _, g := range p.order {
		s := g.stack
		s.Creators = int64(len(g.creators))
		for m, n := range g.waits {
			s.Waits = append(s.Waits, Wait{m, n})
		}
		stacks = append(stacks, s)
	}
	if p.over > 0 {
		stacks = append(stacks, Stack{Count: p.over})
	}
	set := New(stacks)
	set.Waits = len(p.order) > 0
	set.Unread, set.Elided = p.unread, p.elided
	set.Cut = p.bytes >= maxText
	return set
}
