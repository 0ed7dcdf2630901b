package biglog

import (
	"bytes"
	"errors"
	"io"
	"testing"
)

func TestLogsAreTheSameForASeed(t *testing.T) {
	for name, write := range map[string]func(io.Writer, int64, uint64) (Truth, error){"G1": G1, "CMS": CMS} {
		var a, b, c bytes.Buffer
		truth, err := write(&a, 100_000, 1)
		if err != nil {
			t.Fatal(err)
		}
		again, _ := write(&b, 100_000, 1)
		write(&c, 100_000, 2)
		if !bytes.Equal(a.Bytes(), b.Bytes()) || truth != again {
			t.Errorf("%s: two logs of one seed differ", name)
		}
		if bytes.Equal(a.Bytes(), c.Bytes()) {
			t.Errorf("%s: logs of two seeds are the same", name)
		}
		if truth.Bytes != int64(a.Len()) || truth.Lines != int64(bytes.Count(a.Bytes(), []byte("\n"))) || truth.Bytes < 100_000 {
			t.Errorf("%s: %+v of a log with %d bytes", name, truth, a.Len())
		}
	}
}

func TestWriteErrorsAreReported(t *testing.T) {
	pr, pw := io.Pipe()
	cause := errors.New("disk full")
	pr.CloseWithError(cause)
	if _, err := G1(pw, 10<<20, 1); !errors.Is(err, cause) {
		t.Errorf("error %v", err)
	}
}
