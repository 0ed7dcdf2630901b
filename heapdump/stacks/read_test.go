package stacks

import (
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

func read(t testing.TB, text string) *File {
	t.Helper()
	f, err := Read(strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// one reads a text with one dump in it, without loss.
func one(t testing.TB, text string) Dump {
	t.Helper()
	f := read(t, text)
	if len(f.Dumps) != 1 || f.Unreadable+f.Foreign+f.Dropped+f.DroppedStacks+f.Cut != 0 {
		t.Fatalf("got %d dumps, %+v", len(f.Dumps), f)
	}
	return f.Dumps[0]
}

func named(t testing.TB, d Dump, name string) Thread {
	t.Helper()
	for _, th := range d.Threads {
		if th.Name == name {
			return th
		}
	}
	t.Fatalf("no thread %q", name)
	return Thread{}
}

func TestHotSpot(t *testing.T) {
	d := one(t, jdk17)
	if d.Form != HotSpot || d.VM != "OpenJDK 64-Bit Server VM (17.0.15+6 mixed mode, sharing)" || d.Stated != 4 || len(d.Threads) != 5 || d.CutShort {
		t.Errorf("got %+v", d)
	}
	if want := time.Date(2026, 11, 29, 17, 43, 58, 0, time.UTC); !d.Stamp.Time.Equal(want) || d.Stamp.Zoned {
		t.Errorf("got %v", d.Stamp)
	}
	want := Thread{
		Line: 9, Name: "shop-1", ID: 12, Native: 0x7baa, Java: true, Daemon: true, Priority: 5,
		CPU: 57340 * time.Microsecond, Elapsed: 97350 * time.Millisecond, Allocated: 1000 << 10,
		State: Waiting, Detail: "parking", Condition: "waiting on condition",
		Frames: []Frame{
			{"jdk.internal.misc.Unsafe", "park", "java.base@17.0.15", "Native Method", 0},
			{"java.util.concurrent.locks.LockSupport", "park", "java.base@17.0.15", "LockSupport.java", 211},
			{"java.util.concurrent.locks.ReentrantLock", "lock", "java.base@17.0.15", "ReentrantLock.java", 322},
			{"example.shop.Stock", "take", "", "Stock.java", 37},
			{"example.shop.Stock$$Lambda$70/0x00007f1108083728", "run", "", "Unknown Source", 0},
			{"java.lang.Thread", "run", "java.base@17.0.15", "Thread.java", 840},
		},
		Locks: []Lock{
			{Kind: Parking, Object: "0x00000000801efbc0", Class: "java.util.concurrent.locks.ReentrantLock$NonfairSync"},
			{Kind: Owns, Object: "0x00000000801f0000", Class: "java.util.concurrent.ThreadPoolExecutor$Worker", Depth: -1},
		},
	}
	if diff := cmp.Diff(want, named(t, d, "shop-1")); diff != "" {
		t.Error(diff)
	}
	quoted := named(t, d, `shop "quoted" #7 x`)
	locks := []Lock{
		{Kind: Entering, Object: "0x00000000801efc00", Class: "java.lang.Class for example.shop.Till"},
		{Kind: Locked, Object: "0x00000000801efd00", Class: "java.lang.Object"},
	}
	if diff := cmp.Diff(locks, quoted.Locks); diff != "" || quoted.ID != 13 || quoted.State != Blocked || quoted.Condition != "waiting for monitor entry" {
		t.Error(diff, quoted)
	}
	waits := named(t, d, "shop-2").Locks
	if diff := cmp.Diff([]Lock{{Kind: WaitingOn}, {Kind: Entering, Object: "0x00000000801efd00", Class: "java.lang.Object", Depth: 1}}, waits); diff != "" {
		t.Error(diff)
	}
	if gc := named(t, d, "GC Thread#0"); gc.Java || gc.ID != 0 {
		t.Errorf("a thread of the virtual machine itself: %+v", gc)
	}
	dead := []Deadlock{{Waits: []Wait{
		{"dead-a", "dead-b", "0x00000000ffd1b980", "java.lang.Object"},
		{"dead-b", "dead-a", "0x00000000ffd1b970", "java.util.concurrent.locks.ReentrantLock$NonfairSync"},
	}}}
	if diff := cmp.Diff(dead, d.Deadlocks); diff != "" {
		t.Error(diff)
	}
}

func TestOlderHotSpot(t *testing.T) {
	d := one(t, jdk8)
	th := named(t, d, "shop-1")
	if d.CutShort || d.Stated != -1 || th.ID != 12 || th.CPU != -1 || th.State != TimedWaiting || th.Frames[1].Line != 37 {
		t.Errorf("JDK 8: %+v", d)
	}
	d = one(t, jdk6)
	th = named(t, d, "shop-1")
	if th.ID != 0 || !th.Java || th.Native != 0x7baa || !th.Frames[0].Native() || th.Condition != "runnable" {
		t.Errorf("JDK 6: %+v", th)
	}
}

func TestMountedVirtualThread(t *testing.T) {
	d := one(t, jdk25)
	if len(d.Threads) != 2 {
		t.Fatalf("got %+v", d.Threads)
	}
	carrier, virtual := d.Threads[0], d.Threads[1]
	if carrier.Carries != 22 || carrier.Native != 6958 || len(carrier.Frames) != 2 {
		t.Errorf("carrier %+v", carrier)
	}
	if !virtual.Virtual || virtual.ID != 22 || virtual.Carrier != 23 || virtual.Frames[0].Class != "example.shop.Stock" {
		t.Errorf("virtual %+v", virtual)
	}
}

func TestAgent(t *testing.T) {
	d := one(t, agent)
	th := named(t, d, "shop-1")
	want := []Frame{{Class: "jdk.internal.misc.Unsafe", Method: "park"}, {Class: "example.shop.Stock", Method: "take", Line: 715}}
	if diff := cmp.Diff(want, th.Frames); diff != "" {
		t.Error(diff)
	}
	if d.Form != Agent || len(th.Locks) != 2 || th.Locks[1].Object != "0x00000000ffd36210" || th.Locks[0].Class != "java.util.concurrent.CountDownLatch$Sync" {
		t.Errorf("got %+v", d)
	}
	if len(d.Deadlocks) != 1 || d.Deadlocks[0].Waits[1] != (Wait{"dead-a", "dead-b", "0x00000000ffd1e2b8", "java.lang.Object"}) {
		t.Errorf("got %+v", d.Deadlocks)
	}
	d = one(t, forced)
	if len(d.Threads) != 2 || d.Threads[0].Native != 30051 || d.Threads[1].Condition != "IN_NATIVE" || d.Threads[1].Frames[0].Method != "socketRead0" {
		t.Errorf("got %+v", d)
	}
}

func TestDumpToFile(t *testing.T) {
	for _, text := range []string{file21, file25} {
		d := one(t, text)
		if d.Form != FileText || d.PID != 27336 || !d.Stamp.Zoned || len(d.Threads) != 2 {
			t.Errorf("got %+v", d)
		}
		if v := d.Threads[1]; !v.Virtual || v.ID != 22 || len(v.Frames) != 2 || v.Frames[1].Class != "java.lang.VirtualThread" || v.Frames[1].Module != "java.base" {
			t.Errorf("got %+v", v)
		}
	}
	if c := one(t, file21).Threads[1].Frames[0].Class; c != "example.shop.Till$$Lambda/0x00007f24a4001200" {
		t.Errorf("a hidden class: %q", c)
	}
	if v := one(t, file25).Threads[1]; v.State != Blocked || v.Locks[0] != (Lock{Kind: Entering, Object: "java.lang.Object@588fa570", Class: "java.lang.Object"}) {
		t.Errorf("got %+v", v)
	}
}

func TestDumpToFileJSON(t *testing.T) {
	d := one(t, json25)
	if d.Form != FileJSON || d.PID != 27336 || d.Stated != 2 || d.VM != "25.0.3+9-LTS" || d.CutShort {
		t.Errorf("got %+v", d)
	}
	want := []Thread{
		{ID: 3, Name: "main", Java: true, State: Blocked, CPU: -1, Elapsed: -1, Allocated: -1,
			Frames: []Frame{{Class: "example.shop.Till", Method: "pay", File: "Till.java", Line: 8}, {"java.lang.Thread", "run", "java.base", "Thread.java", 1474}},
			Locks: []Lock{{Kind: Entering, Object: "java.lang.Object@588fa570", Class: "java.lang.Object"},
				{Kind: Locked, Object: "java.lang.Object@3cf033b2", Class: "java.lang.Object", Depth: 1}}},
		{ID: 22, Java: true, Virtual: true, State: Waiting, CPU: -1, Elapsed: -1, Allocated: -1, Carrier: 30,
			Container: "java.util.concurrent.ThreadPerTaskExecutor@65b54208",
			Frames:    []Frame{{"java.lang.VirtualThread", "park", "java.base", "VirtualThread.java", 742}, {Class: "example.shop.Stock", Method: "take", File: "Stock.java", Line: 4}},
			Locks:     []Lock{{Kind: Parking, Object: "java.util.concurrent.locks.ReentrantLock$NonfairSync@34d710a7", Class: "java.util.concurrent.locks.ReentrantLock$NonfairSync", Owner: 3}}},
	}
	if diff := cmp.Diff(want, d.Threads); diff != "" {
		t.Error(diff)
	}
	if d := one(t, json21); d.Threads[0].State != Unknown || d.Threads[0].ID != 1 {
		t.Errorf("JDK 21: %+v", d)
	}
	if f := read(t, json25+"\n"+json21); len(f.Dumps) != 2 {
		t.Errorf("want two dumps, got %d", len(f.Dumps))
	}
}

func TestJavacore(t *testing.T) {
	d := one(t, javacoreText)
	want := Thread{
		Line: 12, Name: "shop-1", ID: 31, Native: 0x1268, Java: true, Daemon: true, Priority: 5, CPU: 562500 * time.Microsecond,
		Elapsed: -1, Allocated: -1, State: Blocked, Condition: "B",
		Frames: []Frame{{Class: "example.shop.Till", Method: "pay", File: "Till.java", Line: 12}, {Class: "java.lang.Thread", Method: "run", File: "Thread.java", Line: 853}},
		Locks: []Lock{{Kind: Entering, Object: "0x00000000E0029AF8", Class: "java.lang.Object", Depth: -1},
			{Kind: Locked, Object: "0x00000000E0029B00", Class: "java.lang.String"}},
	}
	if diff := cmp.Diff([]Thread{want}, d.Threads); diff != "" {
		t.Error(diff)
	}
	if d.PID != 4711 || d.Stamp.Time.Hour() != 17 || d.Form != Javacore {
		t.Errorf("got %+v", d)
	}
}

var sameThreads = cmpopts.IgnoreFields(Thread{}, "Line")

// A dump that kill -3 wrote into a log has the same threads as the dump alone,
// whether the log puts something before each line or writes lines between.
func TestWithinALog(t *testing.T) {
	alone := one(t, jdk17)
	var prefixed, mixed strings.Builder
	for i, line := range strings.Split(jdk17, "\n") {
		prefixed.WriteString(strings.TrimRight("2026-11-29T17:43:58."+strings.Repeat("1", 1+i%9)+"Z stdout F "+line, " ") + "\n")
		mixed.WriteString(line + "\n")
		if i > 2 && i%3 == 0 {
			prefixed.WriteString("2026-11-29T17:43:58.1Z stderr F warning\n")
			mixed.WriteString("17:43:58 INFO example.shop.Till paid\n")
		}
	}
	for name, text := range map[string]string{"prefix": prefixed.String(), "between": "starting\n" + mixed.String() + "stopping\n"} {
		f := read(t, text+text)
		if len(f.Dumps) != 2 || f.Foreign == 0 || f.Unreadable != 0 {
			t.Fatalf("%s: %d dumps, %d foreign, %v", name, len(f.Dumps), f.Foreign, f.Problems)
		}
		for _, d := range f.Dumps {
			if diff := cmp.Diff(alone.Threads, d.Threads, sameThreads); diff != "" || d.CutShort || d.Stated != 4 {
				t.Errorf("%s: %s", name, diff)
			}
			if diff := cmp.Diff(alone.Deadlocks, d.Deadlocks); diff != "" {
				t.Errorf("%s: %s", name, diff)
			}
		}
	}
}

// A dump that is cut keeps the threads before the cut, and says so.
func TestCutAnywhere(t *testing.T) {
	all := one(t, jdk17).Threads
	for cut := range strings.Index(jdk17, "JNI") {
		f, err := Read(strings.NewReader(jdk17[:cut]))
		if err != nil {
			continue
		}
		got := f.Dumps[0]
		if len(got.Threads) > 1 {
			whole := len(got.Threads) - 1 // the last one may be cut
			if diff := cmp.Diff(all[:whole], got.Threads[:whole]); diff != "" {
				t.Fatalf("cut at %d: %s", cut, diff)
			}
		}
		if !got.CutShort {
			t.Fatalf("cut at %d: not said", cut)
		}
	}
	for cut := 1; cut < len(json25)-1; cut++ {
		f, err := Read(strings.NewReader(json25[:cut]))
		if err == nil && (!f.Dumps[0].CutShort || f.Unreadable == 0) {
			t.Fatalf("JSON cut at %d: not said", cut)
		}
	}
}

func TestNameWithALineEnd(t *testing.T) {
	f := read(t, strings.Replace(jdk17, `"shop-2"`, "\"shop\n-2\"", 1))
	if th := named(t, f.Dumps[0], "shop -2"); f.Unreadable != 0 || th.ID != 14 || len(th.Frames) != 2 {
		t.Errorf("got %+v, %v", th, f.Problems)
	}
	f = read(t, strings.Replace(jdk17, `"shop-2" #14 prio=5`, "\"shop-2", 1))
	if len(f.Dumps[0].Threads) != 4 || f.Unreadable == 0 || f.Problems[0].Line != 40 {
		t.Errorf("got %d threads, %v", len(f.Dumps[0].Threads), f.Problems)
	}
}

func TestUnreadableIsCounted(t *testing.T) {
	text := strings.Replace(jdk17, "at example.shop.Stock.take(Stock.java:37)", "at example.shop.Stock", 1)
	text = strings.Replace(text, "BLOCKED (on", "ASLEEP (on", 1)
	f := read(t, text)
	if f.Unreadable != 2 || f.Problems[0].Line != 15 || len(f.Dumps[0].Threads) != 5 {
		t.Errorf("got %+v", f.Problems)
	}
}

func TestErrors(t *testing.T) {
	for name, text := range map[string]string{
		"nothing": "", "a log": "hello\nworld\n", "JSON of another kind": `{"a": [1, 2]}`, "no JSON": "{x", "a title alone": fullDump + "VM:\n",
	} {
		if f, err := Read(strings.NewReader(text)); err == nil {
			t.Errorf("%s: got %+v", name, f)
		}
	}
	broken := errors.New("broken")
	for _, text := range []string{jdk17, json25[:len(json25)-200]} {
		f, err := Read(io.MultiReader(strings.NewReader(text), iotest.ErrReader(broken)))
		if !errors.Is(err, broken) || len(f.Dumps) != 1 {
			t.Errorf("got %v", err)
		}
	}
	huge := io.MultiReader(strings.NewReader(`{"threadDump":{"runtimeVersion":"`), io.LimitReader(endless{}, 1<<40))
	if _, err := Read(huge); err == nil || !strings.Contains(err.Error(), "at most") {
		t.Errorf("a text without end: %v", err)
	}
}

type endless struct{}

func (endless) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = 'x'
	}
	return len(p), nil
}

func TestEqualStacksAreShared(t *testing.T) {
	f := read(t, jdk8+strings.ReplaceAll(jdk8, "shop-1", "shop-2"))
	a, b := f.Dumps[0].Threads[0].Frames, f.Dumps[1].Threads[0].Frames
	if len(a) != 2 || &a[0] != &b[0] {
		t.Error("want one stack for both")
	}
}

// What is over the limits is left out: the outermost frames, the last locks, the last
// dumps.
func TestLimits(t *testing.T) {
	frame := "\tat example.Shop.buy(Shop.java:1)\n\t- locked <0x00000000801efd00> (a java.lang.Object)\n"
	th := one(t, "\"shop-1\" #1 prio=5 tid=0x1 nid=0x2 runnable\n"+strings.Repeat(frame, MaxFrames+10)).Threads[0]
	if len(th.Frames) != MaxFrames || len(th.Locks) != MaxLocks {
		t.Errorf("got %d frames, %d locks", len(th.Frames), len(th.Locks))
	}
	f := read(t, strings.Repeat(fullDump+"VM:\n\"a\" #1 prio=5 tid=0x1\nJNI global refs: 1\n", MaxDumps+2))
	if len(f.Dumps) != MaxDumps || f.Unreadable != 2 || len(f.Dumps[MaxDumps-1].Threads) != 1 {
		t.Errorf("got %d dumps, %d unreadable", len(f.Dumps), f.Unreadable)
	}
}

// Where there is no room, what is not kept is counted.
func TestRoom(t *testing.T) {
	k := newKeeper()
	k.left = 600
	var f File
	var d Dump
	frames := make([]Frame, 100)
	for range 5 {
		k.thread(&f, &d, Thread{Name: "x"}, frames, nil)
	}
	if f.Dropped == 0 || f.DroppedStacks == 0 || len(d.Threads) == 0 || int64(len(d.Threads))+f.Dropped != 5 || k.left < 0 {
		t.Errorf("kept %d, %+v, left %d", len(d.Threads), f, k.left)
	}
}
