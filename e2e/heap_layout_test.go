//go:build e2e

package e2e

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"
)

// layouts are the ways a VM may lay out objects: collectors that compact, with
// every combination of the flags that change sizes, must be met to the byte; of
// the others the heap has holes, and 0.2 % of the total is allowed.
func layouts() (exact, near [][]string) {
	collectors := []string{"-XX:+UseSerialGC", "-XX:+UseParallelGC"}
	for i := range 8 {
		flag := func(bit int, name string) string {
			if i>>bit&1 == 0 {
				return "-XX:+" + name
			}
			return "-XX:-" + name
		}
		exact = append(exact, []string{
			collectors[(i^i>>1^i>>2)&1], flag(0, "UseCompressedOops"), flag(1, "UseCompressedClassPointers"),
			fmt.Sprintf("-XX:ObjectAlignmentInBytes=%d", 8<<(i>>2&1)),
		})
	}
	exact = append(exact, []string{"-XX:+UseParallelGC"}, []string{"-XX:+UseSerialGC"},
		[]string{"-XX:+UseParallelGC", "-XX:+UseCompactObjectHeaders"})
	near = [][]string{{"-XX:+UseG1GC"}, {"-XX:+UseZGC"}, {"-XX:+UseShenandoahGC"}}
	return exact, near
}

// TestHeapLayouts holds sizes against the VM's own histogram.
func TestHeapLayouts(t *testing.T) {
	java, jmap, javac := need(t, "java"), need(t, "jmap"), need(t, "javac")
	classes := t.TempDir()
	if out, err := bounded(t, javac, "-d", classes, "testdata/heaplayout/Layout.java").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	exact, near := layouts()
	for i, flags := range append(exact, near...) {
		t.Run(strings.Join(flags, " "), func(t *testing.T) {
			if i < len(exact) {
				// class objects of an archive are counted by the VM before anybody
				// loads the class, and not dumped: 0.1 MB
				flags = append(flags, "-Xshare:off")
			}
			dump, histo := dumped(t, java, jmap, append(flags, "-cp", classes, "Layout"))
			r := kneeline(t, "heap", dump, "-o", "json", "--top", "1000")
			if r.code != 0 {
				t.Fatalf("exit code %d\n%s", r.code, r.stderr)
			}
			var d heapSizes
			if err := json.Unmarshal([]byte(r.stdout), &d); err != nil {
				t.Fatal(err)
			}
			d.check(t, histo, i < len(exact))
		})
	}
}

// heapSizes is what matters here of the command's answer.
type heapSizes struct {
	Heap struct {
		Objects int64 `json:"object_count"`
		Bytes   int64 `json:"bytes"`
		Learned bool  `json:"layout_learned"`
	} `json:"heap"`
	Histogram []struct {
		Class string `json:"class"`
		Count int64  `json:"count"`
		Bytes int64  `json:"bytes"`
	} `json:"histogram"`
}

func (d heapSizes) check(t *testing.T, histo map[string][2]int64, exact bool) {
	total := histo["Total"]
	t.Logf("%d objects of %d bytes; the VM counts %d of %d", d.Heap.Objects, d.Heap.Bytes, total[0], total[1])
	if !d.Heap.Learned {
		t.Error("the layout was not learned")
	}
	if off := math.Abs(float64(d.Heap.Bytes-total[1])) / float64(total[1]); exact && off != 0 || off > 0.002 {
		t.Errorf("%d bytes, the VM counts %d: %.3f %% off", d.Heap.Bytes, total[1], 100*off)
	}
	same := 0
	for _, c := range d.Histogram {
		vm, ok := histo[c.Class]
		if !ok || vm[0] != c.Count {
			continue // hidden classes have other names; archived classes are not dumped
		}
		if same++; exact && vm[1] != c.Bytes {
			t.Errorf("%s: %d bytes, the VM counts %d", c.Class, c.Bytes, vm[1])
		}
	}
	if same < 60 {
		t.Errorf("only %d of %d classes have the VM's counts", same, len(d.Histogram))
	}
}

// dumped runs a Java program and takes a dump and a histogram of the same live
// objects: histograms before and after the dump must agree. It skips when this
// VM does not know the flags.
func dumped(t *testing.T, java, jmap string, args []string) (path string, histo map[string][2]int64) {
	t.Helper()
	cmd := bounded(t, java, append([]string{"-Xmx400m"}, args...)...)
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() {
		in.Close()
		_ = cmd.Wait()
	}()
	if line, err := bufio.NewReader(out).ReadString('\n'); err != nil || line != "ready\n" {
		t.Skipf("this VM does not start with these flags: %q, %v", line, err)
	}
	go func() { _, _ = io.Copy(io.Discard, out) }()
	pid := strconv.Itoa(cmd.Process.Pid)
	path = filepath.Join(t.TempDir(), "layout.hprof")
	histogram(t, jmap, pid) // attaching loads classes
	for range 4 {
		before := histogram(t, jmap, pid)
		_ = os.Remove(path) // jmap writes over nothing
		if out, err := bounded(t, jmap, "-dump:live,format=b,file="+path, pid).CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		if histo = histogram(t, jmap, pid); before["Total"] == histo["Total"] {
			return path, histo
		}
		time.Sleep(300 * time.Millisecond)
	}
	t.Fatal("live objects kept changing")
	return "", nil
}

var histoRow = regexp.MustCompile(`(?m)^ *(?:\d+: +|(Total) +)(\d+) +(\d+)(?: +(\S+))?`)

// histogram is jmap's class histogram of live objects by Java's names, with the
// row Total.
func histogram(t *testing.T, jmap, pid string) map[string][2]int64 {
	t.Helper()
	text, err := bounded(t, jmap, "-histo:live", pid).Output()
	if err != nil {
		t.Fatalf("%v\n%s", err, bytes.TrimSpace(text))
	}
	rows := map[string][2]int64{}
	for _, m := range histoRow.FindAllStringSubmatch(string(text), -1) {
		name := m[1] + javaName(m[4])
		n, _ := strconv.ParseInt(m[2], 10, 64)
		b, _ := strconv.ParseInt(m[3], 10, 64)
		rows[name] = [2]int64{rows[name][0] + n, rows[name][1] + b}
	}
	if len(rows) < 100 {
		t.Fatalf("a histogram of %d rows", len(rows))
	}
	return rows
}

// javaName spells a class's internal name as sources do. Arrays that fill holes
// are dumped as int[].
func javaName(name string) string {
	element := strings.TrimLeft(name, "[")
	depth := len(name) - len(element)
	if depth > 0 {
		if full, ok := strings.CutPrefix(element, "L"); ok {
			element = strings.TrimSuffix(full, ";")
		} else {
			element = map[string]string{
				"Z": "boolean", "B": "byte", "C": "char", "S": "short", "I": "int", "J": "long", "F": "float", "D": "double",
			}[element]
		}
	}
	if element == "jdk.internal.vm.FillerElement" {
		element = "int"
	}
	return element + strings.Repeat("[]", depth)
}
