package cmd

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"example.com/kneeline/heapdump/hprofgen"
)

// jettyDump is a dump of a Jetty in which n requests wait for 12 threads that all
// wait for a latch. One came every 10 ms, the last half a second before the dump.
func jettyDump(n int) []byte {
	d := hprofgen.New(hprofgen.Options{})
	millis := hprofgen.Taken.UnixMilli()
	created := func(i int) int64 { return millis - 500 - int64(n-1-i)*10 }
	nano := func(i int) int64 { return (created(i) - millis + 5_000_000) * 1_000_000 }
	var threads []*hprofgen.Thread
	for i := range 12 {
		threads = append(threads, d.Thread(fmt.Sprintf("qtp1-%d", 20+i), nil,
			hprofgen.At("jdk.internal.misc.Unsafe", "park", -3),
			hprofgen.At("java.util.concurrent.locks.LockSupport", "park", 211),
			hprofgen.At("java.util.concurrent.CountDownLatch", "await", 230),
			hprofgen.At("app.Feed", "load", 61),
			hprofgen.At("app.Feed", "handle", 40),
			hprofgen.At("org.eclipse.jetty.server.Server", "handle", 516),
			hprofgen.At("org.eclipse.jetty.util.thread.QueuedThreadPool$Runner", "run", 1034),
			hprofgen.At("java.lang.Thread", "run", 840)))
	}
	jobs := d.BlockingArrayQueue(60_000, 1<<15, d.Endpoints(n, created, nano)...)
	d.Root(0x05, d.QueuedThreadPool("qtp1", 12, 12, 0, jobs, threads...))
	return d.Encode().Data
}

// quietDump is a dump of a program in which nothing waits.
func quietDump() []byte {
	d := hprofgen.New(hprofgen.Options{})
	d.Root(0x05, d.Cache(2000))
	d.Thread("main", nil, hprofgen.At("java.lang.Thread", "sleep", -3), hprofgen.At("app.Main", "main", 12))
	return d.Encode().Data
}

// dumps are what the script command "heapdump" can write.
var dumps = map[string]func() []byte{
	"jetty": func() []byte { return jettyDump(5000) },
	"quiet": quietDump,
	"node":  func() []byte { return nodeSnapshot(400) },
}

// packings are how it can be packed.
var packings = map[string]func([]byte) []byte{
	"plain":  func(b []byte) []byte { return b },
	"gzip":   hprofgen.Gzip,
	"blocks": func(b []byte) []byte { return hprofgen.GzipBlocks(b, 100_000) },
	"half":   func(b []byte) []byte { return b[:len(b)/2] },

	"halfgzip": func(b []byte) []byte { return hprofgen.GzipBlocks(b[:len(b)/2], 100_000) },
}

// heapDumpCommand is the script command "heapdump NAME PACKING FILE", which writes
// a heap dump, since a script holds text alone.
func heapDumpCommand(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 3 || dumps[args[0]] == nil || packings[args[1]] == nil {
		ts.Fatalf("usage: heapdump jetty|quiet|node plain|gzip|blocks|half|halfgzip FILE")
	}
	ts.Check(os.WriteFile(ts.MkAbs(args[2]), packings[args[1]](dumps[args[0]]()), 0o600))
}

// damageCommand is the script command "damage DIR", which changes a byte in the middle
// of every file of a directory.
func damageCommand(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: damage DIR")
	}
	entries, err := os.ReadDir(ts.MkAbs(args[0]))
	ts.Check(err)
	for _, e := range entries {
		path := filepath.Join(ts.MkAbs(args[0]), e.Name())
		data, err := os.ReadFile(path)
		ts.Check(err)
		data[len(data)/2] ^= 0xff
		ts.Check(os.WriteFile(path, data, 0o600))
	}
}

// writeDump writes a dump into a directory.
func writeDump(t *testing.T, dir, name string, data []byte) string {
	t.Helper()
	path := filepath.Join(dir, name)
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// firstWaits is how long the first of n requests of jettyDump waits.
func firstWaits(n int) time.Duration {
	return 500*time.Millisecond + time.Duration(n-1)*10*time.Millisecond
}
