package stacks

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"example.com/kneeline/heapdump/lines"
	"example.com/kneeline/internal/fault"
)

// maxValue bounds one value of JSON, such as a thread with its stack, in bytes.
const maxValue = 8 << 20

// jsonThread is a thread as Thread.dump_to_file writes it. State, locks and carrier
// came with JDK 25; identifiers were texts at first.
type jsonThread struct {
	ID      jsonID   `json:"tid"`
	Name    string   `json:"name"`
	Virtual bool     `json:"virtual"`
	State   string   `json:"state"`
	Stack   []string `json:"stack"`
	Carrier jsonID   `json:"carrier"`
	Park    *struct {
		Object string `json:"object"`
		Owner  jsonID `json:"owner"`
	} `json:"parkBlocker"`
	BlockedOn string `json:"blockedOn"`
	WaitingOn string `json:"waitingOn"`
	Monitors  []struct {
		Depth int32    `json:"depth"`
		Locks []string `json:"locks"`
	} `json:"monitorsOwned"`
}

// jsonID is a number, or a text that is one.
type jsonID int64

func (n *jsonID) UnmarshalJSON(text []byte) error {
	*n = jsonID(integer(strings.Trim(string(text), `"`)))
	return nil
}

// jsonReader reads one dump after the other from a stream, thread by thread.
type jsonReader struct {
	decode *json.Decoder
	guard  *guard
	file   File
	keep   *keeper
}

func readJSON(in io.Reader) (*File, error) {
	g := &guard{in: in, left: maxValue}
	r := jsonReader{decode: json.NewDecoder(g), guard: g, keep: newKeeper()}
	for {
		err := r.document()
		if errors.Is(err, io.EOF) {
			return &r.file, r.file.empty()
		}
		if err != nil {
			if n := len(r.file.Dumps); n > 0 {
				r.file.Dumps[n-1].CutShort = true
			}
			at := r.decode.InputOffset()
			if r.file.empty() != nil || errors.Is(err, errRead) {
				return &r.file, fault.NoAnswerf("byte %d: expected the JSON of jcmd Thread.dump_to_file: %w", at, err)
			}
			r.file.problem(Problem{Offset: at, Expected: "the JSON of jcmd Thread.dump_to_file", Found: err.Error()})
			return &r.file, nil
		}
	}
}

// document reads one dump; its error is io.EOF only at the end of the stream.
func (r *jsonReader) document() error {
	t, err := r.token()
	if err != nil {
		return err // io.EOF: the end
	}
	if t != json.Delim('{') {
		return fmt.Errorf("expected an object, found %v", kindOf(t))
	}
	if len(r.file.Dumps) == MaxDumps {
		return fmt.Errorf("more than %d dumps in a file", MaxDumps)
	}
	r.file.Dumps = append(r.file.Dumps, Dump{Form: FileJSON, Stated: -1})
	d := &r.file.Dumps[len(r.file.Dumps)-1]
	return within(r.members(func(key string) error {
		if key != "threadDump" {
			return r.skip()
		}
		if err := r.opens('{'); err != nil {
			return err
		}
		return r.members(func(key string) error { return r.dumpMember(d, key) })
	}))
}

func (r *jsonReader) dumpMember(d *Dump, key string) error {
	switch key {
	case "processId":
		var id jsonID
		err := r.value(&id)
		d.PID = int64(id)
		return err
	case "time":
		var text string
		err := r.value(&text)
		if t, parse := time.Parse(time.RFC3339Nano, text); parse == nil {
			d.Stamp = lines.Stamp{Time: t.UTC(), Zoned: true}
		}
		return err
	case "runtimeVersion":
		err := r.value(&d.VM)
		d.VM = r.keep.text(d.VM)
		return err
	case "threadContainers":
		return r.elements(func() error {
			if err := r.opens('{'); err != nil {
				return err
			}
			container := ""
			return r.members(func(key string) error { return r.containerMember(d, &container, key) })
		})
	}
	return r.skip()
}

func (r *jsonReader) containerMember(d *Dump, container *string, key string) error {
	switch key {
	case "container":
		return r.value(container)
	case "threads":
		return r.elements(func() error {
			var t jsonThread
			if err := r.value(&t); err != nil {
				return err
			}
			r.thread(d, *container, &t)
			return nil
		})
	case "threadCount":
		var n jsonID
		err := r.value(&n)
		if total := max(d.Stated, 0) + int64(n); total >= int64(n) {
			d.Stated = total
		}
		return err
	}
	return r.skip()
}

// root is the container of the threads that no executor has.
const root = "<root>"

func (r *jsonReader) thread(d *Dump, container string, j *jsonThread) {
	t := Thread{Name: j.Name, ID: int64(j.ID), Java: true, Virtual: j.Virtual, State: stateNamed(j.State),
		Carrier: int64(j.Carrier), CPU: -1, Elapsed: -1, Allocated: -1}
	if container != root {
		t.Container = container
	}
	var frames []Frame
	for _, text := range j.Stack[:min(len(j.Stack), MaxFrames)] {
		f, ok := parseFrame(text)
		if !ok {
			r.file.problem(Problem{Offset: r.decode.InputOffset(), Expected: "a call as package.Class.method(File.java:1)", Found: "something else"})
			continue
		}
		frames = append(frames, f)
	}
	r.keep.thread(&r.file, d, t, frames, j.locks())
}

func (j *jsonThread) locks() []Lock {
	var out []Lock
	add := func(kind LockKind, object string, owner int64, depth int32) {
		if object != "" && len(out) < MaxLocks {
			class, _, _ := strings.Cut(object, "@")
			out = append(out, Lock{Kind: kind, Object: object, Class: class, Owner: owner, Depth: depth})
		}
	}
	add(Entering, j.BlockedOn, 0, 0)
	add(WaitingOn, j.WaitingOn, 0, 0)
	if j.Park != nil {
		add(Parking, j.Park.Object, int64(j.Park.Owner), 0)
	}
	for _, m := range j.Monitors {
		for _, object := range m.Locks {
			add(Locked, object, 0, m.Depth)
		}
	}
	return out
}

// members calls each for every key of the object that was opened.
func (r *jsonReader) members(each func(key string) error) error {
	for r.decode.More() {
		t, err := r.token()
		if err != nil {
			return err
		}
		key, ok := t.(string)
		if !ok {
			return fmt.Errorf("expected a key, found %v", kindOf(t))
		}
		if err := each(key); err != nil {
			return err
		}
	}
	_, err := r.token()
	return err
}

// elements calls each before every element of an array.
func (r *jsonReader) elements(each func() error) error {
	if err := r.opens('['); err != nil {
		return err
	}
	for r.decode.More() {
		if err := each(); err != nil {
			return err
		}
	}
	_, err := r.token()
	return err
}

func (r *jsonReader) opens(d json.Delim) error {
	t, err := r.token()
	if err == nil && t != d {
		return fmt.Errorf("expected %v, found %v", d, kindOf(t))
	}
	return err
}

func (r *jsonReader) token() (json.Token, error) {
	r.guard.left = maxValue
	return r.decode.Token()
}

func (r *jsonReader) value(into any) error {
	r.guard.left = maxValue
	return r.decode.Decode(into)
}

func (r *jsonReader) skip() error {
	var any json.RawMessage
	return r.value(&any)
}

// within turns the end of the stream into an error: a dump has begun.
func within(err error) error {
	if errors.Is(err, io.EOF) {
		return io.ErrUnexpectedEOF
	}
	return err
}

// kindOf says what a token is without showing its text.
func kindOf(t json.Token) string {
	switch t := t.(type) {
	case json.Delim:
		return strconv.Quote(t.String())
	case string:
		return "a text"
	case nil:
		return "null"
	}
	return "a number or truth value"
}

// errRead marks an error of the input itself.
var errRead = errors.New("cannot read further")

// guard ends the reading when one value takes more than [maxValue] bytes, which the
// decoder would hold as a whole.
type guard struct {
	in   io.Reader
	left int64
}

func (g *guard) Read(p []byte) (int, error) {
	if g.left <= 0 {
		return 0, fmt.Errorf("expected values of at most %d bytes each", maxValue)
	}
	n, err := g.in.Read(p[:min(int64(len(p)), g.left)])
	g.left -= int64(n)
	if err != nil && !errors.Is(err, io.EOF) {
		err = fmt.Errorf("%w: %w", errRead, err)
	}
	return n, err
}
