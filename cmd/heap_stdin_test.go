package cmd

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"strings"
	"testing"
	"testing/iotest"
)

func TestInterruptible(t *testing.T) {
	data := bytes.Repeat([]byte("0123456789abcdef"), 100_000)
	for name, src := range map[string]io.Reader{
		"whole": bytes.NewReader(data), "data with the end": iotest.DataErrReader(bytes.NewReader(data)), "halves": iotest.HalfReader(bytes.NewReader(data)),
	} {
		got, err := io.ReadAll(newInterruptible(t.Context(), src))
		if err != nil || !bytes.Equal(got, data) {
			t.Errorf("%s: %d bytes of %d, %v", name, len(got), len(data), err)
		}
	}
	broken := errors.New("broken")
	if got, err := io.ReadAll(newInterruptible(t.Context(), io.MultiReader(strings.NewReader("ab"), iotest.ErrReader(broken)))); string(got) != "ab" || !errors.Is(err, broken) {
		t.Errorf("%q, %v", got, err)
	}
	ctx, cancel := context.WithCancelCause(t.Context())
	pipe, _ := io.Pipe()
	r := newInterruptible(ctx, pipe)
	cancel(broken)
	if _, err := r.Read(make([]byte, 1)); !errors.Is(err, broken) {
		t.Errorf("a pipe that hangs ends with %v", err)
	}
}

// hanging gives its bytes, then sends a signal and hangs.
type hanging struct {
	io.Reader
	signal func()
	hang   chan struct{}
}

func (h *hanging) Read(p []byte) (int, error) {
	n, err := h.Reader.Read(p)
	if n == 0 && err == io.EOF {
		h.signal()
		<-h.hang
	}
	return n, nil
}

// After a signal the report of what was read comes, though the pipe hangs.
func TestHeapInterrupted(t *testing.T) {
	dump := jettyDump(2000)
	signals := make(chan os.Signal, 1)
	h := &hanging{Reader: bytes.NewReader(dump[:len(dump)*9/10]), hang: make(chan struct{})}
	h.signal = func() { signals <- os.Interrupt }
	defer close(h.hang)
	got := runIn(t, t.Context(), State{Args: []string{"heap", "-", "-o", "json"}, Stdin: h, Signals: signals})
	if got.code != exitInterrupted || !strings.Contains(got.stdout, `"complete": false`) || !strings.Contains(got.stdout, "SocketChannelEndPoint") {
		t.Errorf("exit code %d: %s\n%.500s", got.code, got.stderr, got.stdout)
	}
	validate(t, got.stdout)
}
