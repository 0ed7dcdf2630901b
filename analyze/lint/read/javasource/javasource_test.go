package javasource

import (
	"fmt"
	"strings"
	"testing"

	"example.com/kneeline/analyze/lint/read"
)

const sample = `package a;
// new ThreadPoolExecutor(1, 1, 1, S, new LinkedBlockingQueue<>())
class Pools {
  String s = "Executors.newFixedThreadPool(4)";
  Object a = new ThreadPoolExecutor(4, 8, 60L, TimeUnit.SECONDS,
      new ArrayBlockingQueue<Runnable>(10_000), f("x)"));
  Object b = new java.util.concurrent.ThreadPoolExecutor(4, 8, 60L, TimeUnit.SECONDS, new LinkedBlockingQueue<>());
  Object c = Executors.newFixedThreadPool(4);
  Object d = new ThreadPoolExecutor(4, 8, 60L, TimeUnit.SECONDS, new LinkedBlockingQueue<>(SIZE));
  Object e = new ThreadPoolExecutor(4, 8, 60L, TimeUnit.SECONDS, new SynchronousQueue<>());
  Object f = new QueuedThreadPool(200, 8, 6000, new BlockingArrayQueue<>(500, 10));
  Object g = new LinkedBlockingQueue<>(7);
  Object h = new ThreadPoolExecutor(1, 1, 1L, S, new LinkedBlockingQueue<>(Integer.MAX_VALUE));
}
`

// What the pools of a file have as queues, each with its place.
func TestRead(t *testing.T) {
	if !Reader.Recognise("a/Pools.java", []byte(sample)) || Reader.Recognise("Pools.java", []byte("class A {}")) || Reader.Recognise("a.kt", []byte(sample)) {
		t.Error("recognised by other means than name and words")
	}
	docs := Reader.Read(&read.Input{Name: "Pools.java", Data: []byte(sample)})
	var got []string
	for _, c := range docs[0].Code {
		got = append(got, fmt.Sprintf("%d:%d %s %s %s in %s", c.At.Line, c.At.Column, c.What, c.Queue.Key, c.Queue, c.In))
	}
	want := []string{
		"6:40 ThreadPoolExecutor ArrayBlockingQueue 10,000 in Pools",
		"7:87 ThreadPoolExecutor LinkedBlockingQueue no limit in Pools",
		"8:14 Executors.newFixedThreadPool LinkedBlockingQueue no limit in Pools",
		"11:74 QueuedThreadPool BlockingArrayQueue 500 in Pools",
		"13:50 ThreadPoolExecutor LinkedBlockingQueue no limit in Pools",
	}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	if len(docs[0].Services) != 2 || docs[0].Services[0].Exec.Queue.Amount != 10000 {
		t.Errorf("%+v", docs[0].Services)
	}
}

// No text makes the reader panic; what it finds is in the file.
func FuzzRead(f *testing.F) {
	f.Add([]byte(sample))
	f.Add([]byte(`new ThreadPoolExecutor("""x`))
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(blank(data)) != len(data) {
			t.Fatal("bytes have moved")
		}
		for _, d := range Reader.Read(&read.Input{Name: "f.java", Data: data}) {
			for _, c := range d.Code {
				if c.At.Line < 1 || c.At.Offset < 0 || c.At.End > len(data) || c.At.End <= c.At.Offset {
					t.Fatalf("%+v of %d bytes", c.At, len(data))
				}
			}
		}
	})
}
