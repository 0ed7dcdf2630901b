package input

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"
	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"

	"example.com/kneeline/internal/fault"
)

func gzipped(t testing.TB, parts ...string) []byte {
	var b bytes.Buffer
	for _, p := range parts {
		z := gzip.NewWriter(&b)
		if _, err := io.WriteString(z, p); err != nil {
			t.Fatal(err)
		}
		if err := z.Close(); err != nil {
			t.Fatal(err)
		}
	}
	return b.Bytes()
}

func zstandard(t testing.TB, text string, opts ...zstd.EOption) []byte {
	var b bytes.Buffer
	z, err := zstd.NewWriter(&b, opts...)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := io.WriteString(z, text); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

var long = strings.Repeat("a line of a log that goes on and on\n", 20_000)

func TestContentDecidesCompression(t *testing.T) {
	tests := []struct {
		name string
		data []byte
		kind Compression
		want string
	}{
		{"plain", []byte(long), None, long},
		{"empty", nil, None, ""},
		{"one byte", []byte{0x1f}, None, "\x1f"},
		{"gzip", gzipped(t, long), Gzip, long},
		{"gzip of several members", gzipped(t, "one ", "two ", "three"), Gzip, "one two three"},
		{"zstd", zstandard(t, long), Zstd, long},
		{"zstd of several frames", append(zstandard(t, "one "), zstandard(t, "two")...), Zstd, "one two"},
	}
	for _, tt := range tests {
		for how, src := range map[string]io.Reader{
			"whole": bytes.NewReader(tt.data), "byte by byte": iotest.OneByteReader(bytes.NewReader(tt.data)),
		} {
			t.Run(tt.name+" "+how, func(t *testing.T) {
				r, err := NewReader("in", src)
				if err != nil {
					t.Fatal(err)
				}
				got, err := io.ReadAll(r)
				if err != nil {
					t.Fatal(err)
				}
				if string(got) != tt.want || r.Compression != tt.kind {
					t.Errorf("%d bytes as %q, want %d as %q", len(got), r.Compression, len(tt.want), tt.kind)
				}
				if err := r.Close(); err != nil {
					t.Error(err)
				}
			})
		}
	}
}

func TestDamageIsNamed(t *testing.T) {
	packed := gzipped(t, long)
	flipped := bytes.Clone(packed)
	flipped[len(flipped)/2] ^= 0xff
	frame := zstandard(t, long)
	tests := []struct {
		name string
		data []byte
		says string
	}{
		{"cut gzip", packed[:len(packed)-9], fmt.Sprintf("in: expected more gzip data, found the end at byte %d", len(packed)-9)},
		{"gzip of a header", packed[:3], "in: expected more gzip data, found the end at byte 3"},
		{"changed gzip", flipped, "in: expected gzip data, found it damaged before byte"},
		{"cut zstd", frame[:len(frame)-9], fmt.Sprintf("in: expected more zstd data, found the end at byte %d", len(frame)-9)},
		{"changed zstd", append(bytes.Clone(frame[:12]), 0xff, 0xff, 0xff, 0xff), "in: expected "},
		{"zstd window", []byte{0x28, 0xb5, 0x2f, 0xfd, 0x00, 0xa0, 1, 0, 0, 0, 0, 0}, "in: expected a zstd window of at most 128 MiB"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r, err := NewReader("in", bytes.NewReader(tt.data))
			if err == nil {
				_, err = io.Copy(io.Discard, r)
				if again := r.Close(); again != nil {
					t.Errorf("it is told again when it is closed: %v", again)
				}
			}
			if err == nil || !strings.HasPrefix(err.Error(), tt.says) {
				t.Errorf("error %v, want %s", err, tt.says)
			}
			if fault.KindOf(err) != fault.NoAnswer {
				t.Errorf("%v has kind %v", err, fault.KindOf(err))
			}
		})
	}
}

func TestReadErrorsKeepTheirCause(t *testing.T) {
	cause := errors.New("disk on fire")
	for _, data := range [][]byte{nil, []byte("plain text that goes on"), gzipped(t, long)[:2000], zstandard(t, long)[:30]} {
		r, err := NewReader("in", io.MultiReader(bytes.NewReader(data), iotest.ErrReader(cause)))
		if err == nil {
			_, err = io.Copy(io.Discard, r)
			r.Close()
		}
		if !errors.Is(err, cause) || !strings.HasPrefix(err.Error(), "cannot read in: ") {
			t.Errorf("after %d bytes: %v", len(data), err)
		}
	}
}

func TestOpen(t *testing.T) {
	path := filepath.Join(t.TempDir(), "log") // no suffix: the name says nothing
	if err := os.WriteFile(path, gzipped(t, "hello"), 0o644); err != nil {
		t.Fatal(err)
	}
	stdin := bytes.NewReader(zstandard(t, "from stdin"))
	for _, tt := range []struct {
		source Source
		want   string
	}{
		{Source{path, path}, "hello"},
		{Source{"stdin", Stdin}, "from stdin"},
	} {
		r, err := tt.source.Open(stdin)
		if err != nil {
			t.Fatal(err)
		}
		got, err := io.ReadAll(r)
		if err != nil || string(got) != tt.want {
			t.Errorf("%s: %q, %v", tt.source.Name, got, err)
		}
		if err := r.Close(); err != nil {
			t.Error(err)
		}
	}
	missing := path + ".none"
	want := "cannot read " + missing + ": no such file or directory"
	if _, err := (Source{missing, missing}).Open(nil); err == nil || err.Error() != want {
		t.Errorf("error %v, want %s", err, want)
	}
}

func TestExpand(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	for _, name := range []string{"b.log", "a.log", "logs/2.log", "logs/1.log", "logs/deep/3.log", "logs/.hidden", "odd[1].log"} {
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, nil, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{"empty", "links"} {
		if err := os.Mkdir(name, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink(filepath.Join("..", "a.log"), filepath.Join("links", "a.log")); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("..", filepath.Join("logs", "loop")); err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		args     []string
		want     string
		problems []string
	}{
		{[]string{"b.log", "a.log"}, "b.log a.log", nil},
		{[]string{"a.log", "./a.log", "-", "-"}, "a.log stdin", nil},
		{[]string{"*.log"}, "a.log b.log odd[1].log", nil},
		{[]string{"odd[1].log"}, "odd[1].log", nil},
		{[]string{"logs"}, "logs/1.log logs/2.log logs/deep/3.log", nil},
		{[]string{"lo*"}, "logs/1.log logs/2.log logs/deep/3.log", nil},
		{[]string{"none.log", "a.log"}, "a.log", []string{"cannot read none.log: no such file or directory"}},
		{[]string{"none*"}, "", []string{"cannot read none*: no file matches"}},
		{[]string{"none[a"}, "", []string{"none[a: not a valid pattern: syntax error in pattern"}},
		{[]string{"empty"}, "", []string{"cannot read empty: the directory has no files"}},
		{[]string{"links"}, "", []string{"cannot read links: the directory has only links, hidden names or special files, which are left out"}},
		{[]string{""}, "", []string{"expected the path of an input, found an empty argument"}},
	}
	for _, tt := range tests {
		t.Run(strings.Join(tt.args, " "), func(t *testing.T) {
			x := Expand(tt.args)
			var names, problems []string
			for _, s := range x.Sources {
				names = append(names, filepath.ToSlash(s.Name))
			}
			for _, p := range x.Problems {
				problems = append(problems, p.Error())
			}
			if got := strings.Join(names, " "); got != tt.want {
				t.Errorf("sources %q, want %q", got, tt.want)
			}
			if diff := cmp.Diff(tt.problems, problems); diff != "" {
				t.Error(diff)
			}
		})
	}
	if x := Expand([]string{"logs"}); x.Skipped != 2 {
		t.Errorf("skipped %d, want the hidden file and the link", x.Skipped)
	}
}

func TestDepthLimit(t *testing.T) {
	t.Chdir(t.TempDir())
	deep := "d" + strings.Repeat("/d", MaxDepth)
	if err := os.MkdirAll(deep, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(deep+"/at-the-limit", nil, 0o644); err != nil {
		t.Fatal(err)
	}
	if x := Expand([]string{"d"}); len(x.Sources) != 1 || len(x.Problems) != 0 {
		t.Errorf("at the limit: %v", x)
	}
	if err := os.Mkdir(deep+"/d", 0o755); err != nil {
		t.Fatal(err)
	}
	if x := Expand([]string{"d"}); len(x.Sources) != 1 || len(x.Problems) != 1 {
		t.Errorf("over the limit: %v", x)
	}
}

func TestReadFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "body.gz")
	body := gzipped(t, "as it is")
	if err := os.WriteFile(path, body, 0o644); err != nil {
		t.Fatal(err)
	}
	if got, err := ReadFile(path, nil, int64(len(body))); err != nil || !bytes.Equal(got, body) {
		t.Errorf("ReadFile: %q, %v; want the bytes as they are", got, err)
	}
	if _, err := ReadFile(path, nil, int64(len(body))-1); err == nil || !strings.HasSuffix(err.Error(), "found more") {
		t.Errorf("over the limit: %v", err)
	}
	if got, err := ReadFile(Stdin, strings.NewReader("x"), 10); err != nil || string(got) != "x" {
		t.Errorf("stdin: %q, %v", got, err)
	}
	if _, err := ReadFile(path+".none", nil, 10); err == nil {
		t.Error("a missing file gives no error")
	}
}

// Whatever the bytes, reading in one piece and byte by byte agree, and no byte
// makes the reader panic.
func FuzzReader(f *testing.F) {
	f.Add([]byte("plain"))
	f.Add(gzipped(f, "one", "two"))
	f.Add(zstandard(f, "three"))
	f.Add(gzipped(f, "cut")[:12])
	f.Add([]byte{0x28, 0xb5, 0x2f, 0xfd})
	f.Fuzz(func(t *testing.T, data []byte) {
		const enough = 1 << 20 // a few bytes can decompress to very many
		all := func(src io.Reader) (string, bool) {
			r, err := NewReader("in", src)
			if err != nil {
				return "", false
			}
			defer r.Close()
			got, err := io.ReadAll(io.LimitReader(r, enough))
			return string(got), err == nil
		}
		whole, ok := all(bytes.NewReader(data))
		pieces, okPieces := all(iotest.OneByteReader(bytes.NewReader(data)))
		if ok != okPieces || ok && whole != pieces {
			t.Fatalf("whole: %d bytes, %v; byte by byte: %d bytes, %v", len(whole), ok, len(pieces), okPieces)
		}
	})
}
