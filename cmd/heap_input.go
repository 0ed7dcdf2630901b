package cmd

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"example.com/kneeline/internal/fault"
	"example.com/kneeline/internal/heapinput"
	"example.com/kneeline/internal/input"
)

// heapHead is how many packed bytes of an input are looked at to recognise it: a
// block of zstd may need 128 KiB before it gives the first byte.
const heapHead = 256 << 10

// heapInput is one input whose kind is known.
type heapInput struct {
	input.Source
	kind heapinput.Kind
	// size is that of the packed input; 0 when it is not known.
	size int64
	// packed says that it is compressed.
	packed bool
	// stream is the input itself where it cannot be opened again: stdin, or what was
	// fetched. Nothing of it is lost by recognising it.
	stream io.Reader
	// fetched is set when a server gave it.
	fetched bool
}

// open opens the input, decompressed.
func (in *heapInput) open() (*input.Reader, error) {
	if in.stream != nil {
		return input.NewReader(in.Name, in.stream)
	}
	return in.Source.Open(nil)
}

// recognise tells the kinds of sources. forced is the kind that the user says they
// have; what cannot be read comes back as errors, one a source, with the name.
func recognise(sources []input.Source, stdin io.Reader, forced heapinput.Kind) ([]*heapInput, []error) {
	var inputs []*heapInput
	var errs []error
	for _, src := range sources {
		in, err := recogniseOne(src, stdin, forced)
		if err != nil {
			errs = append(errs, err)
			continue
		}
		inputs = append(inputs, in)
	}
	return inputs, errs
}

func recogniseOne(src input.Source, stdin io.Reader, forced heapinput.Kind) (*heapInput, error) {
	in := &heapInput{Source: src, kind: forced}
	var head []byte
	var err error
	stream, streamErr := streamOf(src, stdin)
	switch {
	case streamErr != nil:
		err = streamErr
	case stream != nil:
		b := bufio.NewReaderSize(stream, heapHead)
		in.stream = b
		head, err = b.Peek(heapHead)
	default:
		head, in.size, err = headOf(src.Path)
	}
	if err != nil && err != io.EOF {
		return nil, fault.NoAnswerf("cannot read %s: %w", src.Name, pathReason(err))
	}
	if forced != heapinput.Unknown {
		return in, nil
	}
	return in, in.sniff(head)
}

// streamOf opens what can be read only once: stdin, or a pipe, which is what a shell
// makes of <(command). It is nil for a file. A pipe is closed with the process.
func streamOf(src input.Source, stdin io.Reader) (io.Reader, error) {
	if src.Path == input.Stdin {
		return stdin, nil
	}
	info, err := os.Stat(src.Path)
	if err != nil || info.Mode()&(os.ModeNamedPipe|os.ModeCharDevice|os.ModeSocket) == 0 {
		return nil, err
	}
	return os.Open(src.Path)
}

// sniff sets the kind by the first packed bytes.
func (in *heapInput) sniff(head []byte) error {
	plain, whole, err := unpackedHead(in.Name, head)
	if err != nil {
		return err
	}
	in.packed = !bytes.HasPrefix(head, plain)
	s := heapinput.Sniff(plain, whole)
	in.kind = s.Kind
	if s.Kind != heapinput.Unknown && s.Kind != heapinput.Unread {
		return nil
	}
	e := fault.NoAnswerf("%w", notOfAHeap{in.Name, s.What})
	if s.Instead != "" {
		return fault.WithHint(e, s.Instead)
	}
	return e
}

// notOfAHeap is the error of an input that is something else. Among others it is
// left out and noted; alone it is a failure.
type notOfAHeap struct{ name, what string }

func (e notOfAHeap) Error() string {
	return fmt.Sprintf("%s: expected a heap dump, a profile, a thread dump or a class histogram, found %s", e.name, e.what)
}

// unpackedHead is what the first packed bytes of an input unpack to; whole says
// that it is all there is.
func unpackedHead(name string, head []byte) (plain []byte, whole bool, err error) {
	r, err := input.NewReader(name, bytes.NewReader(head))
	if err != nil {
		return nil, false, err
	}
	defer r.Close()
	buf := make([]byte, heapinput.Window)
	n, err := io.ReadFull(r, buf)
	whole = err == io.EOF || err == io.ErrUnexpectedEOF
	if err != nil && !whole && n == 0 && len(head) < heapHead {
		return nil, false, err // damaged from its first byte on, and not for want of more
	}
	return buf[:n], whole && len(head) < heapHead, nil
}

// headOf reads the first bytes of a file.
func headOf(path string) (head []byte, size int64, err error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, 0, err
	}
	defer f.Close()
	if info, err := f.Stat(); err == nil && info.Mode().IsRegular() {
		size = info.Size()
	}
	head, err = io.ReadAll(io.LimitReader(f, heapHead))
	return head, size, err
}

// pathReason is the cause of an error of a file without the path.
func pathReason(err error) error {
	if p, ok := err.(*os.PathError); ok {
		return p.Err
	}
	return err
}

// dir is the directory of an input; what comes from stdin stands in the present one.
func (in *heapInput) dir() string {
	if in.stream != nil && !in.fetched {
		return "."
	}
	return filepath.Dir(in.Path)
}

// heapCase is the inputs that tell of one process.
type heapCase struct {
	name string
	// main is what is judged: a dump, or the first of its profiles or histograms.
	main *heapInput
	// beside are the others, in the order in which they were given.
	beside []*heapInput
}

// heapCases puts inputs together that tell of one process:
//
//   - each dump is a process of its own;
//   - profiles and stacks of Go of one directory are of one process;
//   - so are histograms and thread dumps where there is no heap dump; beside dumps
//     they belong to the one process there is, or else to the one whose name they
//     share up to the first dot: web-01.hprof and web-01.threads.txt.
//
// What belongs to nothing comes back as left.
func heapCases(inputs []*heapInput) (cases []*heapCase, left []*heapInput) {
	goCases := map[string]*heapCase{}
	var companions []*heapInput
	for _, in := range inputs {
		switch in.kind {
		case heapinput.HPROF, heapinput.V8:
			cases = append(cases, &heapCase{name: in.Name, main: in})
		case heapinput.Pprof, heapinput.GoStacks:
			dir := in.dir()
			if c := goCases[dir]; c != nil {
				c.beside = append(c.beside, in)
				continue
			}
			goCases[dir] = &heapCase{name: in.Name, main: in}
			cases = append(cases, goCases[dir])
		default:
			companions = append(companions, in)
		}
	}
	if len(cases) == 0 {
		return casesOfText(companions), nil
	}
	for _, in := range companions {
		if c := caseOf(cases, in); c != nil {
			c.beside = append(c.beside, in)
			continue
		}
		left = append(left, in)
	}
	return cases, left
}

// casesOfText makes a case of the histograms and thread dumps of each directory: the
// histograms of one process, one after the other, tell how it grows.
func casesOfText(companions []*heapInput) (cases []*heapCase) {
	byDir := map[string]*heapCase{}
	for _, in := range companions {
		dir := in.dir()
		c := byDir[dir]
		switch {
		case c == nil:
			byDir[dir] = &heapCase{name: in.Name, main: in}
			cases = append(cases, byDir[dir])
		case in.kind == heapinput.Histogram && c.main.kind != heapinput.Histogram:
			c.main, c.name, c.beside = in, in.Name, append([]*heapInput{c.main}, c.beside...)
		default:
			c.beside = append(c.beside, in)
		}
	}
	return cases
}

// caseOf is the case that a companion belongs to; nil where that is not clear.
func caseOf(cases []*heapCase, in *heapInput) *heapCase {
	if len(cases) == 1 {
		return cases[0]
	}
	var found *heapCase
	for _, c := range cases {
		if stem(c.main.Path) != stem(in.Path) {
			continue
		}
		if found != nil {
			return nil
		}
		found = c
	}
	return found
}

// stem is a path up to the first dot of the file's name.
func stem(path string) string {
	dir, file := filepath.Split(path)
	name, _, _ := strings.Cut(file, ".")
	return dir + name
}

// leftWords says what is not used.
func leftWords(in *heapInput) string {
	return fmt.Sprintf("left out %s: %s that belongs to none of the dumps by its name; name it as its dump up to the first dot", in.Name, in.kind.Title())
}
