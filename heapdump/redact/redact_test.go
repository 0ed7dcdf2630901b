package redact

import (
	"bytes"
	"context"
	"fmt"
	"strings"
	"testing"

	"example.com/kneeline/heapdump"
	"example.com/kneeline/heapdump/hprof"
	"example.com/kneeline/heapdump/hprofgen"
)

func readDump(t testing.TB, data []byte) *heapdump.Heap {
	t.Helper()
	h, err := hprof.Read(context.Background(), bytes.NewReader(data), hprof.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { h.Close() })
	return h
}

// redacted is the copy of a dump.
func redacted(t testing.TB, data []byte, rules Rules) ([]byte, Summary) {
	t.Helper()
	used, err := Used(context.Background(), bytes.NewReader(data), nil)
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	sum, err := Copy(context.Background(), &out, bytes.NewReader(data), readDump(t, data), used, Options{Rules: rules})
	if err != nil {
		t.Fatal(err)
	}
	return out.Bytes(), sum
}

// shape is all of a heap but what its objects contain.
func shape(h *heapdump.Heap) string {
	var b strings.Builder
	for _, c := range h.Classes {
		fmt.Fprintln(&b, c.ID, c.Name, c.Super, c.Loader, c.Fields, c.Instances, c.Bytes, c.MATBytes, c.Slots, c.Filled, c.Kept)
		for _, s := range c.Statics {
			if s.Type == 2 {
				fmt.Fprintln(&b, s.Name, s.Value)
			}
		}
		for in := range h.Instances(c.Index) {
			fmt.Fprint(&b, in.ID)
			for i, col := range c.Columns {
				if col.Type == 2 {
					fmt.Fprint(&b, " ", in.At(i))
				}
			}
			fmt.Fprintln(&b)
		}
	}
	for a := range h.Arrays(-1) {
		fmt.Fprintln(&b, a.ID, a.Length, a.Refs)
	}
	for _, t := range h.Threads {
		fmt.Fprintln(&b, t.ID, t.Frames, t.Locals)
	}
	fmt.Fprintln(&b, h.Objects, h.Bytes, h.Roots, h.Complete, h.Biggest, h.Texts, h.Taken, h.IDSize, h.Losses)
	return b.String()
}

var forms = []hprofgen.Options{{}, {IDSize: 4}, {}}

// Sizes, classes, references, roots, stacks and what equal texts cost stay.
func TestShapeStays(t *testing.T) {
	for i, o := range forms {
		data := hprofgen.Everything(o).Encode().Data
		copied, sum := redacted(t, data, Rules{Field: stackSizes})
		before, after := readDump(t, data), readDump(t, copied)
		if a, b := shape(before), shape(after); a != b {
			t.Errorf("form %d: the copy differs: %s", i, firstDifference(a, b))
		}
		if !after.Redacted || before.Redacted || !sum.Complete || sum.Lost != 0 || sum.Unknown != 0 || sum.Zeroed == 0 || sum.Kept != 1 || sum.Names != 0 {
			t.Errorf("form %d: %+v, redacted %v", i, sum, after.Redacted)
		}
		if sum.Read != int64(len(data)) || sum.Written != int64(len(copied)) {
			t.Errorf("form %d: read %d of %d, written %d of %d", i, sum.Read, len(data), sum.Written, len(copied))
		}
		// A copy of a copy is the copy.
		again, _ := redacted(t, copied, Rules{Field: stackSizes})
		if a, b := shape(after), shape(readDump(t, again)); a != b {
			t.Errorf("form %d: the copy of the copy differs: %s", i, firstDifference(a, b))
		}
	}
}

// stackSizes keeps the number from which the size of a stack chunk follows.
func stackSizes(_ int, f heapdump.Column) Use {
	if f.Name == "size" && f.Class == "jdk.internal.vm.StackChunk" {
		return Keep
	}
	return Zero
}

func firstDifference(a, b string) string {
	x, y := strings.Split(a, "\n"), strings.Split(b, "\n")
	for i := range min(len(x), len(y)) {
		if x[i] != y[i] {
			return fmt.Sprintf("line %d: %.300s\nwant %.300s", i, y[i], x[i])
		}
	}
	return fmt.Sprintf("%d lines, want %d", len(y), len(x))
}

const secretNumber = 0x7365637265742131 // as text: secret!1

// secretDump has secrets wherever a dump can have contents.
func secretDump() []byte {
	d := hprofgen.New(hprofgen.Options{})
	c := d.Class("com.example.Account", nil, hprofgen.F("number", hprofgen.Long), hprofgen.F("owner", hprofgen.Object), hprofgen.F("level", hprofgen.Int),
		hprofgen.F("rate", hprofgen.Double), hprofgen.F("grade", hprofgen.Char), hprofgen.S("KEY", hprofgen.Long, int64(secretNumber)))
	for range 20 {
		d.Object(c, "number", int64(secretNumber), "owner", d.String("secret!1 is the password"), "level", int32(0x73656372))
	}
	d.Bytes([]byte("secret!1"))
	d.Bytes(bytes.Repeat([]byte("secret!1"), 400_000)) // larger than what is held at once
	d.Longs(secretNumber, secretNumber)
	d.Ints(0x73656372, 0x65742131)
	d.Thread("secret!1-thread", nil, hprofgen.At("com.example.Account", "pay", 3))
	return d.Encode().Data
}

func TestNoSecretIsLeft(t *testing.T) {
	data := secretDump()
	if n := bytes.Count(data, []byte("secret!1")); n < 400_000 {
		t.Fatalf("%d secrets in the dump", n)
	}
	copied, sum := redacted(t, data, Rules{})
	for _, secret := range []string{"secret!1", "password", "secr", "s\x00e\x00c\x00", "\x00s\x00e\x00c"} {
		if bytes.Contains(copied, []byte(secret)) {
			t.Errorf("%q is left", secret)
		}
	}
	if a, b := shape(readDump(t, data)), shape(readDump(t, copied)); a != b {
		t.Errorf("the copy differs: %s", firstDifference(a, b))
	}
	// Names stay when they are to, and nothing else of the same letters.
	copied, sum = redacted(t, data, Rules{Names: []string{"secret!1-thread"}})
	if n := bytes.Count(copied, []byte("secret!1")); n != 1 || sum.Names != 1 {
		t.Errorf("%d secrets left, %+v", n, sum)
	}
	if h := readDump(t, copied); h.Threads[0].Name != "secret!1-thread" {
		t.Errorf("thread %q", h.Threads[0].Name)
	}
}

// A text in the table of names that names nothing is a constant of the program.
func TestConstantsAreHidden(t *testing.T) {
	data := hprofgen.Everything(hprofgen.Options{}).Encode().Data
	end := bytes.IndexByte(data, 0) + 13
	constant := append([]byte{recString, 0, 0, 0, 0, 0, 0, 0, 8 + 16, 0, 0, 0, 0, 0x77, 0x77, 0x77, 0x77}, "jdbc:secret:pass"...)
	data = append(append(append([]byte{}, data[:end]...), constant...), data[end:]...)
	copied, sum := redacted(t, data, Rules{})
	if bytes.Contains(copied, []byte("secret")) || sum.Hidden != 1 {
		t.Errorf("%+v", sum)
	}
}

func TestRules(t *testing.T) {
	now := hprofgen.Taken.UnixMilli()
	d := hprofgen.New(hprofgen.Options{})
	c := d.Class("com.example.Job", nil, hprofgen.F("at", hprofgen.Long), hprofgen.F("size", hprofgen.Int), hprofgen.F("id", hprofgen.Int))
	for i, at := range []int64{now - 5000, 1234567890123456, (now - 5000) * 1e6, 0} {
		d.Object(c, "at", at, "size", int32(40+i), "id", int32(7))
	}
	kept := d.Longs(5, 6)
	data := d.Encode().Data
	copied, _ := redacted(t, data, Rules{
		Arrays: map[heapdump.ID]bool{heapdump.ID(kept): true},
		Field: func(_ int, f heapdump.Column) Use {
			return map[string]Use{"at": KeepTime, "size": Keep}[f.Name]
		},
	})
	h := readDump(t, copied)
	var got []string
	for in := range h.Instances(h.ClassNamed("com.example.Job")[0]) {
		at, _ := in.Long("at")
		size, _ := in.Long("size")
		id, _ := in.Long("id")
		got = append(got, fmt.Sprint(at, size, id))
	}
	want := []string{fmt.Sprint(now-5000, 40, 0), "0 41 0", fmt.Sprint((now-5000)*1e6, 42, 0), "0 43 0"}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("%v, want %v", got, want)
	}
	if !bytes.Contains(copied, []byte("\x00\x00\x00\x00\x00\x00\x00\x05\x00\x00\x00\x00\x00\x00\x00\x06")) {
		t.Error("the array that was to stay is gone")
	}
}

// A dump that is cut off anywhere gives a copy that can be read, without a secret.
func TestCutOff(t *testing.T) {
	d := hprofgen.New(hprofgen.Options{})
	d.Tasks("com.example.Task", 10, 20, func(int) int64 { return 1 })
	d.Thread("secret!1", nil)
	d.Bytes([]byte("secret!1 in the open"))
	data := d.Encode().Data
	step := max(len(data)/300, 1)
	for cut := 40; cut < len(data); cut += step {
		part := data[:cut]
		copied, sum := redacted(t, part, Rules{})
		if bytes.Contains(copied, []byte("secret!1")) {
			t.Fatalf("cut at %d: the secret is left", cut)
		}
		h, before := readDump(t, copied), readDump(t, part)
		if h.Objects != before.Objects || sum.Read > int64(cut) {
			t.Fatalf("cut at %d: %d objects, want %d; read %d", cut, h.Objects, before.Objects, sum.Read)
		}
	}
}

// An array that claims more than there is costs nothing.
func TestClaims(t *testing.T) {
	d := hprofgen.New(hprofgen.Options{})
	d.Claim(d.Longs(1, 2, 3), 400_000_000)
	data := d.Encode().Data
	copied, sum := redacted(t, data, Rules{})
	if sum.Complete || len(copied) > len(data)+300 || sum.Written > int64(len(data)+300) {
		t.Errorf("%d bytes of %d: %+v", len(copied), len(data), sum)
	}
}

// What is no record is left out, with all of its segment.
func TestDamage(t *testing.T) {
	data := append([]byte{}, secretDump()...)
	// The heap dump begins where the first class record does.
	first := bytes.IndexByte(data, 0) + 13
	for data[first] != recHeapDump && data[first] != recSegment {
		first += 9 + int(be.Uint32(data[first+5:]))
	}
	data[first+9] = 0x77
	copied, sum := redacted(t, data, Rules{})
	if sum.Lost == 0 || !strings.Contains(sum.Why, "no record of a heap dump") || bytes.Contains(copied, []byte("secret!1")) {
		t.Errorf("%+v", sum)
	}
	for _, bad := range []string{"", "JAVA PROFILE 1.0.2", "no dump at all\x00", "JAVA PROFILE 1.0.2\x00\x00\x00\x00\x05\x00\x00\x00\x00\x00\x00\x00\x00"} {
		if _, err := Used(context.Background(), strings.NewReader(bad), nil); err == nil || !strings.Contains(err.Error(), "expected") {
			t.Errorf("%q: %v", bad, err)
		}
	}
}

func FuzzCopy(f *testing.F) {
	f.Add(hprofgen.Everything(hprofgen.Options{}).Encode().Data[:4000])
	f.Add([]byte("JAVA PROFILE 1.0.2\x00\x00\x00\x00\x04\x00\x00\x00\x00\x00\x00\x00\x00\x0c\x00\x00\x00\x00\x00\x00\x00\x00"))
	f.Fuzz(func(t *testing.T, data []byte) {
		h, err := hprof.Read(context.Background(), bytes.NewReader(data), hprof.Options{})
		if err != nil {
			return
		}
		defer h.Close()
		used, err := Used(context.Background(), bytes.NewReader(data), nil)
		if err != nil {
			return
		}
		var out bytes.Buffer
		sum, err := Copy(context.Background(), &out, bytes.NewReader(data), h, used, Options{})
		if err != nil {
			return
		}
		if sum.Written != int64(out.Len()) || sum.Read > int64(len(data)) {
			t.Errorf("%+v of %d bytes, %d written", sum, len(data), out.Len())
		}
		again, err := hprof.Read(context.Background(), bytes.NewReader(out.Bytes()), hprof.Options{})
		if err != nil {
			t.Fatalf("the copy cannot be read: %v", err)
		}
		again.Close()
	})
}
