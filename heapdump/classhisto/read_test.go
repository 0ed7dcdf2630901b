package classhisto

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"example.com/kneeline/heapdump/lines"
)

// The forms, as the tools print them.
const (
	jdk17 = ` num     #instances         #bytes  class name (module)
-------------------------------------------------------
   1:           300          19200  [B (java.base@17.0.15)
   2:           100          11200  example.shop.Order
   3:            40           1280  [Lexample.shop.Line;
Total           440          31680
`
	jdk8 = `
 num     #instances         #bytes  class name
----------------------------------------------
   1:           300          19200  [C
   2:           100          11200  example.shop.Order
Total           400          30400
`
	agent = `Attaching to process ID 30029, please wait...
Debugger attached successfully.
Object Histogram:

num 	  #instances	#bytes	Class description
--------------------------------------------------------------------------
1:		300	19200	byte[]
2:		100	11200	example.shop.Order
Total : 	400	30400
`
	openJ9 = `num   object count     total size    class name
-------------------------------------------------
  1            300          19200    [C
  2            100          11200    example.shop.Order
`
	logged = `[2026-01-02T03:04:05.678+0000][12.345s][info ][gc,classhisto] GC(7) Class Histogram (before full gc)
[2026-01-02T03:04:05.678+0000][12.345s][info ][gc,classhisto] GC(7)  num     #instances         #bytes  class name (module)
[2026-01-02T03:04:05.678+0000][12.345s][info ][gc,classhisto] GC(7) -------------------------------------------------------
[2026-01-02T03:04:05.679+0000][12.346s][info ][gc,classhisto] GC(7)    1:           300          19200  [B (java.base@17.0.15)
2026-01-02 03:04:05 another logger's line
[2026-01-02T03:04:05.679+0000][12.346s][info ][gc,classhisto] GC(7)    2:           100          11200  example.shop.Order
[2026-01-02T03:04:05.679+0000][12.346s][info ][gc,classhisto] GC(7) Total           400          30400
`
)

func read(t testing.TB, text string) *File {
	t.Helper()
	f, err := Read(strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func TestForms(t *testing.T) {
	order := Row{Name: "example.shop.Order", Count: Count{100, 11200}}
	for _, c := range []struct {
		name, text, form, first, module string
	}{
		{"JDK 17", jdk17, HotSpot, "byte[]", "java.base@17.0.15"},
		{"JDK 8", jdk8, HotSpot, "char[]", ""},
		{"jhsdb", agent, Agent, "byte[]", ""},
		{"OpenJ9", openJ9, OpenJ9, "char[]", ""},
		{"unified logging", logged, HotSpot, "byte[]", "java.base@17.0.15"},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := read(t, c.text)
			if len(f.Histograms) != 1 || f.Unreadable != 0 {
				t.Fatalf("got %+v", f)
			}
			h := &f.Histograms[0]
			first := Row{Name: c.first, Module: c.module, Count: Count{300, 19200}}
			if d := cmp.Diff([]Row{first, order}, h.Rows[:2]); d != "" {
				t.Error(d)
			}
			if h.Form != c.form || !h.Complete() || !h.Agrees() {
				t.Errorf("form %s, complete %v, agrees %v", h.Form, h.Complete(), h.Agrees())
			}
		})
	}
	if h := read(t, jdk17).Histograms[0]; h.Rows[2].Name != "example.shop.Line[]" || h.Total() != (Count{440, 31680}) {
		t.Errorf("got %+v", h)
	}
}

func TestWhatStandsAround(t *testing.T) {
	f := read(t, "Sun Nov 29 17:43:58 UTC 2026\n4711:\n"+jdk17+"Sun Nov 29 17:44:08 UTC 2026\n4711:\n"+jdk17)
	if len(f.Histograms) != 2 || f.Histograms[0].PID != 4711 || f.Other != 4 {
		t.Fatalf("got %+v", f)
	}
	if d, ok := Between(&f.Histograms[0], &f.Histograms[1]); !ok || d != 10*time.Second {
		t.Errorf("got %v, %v", d, ok)
	}
	f = read(t, logged)
	h := f.Histograms[0]
	if h.Uptime != 12345*time.Millisecond || !h.Stamp.Zoned || h.Stamp.Time.Nanosecond() != 678e6 {
		t.Errorf("got %v at %v", h.Uptime, h.Stamp)
	}
	if f.Other != 2 {
		t.Errorf("want the title and the other logger's line outside, got %d", f.Other)
	}
}

func TestPartsMissing(t *testing.T) {
	all := strings.Split(jdk17, "\n")
	for _, c := range []struct {
		name, text string
		missing    int64
		rows       int
		complete   bool
	}{
		{"cut off by head", strings.Join(all[:4], "\n"), 0, 2, false},
		{"picked by grep", "   2:  100  11200  example.shop.Order\n  17:   5   80  example.shop.Other\n", 14, 2, false},
		{"without head", strings.Join(all[2:], "\n"), 0, 3, true},
		{"a row lost", strings.Join(append(append([]string{}, all[:3]...), all[4:]...), "\n"), 1, 2, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := read(t, c.text)
			h := f.Histograms[0]
			if h.Missing != c.missing || len(h.Rows) != c.rows || h.Complete() != c.complete {
				t.Errorf("got %+v", h)
			}
		})
	}
}

func TestUnreadableLinesAreCounted(t *testing.T) {
	f := read(t, strings.Replace(jdk17, "   2:           100", "   2:           1oo", 1)+"tail\n")
	h := f.Histograms[0]
	if f.Unreadable != 1 || f.Problems[0].Line != 4 || f.Other != 1 {
		t.Errorf("got %+v", f)
	}
	if h.Agrees() || h.Missing != 1 {
		t.Errorf("the total must not agree: %+v", h)
	}
}

func TestErrors(t *testing.T) {
	if _, err := Read(strings.NewReader("nothing\nhere\n")); err == nil || !strings.Contains(err.Error(), "found none in 2 lines") {
		t.Errorf("got %v", err)
	}
	broken := errors.New("broken")
	f, err := Read(io.MultiReader(strings.NewReader(jdk17), iotest.ErrReader(broken)))
	if !errors.Is(err, broken) || len(f.Histograms) != 1 {
		t.Errorf("got %v, %+v", err, f)
	}
}

func TestLyingNumbersStayInRange(t *testing.T) {
	f := read(t, "1: 9223372036854775807 9223372036854775807 a.A\n2: 5 5 a.B\n3: 9223372036854775808 1 a.C\n")
	h := f.Histograms[0]
	if h.Sum != (Count{1<<63 - 1, 1<<63 - 1}) || f.Unreadable != 1 {
		t.Errorf("got %+v", f)
	}
}

func TestJavaName(t *testing.T) {
	for vm, want := range map[string]string{
		"[[B": "byte[][]", "[Ljava.lang.String;": "java.lang.String[]", "[J": "long[]", "a.B": "a.B",
		"[": "[", "[Lx": "[Lx", "[Q": "[Q", "": "", "[L;": "[L;",
	} {
		if got := JavaName(vm); got != want {
			t.Errorf("%q: want %q, got %q", vm, want, got)
		}
	}
}

func TestGrowth(t *testing.T) {
	a := &Histogram{Rows: []Row{{"a.A", "", Count{10, 160}}, {"a.A", "", Count{1, 16}}, {"a.B", "", Count{5, 80}}, {"a.C", "", Count{1, 16}}}}
	b := &Histogram{Rows: []Row{{"a.A", "", Count{31, 496}}, {"a.C", "", Count{1, 16}}, {"a.D", "", Count{2, 32}}}}
	want := []Change{
		{"a.A", Count{11, 176}, Count{31, 496}},
		{"a.D", Count{}, Count{2, 32}},
		{"a.B", Count{5, 80}, Count{}},
	}
	if d := cmp.Diff(want, Growth(a, b)); d != "" {
		t.Error(d)
	}
}

func TestBetweenNeedsOneClock(t *testing.T) {
	zoned := &Histogram{Uptime: -1, Stamp: lines.Stamp{Time: time.Unix(100, 0), Zoned: true}}
	local := &Histogram{Uptime: -1, Stamp: lines.Stamp{Time: time.Unix(110, 0)}}
	if _, ok := Between(zoned, local); ok {
		t.Error("a local time and one with its zone cannot be compared")
	}
	if _, ok := Between(&Histogram{Uptime: -1}, zoned); ok {
		t.Error("no time, no interval")
	}
}

// Rows and histograms over the limits are counted, and in the sums.
func TestLimits(t *testing.T) {
	r := reader{in: lines.New(strings.NewReader(jdk17)), names: map[string]string{}, rows: MaxRows - 1}
	for r.in.Next() {
		r.line(r.in.Line())
	}
	if h := r.file.Histograms[0]; len(h.Rows) != 1 || h.Dropped != 2 || !h.Agrees() || h.Complete() {
		t.Errorf("got %+v", h)
	}
	r = reader{in: lines.New(strings.NewReader(jdk17)), names: map[string]string{}, nameBytes: MaxNameBytes}
	for r.in.Next() {
		r.line(r.in.Line())
	}
	if h := r.file.Histograms[0]; len(h.Rows) != 0 || h.Dropped != 3 || !h.Agrees() {
		t.Errorf("got %+v", h)
	}
	f := read(t, strings.Repeat("num #instances #bytes class name\n1: 1 16 a.A\n", MaxHistograms+2))
	if len(f.Histograms) != MaxHistograms || f.Unreadable != 2 || len(f.Problems) != 2 {
		t.Errorf("got %d histograms, %d unreadable", len(f.Histograms), f.Unreadable)
	}
}

// write prints a histogram as HotSpot does.
func write(rows []Row) string {
	var b strings.Builder
	b.WriteString(" num     #instances         #bytes  class name (module)\n-------------------------------------------------------\n")
	var sum Count
	for i, r := range rows {
		name := r.Name
		if r.Module != "" {
			name += " (" + r.Module + ")"
		}
		fmt.Fprintf(&b, "%4d: %13d %14d  %s\n", i+1, r.Instances, r.Bytes, name)
		sum.Instances += r.Instances
		sum.Bytes += r.Bytes
	}
	fmt.Fprintf(&b, "Total %13d %14d\n", sum.Instances, sum.Bytes)
	return b.String()
}

// What is written in the form is read as it was, wherever the text is cut: the
// rows before the cut are the same.
func TestRoundTripAndCut(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rows := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) Row {
			return Row{
				Name:   rapid.StringMatching(`[a-z]{1,8}(\.[A-Z][a-z]{0,8}){0,3}(\$\$Lambda\$[0-9]{1,3}/0x[0-9a-f]{16})?`).Draw(t, "name"),
				Module: rapid.SampledFrom([]string{"", "java.base@25", "java.sql@17.0.15"}).Draw(t, "module"),
				Count:  Count{rapid.Int64Range(1, 1<<40).Draw(t, "n"), rapid.Int64Range(1, 1<<45).Draw(t, "b")},
			}
		}), 1, 20).Draw(t, "rows")
		text := write(rows)
		f, err := Read(strings.NewReader(text))
		if err != nil || len(f.Histograms) != 1 {
			t.Fatal(err, f)
		}
		h := f.Histograms[0]
		if d := cmp.Diff(rows, h.Rows); d != "" || !h.Complete() || !h.Agrees() {
			t.Fatal(d, h)
		}
		cut := strings.LastIndex(text[:rapid.IntRange(1, len(text)-1).Draw(t, "cut")], "\n") + 1
		part, err := Read(strings.NewReader(text[:cut]))
		if err != nil {
			return // no header yet
		}
		got := part.Histograms[0].Rows
		if d := cmp.Diff(rows[:len(got)], append([]Row{}, got...)); d != "" {
			t.Fatal(d)
		}
	})
}

func FuzzRead(f *testing.F) {
	for _, s := range []string{jdk17, jdk8, agent, openJ9, logged, jdk17 + "12:\n" + jdk8, "1: 2 3 a\n1: 2 3 b"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		got, err := Read(strings.NewReader(text))
		if (err == nil) != (len(got.Histograms) > 0) {
			t.Fatalf("%v with %d histograms", err, len(got.Histograms))
		}
		var rows int64
		for i := range got.Histograms {
			h := &got.Histograms[i]
			var sum Count
			for _, r := range h.Rows {
				if r.Instances < 0 || r.Bytes < 0 || r.Name == "" {
					t.Fatalf("row %+v", r)
				}
				sum = Count{add(sum.Instances, r.Instances), add(sum.Bytes, r.Bytes)}
			}
			if h.Dropped == 0 && sum != h.Sum {
				t.Fatalf("sum %v of rows, %v stated", sum, h.Sum)
			}
			rows += int64(len(h.Rows))
		}
		if rows+got.Other+got.Unreadable > got.Lines+1 {
			t.Fatalf("%d rows, %d other, %d unreadable of %d lines", rows, got.Other, got.Unreadable, got.Lines)
		}
		one, _ := Read(iotest.OneByteReader(strings.NewReader(text)))
		if d := cmp.Diff(got, one, cmp.AllowUnexported(Histogram{})); d != "" {
			t.Fatal("read in pieces:", d)
		}
	})
}
