package stacks

import (
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"
)

// Whatever the text, what is kept holds together, and reading it in pieces gives
// the same.
func FuzzRead(f *testing.F) {
	for _, s := range []string{jdk17, jdk8, jdk6, jdk25, agent, forced, file21, file25, json25, json21, javacoreText, jdk17[:900] + jdk8, "\"a\" tid=\n\"b\nc\" #1 prio=5", fullDump + "\nFound one Java-level deadlock:\n\":"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		got, err := Read(strings.NewReader(text))
		threads := 0
		for _, d := range got.Dumps {
			threads += len(d.Threads)
			for _, th := range d.Threads {
				for _, l := range th.Locks {
					if l.Kind == 0 || l.Depth < -1 || l.Owner < 0 {
						t.Fatalf("lock %+v", l)
					}
				}
				for _, fr := range th.Frames {
					if fr.Class == "" || fr.Method == "" || fr.Line < 0 {
						t.Fatalf("frame %+v", fr)
					}
				}
				if th.ID < 0 || th.CPU < -1 || th.Elapsed < -1 || th.Allocated < -1 {
					t.Fatalf("thread %+v", th)
				}
			}
		}
		if (err == nil) != (threads > 0) {
			t.Fatalf("%d threads and %v", threads, err)
		}
		one, _ := Read(iotest.OneByteReader(strings.NewReader(text)))
		if d := cmp.Diff(got, one); d != "" {
			t.Fatal("read in pieces:", d)
		}
	})
}
