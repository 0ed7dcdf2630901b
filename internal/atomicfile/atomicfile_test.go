package atomicfile

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

func writing(text string) func(io.Writer) error {
	return func(w io.Writer) error { _, err := io.WriteString(w, text); return err }
}

func read(t *testing.T, path string) string {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// onlyFile fails the test when dir holds more than the file called name.
func onlyFile(t *testing.T, dir, name string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if e.Name() != name {
			t.Errorf("%s is left in the directory", e.Name())
		}
	}
}

func TestWriteReplacesTheWholeFile(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "result.json")
	for _, text := range []string{"first, which is the longer one", "second"} {
		if err := Write(path, writing(text)); err != nil {
			t.Fatal(err)
		}
		if got := read(t, path); got != text {
			t.Errorf("content %q, want %q", got, text)
		}
	}
	onlyFile(t, dir, "result.json")
}

func TestFailureLeavesTheOldFile(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "result.json")
	if err := Write(path, writing("old")); err != nil {
		t.Fatal(err)
	}
	broken := errors.New("no such number")
	err := Write(path, func(w io.Writer) error {
		io.WriteString(w, strings.Repeat("half ", 10_000))
		return broken
	})
	if !errors.Is(err, broken) || !strings.Contains(err.Error(), path) {
		t.Errorf("error %v, want one that names the file and wraps the cause", err)
	}
	if got := read(t, path); got != "old" {
		t.Errorf("content %.20q, want the old one", got)
	}
	onlyFile(t, dir, "result.json")
}

func TestPermissions(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("permissions are not Unix's on Windows")
	}
	dir := t.TempDir()
	fresh, plain, private := filepath.Join(dir, "fresh"), filepath.Join(dir, "plain"), filepath.Join(dir, "private")
	if f, err := os.Create(plain); err != nil {
		t.Fatal(err)
	} else {
		f.Close()
	}
	if err := os.WriteFile(private, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	mode := func(path string) fs.FileMode {
		info, err := os.Stat(path)
		if err != nil {
			t.Fatal(err)
		}
		return info.Mode()
	}
	usual := mode(plain)
	for _, path := range []string{fresh, private} {
		if err := Write(path, writing("x")); err != nil {
			t.Fatal(err)
		}
	}
	if got := mode(fresh); got != usual {
		t.Errorf("a new file has mode %v, want %v as other programs make", got, usual)
	}
	if got := mode(private); got != 0o600 {
		t.Errorf("a private file now has mode %v", got)
	}
}

func TestSymbolicLinkIsFollowed(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("making symbolic links needs a privilege on Windows")
	}
	dir := t.TempDir()
	target, link := filepath.Join(dir, "target"), filepath.Join(dir, "link")
	if err := os.WriteFile(target, []byte("old"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("target", link); err != nil {
		t.Fatal(err)
	}
	if err := Write(link, writing("new")); err != nil {
		t.Fatal(err)
	}
	if info, err := os.Lstat(link); err != nil || info.Mode()&fs.ModeSymlink == 0 {
		t.Errorf("the link is gone: %v, %v", info, err)
	}
	if got := read(t, target); got != "new" {
		t.Errorf("the target has %q", got)
	}
}

func TestDevicesAreWrittenDirectly(t *testing.T) {
	if err := Write(os.DevNull, writing("x")); err != nil {
		t.Error(err)
	}
	if info, err := os.Stat(os.DevNull); err != nil || info.Mode().IsRegular() {
		t.Errorf("%s is now a file: %v, %v", os.DevNull, info, err)
	}
}

func TestErrorsNameTheFile(t *testing.T) {
	dir := t.TempDir()
	none := filepath.Join(dir, "none", "x")
	for path, want := range map[string]string{
		dir:  "cannot write " + dir + ": it is a directory",
		none: "cannot write " + none + ": no such file or directory",
	} {
		if err := Write(path, writing("x")); err == nil || err.Error() != want {
			t.Errorf("Write: %v, want %s", err, want)
		}
		if err := Check(path); err == nil || err.Error() != want {
			t.Errorf("Check: %v, want %s", err, want)
		}
	}
}

func TestCheckLeavesNothing(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "result.json")
	if err := Check(path); err != nil {
		t.Error(err)
	}
	onlyFile(t, dir, "")
	if err := Write(path, writing("old")); err != nil {
		t.Fatal(err)
	}
	if err := Check(path); err != nil || read(t, path) != "old" {
		t.Errorf("Check: %v, content %q", err, read(t, path))
	}
	onlyFile(t, dir, "result.json")
	if err := Check(os.DevNull); err != nil {
		t.Errorf("Check(%s): %v", os.DevNull, err)
	}
}
