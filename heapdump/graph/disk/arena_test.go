package disk

import (
	"math"
	"os"
	"strings"
	"testing"
)

// What is beyond the bound is in a file, which nobody else sees, and numbers are the
// same there.
func TestArenaGoesToFiles(t *testing.T) {
	dir := t.TempDir()
	a := New(1<<20, dir)
	defer a.Close()
	small, err := Make[uint32](a, 1000)
	if err != nil {
		t.Fatal(err)
	}
	large, err := Make[uint64](a, 1<<18)
	if err != nil {
		t.Skipf("no mapped files here: %v", err)
	}
	for i := range large.V {
		large.V[i] = uint64(i) * 3
	}
	small.V[999] = 7
	if memory, disk := a.Peak(); memory != 4000 || disk != 8<<18 {
		t.Errorf("%d bytes in memory, %d in files", memory, disk)
	}
	if names, _ := os.ReadDir(dir); len(names) != 0 {
		t.Errorf("there are names in the directory: %v", names)
	}
	for i, v := range large.V {
		if v != uint64(i)*3 {
			t.Fatalf("number %d is %d", i, v)
		}
	}
	large.Free()
	large.Free()
	if large.V != nil {
		t.Error("numbers that were given back can be used")
	}
	again, err := Make[uint64](a, 1<<18)
	if err != nil || again.V[5] != 0 {
		t.Errorf("an array made after one that was freed: %v", err)
	}
	if _, disk := a.Peak(); disk != 8<<18 {
		t.Errorf("%d bytes in files at once", disk)
	}
}

func TestArenaSaysWhatIsMissing(t *testing.T) {
	dir := t.TempDir()
	if _, ok := Free(dir); !ok {
		t.Skip("the space that is free cannot be known here")
	}
	a := New(1<<20, dir)
	defer a.Close()
	err := a.Check(math.MaxInt64)
	if err == nil || !strings.Contains(err.Error(), dir) || !strings.Contains(err.Error(), "are free there") {
		t.Errorf("more than any disk has: %v", err)
	}
	if err := a.Check(1 << 20); err != nil {
		t.Errorf("what fits: %v", err)
	}
	a.Reserve(1 << 20)
	if room := a.Room(); room != 0 {
		t.Errorf("room for %d bytes when all is taken", room)
	}
}

func TestFilesOfOthersCount(t *testing.T) {
	a := New(1<<20, t.TempDir())
	defer a.Close()
	a.Wrote(5000)
	a.Wrote(-5000)
	a.Wrote(3000)
	if _, disk := a.Peak(); disk != 5000 {
		t.Errorf("%d bytes in files at once, expected 5000", disk)
	}
}

func TestNothing(t *testing.T) {
	x, err := Make[uint8](New(0, ""), 0)
	if err != nil || len(x.V) != 0 {
		t.Errorf("an array of nothing: %v", err)
	}
	x.Free()
}
