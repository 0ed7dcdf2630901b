//go:build e2e

package e2e

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"example.com/kneeline/analyze/pending"
	"example.com/kneeline/analyze/pending/compare"
	"example.com/kneeline/analyze/retained"
)

// graphed runs heap --graph and returns its document.
func graphed(t *testing.T, args ...string) *pending.Result {
	t.Helper()
	var res pending.Result
	answer(t, &res, append([]string{"heap", "--graph"}, args...)...)
	if res.Graph == nil {
		t.Fatalf("no graph: %v", res.Warnings)
	}
	return &res
}

// answer runs a command and reads its document.
func answer(t *testing.T, into any, args ...string) ran {
	t.Helper()
	path := filepath.Join(t.TempDir(), "answer.json")
	r := kneeline(t, append(args, "-o", "json="+path)...)
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatalf("exit code %d, no JSON: %v\n%s", r.code, err, r.stderr)
	}
	if err := json.Unmarshal(data, into); err != nil {
		t.Fatal(err)
	}
	return r
}

// wantHolders holds the graph of a flooded server against what its heap grew by for
// each request, and the way to its queue against what holds it.
//
// What is short of that are arrays that grow with the requests, such as tables of maps,
// and what the few requests hold that are being served: of a request of 0.8 KB as much as
// 4 %, of one of 18 KB nothing.
func wantHolders(t *testing.T, d taken) {
	t.Helper()
	res := graphed(t, d.path)
	if res.Verdict.Queue == nil || len(res.Graph.Holders) == 0 {
		t.Fatalf("no queue, or nobody holds it: %+v", res.Verdict)
	}
	i := slices.IndexFunc(res.Graph.Holders, func(h retained.Holder) bool { return h.Queue == *res.Verdict.Queue })
	if i < 0 {
		t.Fatalf("nobody holds the queue that is named: %+v", res.Graph.Holders)
	}
	h := res.Graph.Holders[i]
	want, fewer := float64(d.truth.BytesEach), 0.02
	if want < 1000 {
		fewer = 0.06
	}
	t.Logf("one request retains %.0f B, the heap grew by %.0f B for each: %+.2f%%", h.Each, want, 100*(h.Each/want-1))
	if h.Each < (1-fewer)*want || h.Each > 1.015*want {
		t.Errorf("one request retains %.0f B, the heap grew by %.0f B for each", h.Each, want)
	}
	if h.Entries != d.truth.Entries || h.Unreachable != 0 {
		t.Errorf("%d entries, %d of them garbage; %d wait", h.Entries, h.Unreachable, d.truth.Entries)
	}
	if n := len(h.Path); n < 2 || h.Path[n-1].Class != d.truth.QueueClass || h.Path[0].Roots == "" {
		t.Errorf("the way to the queue: %+v", h.Path)
	}
	wantTree(t, res.Graph.Tree, res.Graph.Bytes)
	at := h.Path[len(h.Path)-1].Address
	var path retained.PathResult
	answer(t, &path, "heap", "path", d.path, at)
	if !path.Reachable || path.Object.Class != d.truth.QueueClass || len(path.Path) != len(h.Path) || h.QueueRetained == nil || path.Object.Retained != *h.QueueRetained {
		t.Errorf("%s: %+v", at, path.Object)
	}
}

// wantTree holds what children retain against what their parent does.
func wantTree(t *testing.T, n *retained.Node, whole int64) {
	t.Helper()
	if n == nil || n.Retained > whole {
		t.Fatalf("a tree of %+v", n)
	}
	sum := n.Shallow
	for _, c := range n.Children {
		wantTree(t, c, n.Retained)
		sum += c.Retained
	}
	if sum > n.Retained && n.Class != "" {
		t.Errorf("%s retains %d B, itself and its children %d B", n.Class, n.Retained, sum)
	}
}

// rules are the findings by rule.
func rules(res *pending.Result) map[string]string {
	out := map[string]string{}
	for _, f := range res.Findings {
		out[f.Rule] += f.Message + "\n"
		for _, e := range f.Evidence {
			out[f.Rule] += e.Name + ": " + e.Value + "\n"
		}
	}
	return out
}

func close3(got, want int64) bool { return math.Abs(float64(got-want)) <= 0.03*float64(want) }

// Heaps whose answer lies in who holds what.
func TestHeapGraphFindings(t *testing.T) {
	t.Run("thread locals", func(t *testing.T) {
		d := pile(t, "graph-locals", "Graphs", "locals")
		res := graphed(t, d.path)
		if !close3(res.Graph.LocalBytes, d.truth.PendingBytes) || !strings.Contains(rules(res)["HEP-14"], "thread-local variables of") {
			t.Errorf("thread-local variables hold %d B, not %d: %q", res.Graph.LocalBytes, d.truth.PendingBytes, rules(res))
		}
	})
	t.Run("class loaders", func(t *testing.T) {
		d := pile(t, "graph-loaders", "Graphs", "loaders")
		res := graphed(t, d.path)
		i := slices.IndexFunc(res.Graph.Loaders, func(l retained.Loader) bool { return l.Class == "java.net.URLClassLoader" })
		if i < 0 {
			t.Fatalf("loaders: %+v", res.Graph.Loaders)
		}
		l := res.Graph.Loaders[i]
		if l.Count != d.truth.Entries || l.Copies != d.truth.Entries || !close3(l.Retained, d.truth.PendingBytes) {
			t.Errorf("%+v, want %d of %d B", l, d.truth.Entries, d.truth.PendingBytes)
		}
		if !strings.Contains(rules(res)["HEP-13"], fmt.Sprintf("%d loaders of class java.net.URLClassLoader", d.truth.Entries)) {
			t.Errorf("%q", rules(res))
		}
	})
	t.Run("map", func(t *testing.T) {
		d := pile(t, "graph-map", "Graphs", "map")
		found := rules(graphed(t, d.path))["HEP-11"]
		for _, want := range []string{"class shop.Graphs retains", "accumulates in: java.util.HashMap$Node[]", "holds: 100,000 of java.util.HashMap$Node"} {
			if !strings.Contains(found, want) {
				t.Errorf("no %q in %q", want, found)
			}
		}
	})
	t.Run("controls", func(t *testing.T) {
		for _, c := range []string{"pool", "history"} {
			if found := rules(graphed(t, pile(t, "control-"+c, "Controls", c).path)); len(found) > 0 {
				t.Errorf("%s: there is nothing to find: %q", c, found)
			}
		}
	})
}

// Requests that were answered and not collected yet are no pile-up, and nothing is found
// of them; without the graph nobody can tell.
func TestHeapGraphOfGarbage(t *testing.T) {
	classes, dir := heapClasses(t), t.TempDir()
	j := startJava(t, dir, "-Xms512m", "-Xmx512m", "-Xmn300m", "-XX:+UseSerialGC", "-cp", classes+":"+classpath(), "shop.Graphs", "garbage")
	truth := j.said(t)
	dump := j.dump(t, filepath.Join(dir, "garbage.hprof"), "all,")
	j.stop(t)
	if _, doc := heap(t, dump); doc.Verdict.Answer != "pile-up" || doc.named(t).Entries != truth.Entries {
		t.Errorf("without the graph: %s", doc.Verdict.Sentence)
	}
	res := graphed(t, dump)
	if res.Verdict.Answer == pending.PileUp || len(res.Findings) > 0 {
		t.Errorf("%s, findings %q", res.Verdict.Sentence, rules(res))
	}
	if said := strings.Join(res.Warnings, "\n"); !strings.Contains(said, "is garbage that waits for its collection") {
		t.Errorf("warnings: %s", said)
	}
}

// A queue of a running program that grows: what the program says of it, and who retains
// more.
func TestHeapGraphCompare(t *testing.T) {
	classes, dir := heapClasses(t), t.TempDir()
	j := startJava(t, dir, "-Xmx512m", "-XX:+UseG1GC", "-cp", classes+":"+classpath(), "shop.Graphs", "growing")
	before := j.said(t)
	a := j.dump(t, filepath.Join(dir, "before.hprof"), "live,")
	after := j.ask(t)
	b := j.dump(t, filepath.Join(dir, "after.hprof"), "live,")
	j.stop(t)
	var res compare.Result
	answer(t, &res, "heap", "compare", a, b, "--graph")
	q := res.Queues[0]
	if res.Verdict != compare.Growing || q.Before != before.Entries || q.After != after.Entries || q.Rate == nil {
		t.Errorf("%s, %+v", res.Sentence, q)
	}
	// 4,000 came and 1,000 left, as the ages tell.
	if q.Arrived == nil || math.Abs(float64(*q.Arrived-4000)) > 400 || *q.Left != *q.Arrived-3000 {
		t.Errorf("%v came, %v left", value(q.Arrived), value(q.Left))
	}
	each := float64(*q.BytesAfter) / float64(q.After)
	grown := slices.ContainsFunc(res.Dominators, func(r retainedRow) bool {
		return r.Change > 0 && math.Abs(float64(r.Change)-3000*each) < 0.05*3000*each
	})
	if !grown {
		t.Errorf("no object retains %.0f B more: %+v", 3000*each, res.Dominators)
	}
}

type retainedRow = compare.Retained

// The page of a graph draws the tree and searches it, in a real browser.
func TestHeapGraphPage(t *testing.T) {
	need(t, "chromium")
	d := pile(t, "threadpool", "PoolPile")
	page := filepath.Join(t.TempDir(), "heap.html")
	if r := kneeline(t, "heap", "--graph", d.path, "-o", "html="+page); r.code != 0 {
		t.Fatal(r.stderr)
	}
	data, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	// What a reader does: types a word into the field.
	const typed = `<script>
for (const input of document.querySelectorAll('.icicle input')) {
  input.value = 'shop.Order';
  input.dispatchEvent(new Event('input', {bubbles: true}));
}
</script></body>`
	searched := put(t, t.TempDir(), "searched.html", strings.Replace(string(data), "</body>", typed, 1))
	dom := browse(t, searched, "--dump-dom")
	_, tree, ok := strings.Cut(dom, `class="icicle live"`)
	if !ok {
		t.Fatal("the page has no dominator tree")
	}
	_, said, _ := strings.Cut(tree, "<output>")
	said, _, _ = strings.Cut(said, "</output>")
	if !strings.Contains(said, "match") || !strings.Contains(said, "% of the whole") {
		t.Errorf("the search says %q", said)
	}
	if boxes, hits := strings.Count(tree, `class="box`), strings.Count(tree, ` hit`); boxes < 20 || hits == 0 || hits >= boxes {
		t.Errorf("of %d boxes %d are found", boxes, hits)
	}
	for _, from := range []string{"src=", "<link", "@import", "url("} {
		if strings.Contains(dom, from) {
			t.Errorf("the page fetches something: it has %q", from)
		}
	}
	picture := filepath.Join(t.TempDir(), "page.png")
	browse(t, page, "--window-size=1100,9000", "--screenshot="+picture)
	if n := colours(t, picture); n < 50 {
		t.Errorf("the page shows %d colours: nothing is drawn", n)
	}
	t.Logf("the search says %q", said)
}
