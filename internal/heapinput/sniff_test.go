package heapinput

import (
	"bytes"
	"strings"
	"testing"
)

// profile is the protobuf of a profile with two types of samples and a few strings.
var profile = []byte("\x0a\x04\x08\x01\x10\x02\x12\x07\x0a\x01\x01\x12\x02\x05\x06\x32\x00\x32\x07objects\x32\x05count\x48\x81\x01")

func TestSniff(t *testing.T) {
	tests := []struct {
		name, head string
		want       Kind
		says       string
	}{
		{"hprof", "JAVA PROFILE 1.0.2\x00\x00\x00\x00\x08", HPROF, ""},
		{"android", "JAVA PROFILE 1.0.3\x00\x00\x00\x00\x04", HPROF, ""},
		{"hprof text", "JAVA PROFILE 1.0.1, created Sun Nov 29\n", Unread, "old HPROF agent"},
		{"protobuf", string(profile), Pprof, ""},
		{"heap text", "heap profile: 12: 400 [30: 900] @ heap/1048576\n", Pprof, ""},
		{"goroutine debug=1", "goroutine profile: total 20003\n9992 @ 0x43 0x44\n", Pprof, ""},
		{"mutex text", "--- mutex:\ncycles/second=2445\n", Pprof, ""},
		{"contention text", "--- contention:\ncycles/second=2445\n", Pprof, ""},
		{"debug=2", "goroutine 20011 [running]:\nmain.main()\n", GoStacks, ""},
		{"crash", "panic: x\n\ngoroutine 1 gp=0xc0 m=0 mp=0x1 [chan send, 5 minutes]:\nmain.main()\n", GoStacks, ""},
		{"jstack", "2026-11-29 17:43:58\nFull thread dump OpenJDK 64-Bit Server VM (17)\n", Threads, ""},
		{"jstack without a head", "\"main\" #1 prio=5 os_prio=0 tid=0x00007f nid=0x7b4b waiting on condition\n", Threads, ""},
		{"threads in JSON", "{\n  \"threadDump\": {\n    \"processId\": \"1\"", Threads, ""},
		{"threads in text of jcmd", "12345\n2026-11-29T17:43:58Z\n21.0.1\n\n#1 \"main\"\n      java.base/java.lang.Thread.sleep(Thread.java:1)\n", Threads, ""},
		{"jmap", " num     #instances         #bytes  class name (module)\n-----\n   1:  2  3  [B\n", Histogram, ""},
		{"jcmd", "12345:\n num     #instances         #bytes  class name\n", Histogram, ""},
		{"jmap of Windows", "\r\n num     #instances         #bytes  class name\r\n", Histogram, ""},
		{"histogram without a head", "   1:        267482       23132408  [B (java.base@17.0.15)\n", Histogram, ""},
		{"threads in text of a later jcmd", "12345\n2026-11-29T17:43:58Z\n25.0.3\n\n#22 \"\" virtual WAITING 2026-11-29T17:43:58.1Z\n    at a.B.c(B.java:1)\n", Threads, ""},
		{"threads within a log", "2026-11-29T17:43:58.1Z stdout F started\n2026-11-29T17:43:58.1Z stdout F Full thread dump OpenJDK 64-Bit Server VM (17):\n", Threads, ""},
		{"jhsdb jstack", "Attaching to process ID 7, please wait...\nDeadlock Detection:\n\nNo deadlocks found.\n", Threads, ""},
		{"jstack -F", "Attaching to process ID 7, please wait...\n\nThread 30051: (state = BLOCKED)\n", Threads, ""},
		{"jhsdb jmap --histo", "Object Histogram:\n\nnum \t  #instances\t#bytes\tClass description\n-----\n1:\t\t9909\t598280\tbyte[]\n", Histogram, ""},
		{"jmap of OpenJ9", "num   object count     total size    class name\n-----\n  1           3354         107328    [C\n", Histogram, ""},
		{"histogram within a log", "[0.1s][info][gc,classhisto] GC(0)  num     #instances         #bytes  class name (module)\n", Histogram, ""},
		{"jmap of PowerShell", "\xff\xfe \x00n\x00u\x00m\x00 \x00#\x00i\x00n\x00s\x00t\x00a\x00n\x00c\x00e\x00s\x00 \x00#\x00b\x00y\x00t\x00e\x00s\x00 \x00c\x00l\x00a\x00s\x00s\x00", Histogram, ""},
		{"phd", "\x00\x12portable heap dump\x00\x00\x00\x06", Unread, "OpenJ9"},
		{"javacore", "NULL           ------\n0SECTION       TITLE subcomponent dump routine\n", Threads, ""},
		{"v8", `{"snapshot":{"meta":{`, V8, ""},
		{"v8 in lines", "{\n \"snapshot\" : {\n", V8, ""},
		{"gcdump", "\x14\x00\x00\x00!FastSerialization.1", Unread, ".NET"},
		{"core", "\x7fELF\x02\x01\x01", Unread, "core dump"},
		{"jfr", "FLR\x00\x00\x02", Unread, "Flight Recorder"},
		{"zip", "PK\x03\x04\x14", Unread, "zip"},
		{"gc log", "[0.004s][info][gc] Using Serial\n", Unread, "garbage collection"},
		{"page", "<!DOCTYPE html>\n<html>", Unread, "HTML"},
		{"write heap dump", "go1.7 heap dump\n\x06", Unread, "WriteHeapDump"},
		{"prose", "These are dumps.\n", Unknown, "text without"},
		{"noise", "\x00\x01\x02\x03\x04\x05", Unknown, "begin as nothing"},
		{"empty", "", Unknown, "empty file"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := Sniff([]byte(tt.head), true)
			if got.Kind != tt.want || !strings.Contains(got.What, tt.says) {
				t.Errorf("found %d %q, want %d and %q", got.Kind, got.What, tt.want, tt.says)
			}
			if (got.Kind == Unread || got.Kind == Unknown) == (got.What == "") {
				t.Errorf("kind %d with the words %q", got.Kind, got.What)
			}
		})
	}
}

// Lines of others before a listing, as a container or a shell writes them, do not
// hide it.
func TestSniffAfterLinesOfOthers(t *testing.T) {
	banner := strings.Repeat("Defaulted container \"app\" out of: app, proxy\n", 20)
	for kind, text := range map[Kind]string{
		Threads:   "Full thread dump OpenJDK 64-Bit Server VM\n",
		Histogram: " num     #instances         #bytes  class name\n",
		GoStacks:  "goroutine 1 [select, 3 minutes]:\n",
	} {
		if got := Sniff([]byte(banner+text), true); got.Kind != kind {
			t.Errorf("found %v, want %v", got, kind)
		}
	}
}

func TestNames(t *testing.T) {
	for _, n := range Names() {
		k, ok := Named(n)
		if !ok || k.String() != n || k.Title() == Unknown.Title() {
			t.Errorf("%s is %d, %v, %q", n, k, ok, k.Title())
		}
	}
	if _, ok := Named("phd"); ok {
		t.Error("a kind that is not read has a name")
	}
}

func FuzzSniff(f *testing.F) {
	f.Add(profile)
	f.Add([]byte("JAVA PROFILE 1.0.2\x00"))
	f.Add([]byte("goroutine 1 [running]:\n"))
	f.Fuzz(func(t *testing.T, head []byte) {
		before := bytes.Clone(head)
		s := Sniff(head, true)
		if (s.Kind == Unread || s.Kind == Unknown) == (s.What == "") {
			t.Errorf("kind %d with the words %q", s.Kind, s.What)
		}
		if !bytes.Equal(before, head) {
			t.Error("the bytes were changed")
		}
	})
}
