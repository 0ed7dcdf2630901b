//go:build e2e

package e2e

import (
	"fmt"
	"io"
	"math"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"example.com/kneeline/analyze/pending/compare"
)

const (
	goRequests = 2500
	goPerSec   = 2500
	goSlots    = 8
)

// goServer runs the server of testdata/heap/gostall and returns its port.
func goServer(t *testing.T, mode string) int {
	t.Helper()
	binary := filepath.Join(t.TempDir(), "gostall")
	build := exec.Command("go", "build", "-o", binary, "./testdata/heap/gostall")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	port := freePort(t)
	start(t, exec.Command(binary, fmt.Sprint(port), mode))
	waitFor(t, fmt.Sprintf("http://127.0.0.1:%d/truth", port))
	return port
}

// goTruth waits until the server has so many requests inside and in service, by its
// own count.
func goTruth(t *testing.T, port int, inside, serving int64) {
	t.Helper()
	var i, s int64
	for range 300 {
		text := got(t, fmt.Sprintf("http://127.0.0.1:%d/truth", port))
		if _, err := fmt.Sscan(string(text), &i, &s); err != nil {
			t.Fatal(err)
		}
		if i == inside && s == serving {
			return
		}
		time.Sleep(100 * time.Millisecond)
	}
	t.Fatalf("%d requests are inside and %d in service, not %d and %d", i, s, inside, serving)
}

func got(t *testing.T, url string) []byte {
	t.Helper()
	resp, err := http.Get(url)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	data, err := io.ReadAll(resp.Body)
	if err != nil || resp.StatusCode != http.StatusOK {
		t.Fatalf("%s: %s, %v", url, resp.Status, err)
	}
	return data
}

// saved fetches profiles into files, as a responder would.
func saved(t *testing.T, port int, names ...string) []string {
	t.Helper()
	dir := t.TempDir()
	var paths []string
	for i, name := range names {
		path := filepath.Join(dir, fmt.Sprintf("%d.profile", i))
		if err := os.WriteFile(path, got(t, fmt.Sprintf("http://127.0.0.1:%d/debug/pprof/%s", port, name)), 0o600); err != nil {
			t.Fatal(err)
		}
		paths = append(paths, path)
	}
	return paths
}

// rss is the resident memory of whoever listens on a port, from its own status.
func rss(t *testing.T, port int) float64 {
	t.Helper()
	out, err := exec.Command(need(t, "ps"), "-eo", "rss=,args=").Output()
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(out)) {
		var kib float64
		var binary, at string
		if n, _ := fmt.Sscan(line, &kib, &binary, &at); n == 3 && strings.HasSuffix(binary, "/gostall") && at == fmt.Sprint(port) {
			return kib * 1024
		}
	}
	t.Fatal("the server is not among the processes")
	return 0
}

// The server is full, and 2,500 requests are inside: fetched by URL, and from
// files, the report says how many wait, where, and for how many slots.
func TestHeapGo(t *testing.T) {
	for _, c := range []struct {
		mode, place string
		served      int64
	}{
		{"channel", `main\.channel \(main\.go:\d+\) for one of 8 slots`, goSlots},
		{"deadline", `main\.deadline \(main\.go:\d+\) \(select\) while 8 are past`, goSlots},
		{"mutex", `main\.mutex \(main\.go:\d+\) for a lock`, 1},
		{"queue", `main\.queue \(main\.go:\d+\) for 8 goroutines of main\.worker, all busy`, goSlots},
	} {
		t.Run(c.mode, func(t *testing.T) {
			port := goServer(t, c.mode)
			flood(t, port, goRequests, goPerSec)
			goTruth(t, port, goRequests, c.served)
			waits := int64(goRequests) - c.served
			if c.mode == "queue" {
				waits = goRequests // those that are served wait for their result, too
			}
			sentence := regexp.MustCompile(`^2,[45]\d\d requests wait at ` + c.place)
			url := fmt.Sprintf("http://127.0.0.1:%d/debug/pprof/", port)
			for how, args := range map[string][]string{
				"url":        {url},
				"stacks":     {"--stacks", url},
				"files":      saved(t, port, "goroutine", "heap", "block", "mutex"),
				"text files": saved(t, port, "goroutine?debug=2", "heap?debug=1"),
			} {
				r, d := heap(t, append([]string{"--capacity", "100/s", "--timeout", "2s"}, args...)...)
				if r.code != 0 || d.Verdict.Answer != "pile-up" || !sentence.MatchString(firstLine(r.stdout)) {
					t.Errorf("%s: exit code %d: %s\n%s", how, r.code, firstLine(r.stdout), r.stderr)
					continue
				}
				q := d.named(t)
				if math.Abs(float64(q.Entries-waits)) > 0.01*goRequests {
					t.Errorf("%s: %d wait, not %d", how, q.Entries, waits)
				}
				if q.Pool == nil || d.Workers[*q.Pool].Total != c.served {
					t.Errorf("%s: drained by %+v, not by %d", how, d.Workers, c.served)
				}
				if q.Useful == nil || *q.Useful <= 0 || *q.Useful > 200 {
					t.Errorf("%s: %v places are of use, of 100/s × 2s", how, value(q.Useful))
				}
			}
		})
	}
}

// A URL of one profile is that profile alone; what cannot be fetched is said.
func TestHeapGoOneProfile(t *testing.T) {
	port := goServer(t, "channel")
	flood(t, port, goRequests, goPerSec)
	goTruth(t, port, goRequests, goSlots)
	url := fmt.Sprintf("http://127.0.0.1:%d/debug/pprof/goroutine", port)
	r, d := heap(t, url)
	if r.code != 0 || d.Verdict.Answer != "pile-up" || len(d.Inputs) != 1 {
		t.Errorf("exit code %d: %s: %+v", r.code, d.Verdict.Sentence, d.Inputs)
	}
	if r := kneeline(t, "heap", fmt.Sprintf("http://127.0.0.1:%d/nowhere/pprof/heap", port)); r.code != 3 || !strings.Contains(r.stderr, "404") {
		t.Errorf("exit code %d: %s", r.code, r.stderr)
	}
	if r := kneeline(t, "heap", "http://192.0.2.1/debug/pprof/"); r.code != 2 || !strings.Contains(r.stderr, "--allow-host") {
		t.Errorf("exit code %d: %s", r.code, r.stderr)
	}
}

// What the report says requests cost, against what the server grew by.
func TestHeapGoBytes(t *testing.T) {
	port := goServer(t, "channel")
	before := rss(t, port)
	flood(t, port, goRequests, goPerSec)
	goTruth(t, port, goRequests, goSlots)
	// the profile is as of the last collection; this one asks for it
	files := saved(t, port, "heap?gc=1", "goroutine")
	grown := (rss(t, port) - before) / goRequests
	_, d := heap(t, files...)
	q := d.named(t)
	if q.BytesEach == nil {
		t.Fatalf("no bytes in %+v", q)
	}
	// two stacks and the runtime's own are not in the profile; the sample may be off
	// by a third where 32 MB are sampled every 512 KiB
	if *q.BytesEach < 0.4*grown || *q.BytesEach > 1.3*grown {
		t.Errorf("%.0f bytes each, and the server grew by %.0f each", *q.BytesEach, grown)
	}
}

// None of these is a pile-up of requests.
func TestHeapGoControls(t *testing.T) {
	for _, mode := range []string{"idle", "workers", "timers", "leak"} {
		t.Run(mode, func(t *testing.T) {
			port := goServer(t, mode)
			flood(t, port, goRequests, goPerSec)
			goTruth(t, port, 0, 0)
			for how, args := range map[string][]string{
				"url":  {"--stacks", fmt.Sprintf("http://127.0.0.1:%d", port)},
				"file": saved(t, port, "goroutine"),
			} {
				r, d := heap(t, args...)
				want, text := "nothing", "no requests pile up"
				if mode == "leak" {
					want, text = "full-of-else", "goroutines pile up at main.leak.func1"
				}
				if r.code != 0 || d.Verdict.Answer != want || !strings.Contains(d.Verdict.Sentence, text) {
					t.Errorf("%s: exit code %d, %s: %s", how, r.code, d.Verdict.Answer, d.Verdict.Sentence)
				}
			}
		})
	}
}

// Profiles of one service at two times: how many requests more wait, and what they take.
func TestHeapGoCompare(t *testing.T) {
	const more = 1000
	port := goServer(t, "channel")
	var args []string
	for i := range 2 {
		flood(t, port, more, goPerSec)
		goTruth(t, port, int64(more*(i+1)), goSlots)
		args = append(args, filepath.Dir(saved(t, port, "goroutine", "heap?gc=1")[0]))
	}
	var res compare.Result
	answer(t, &res, append([]string{"heap", "compare", "--interval", "10s"}, args...)...)
	if len(res.Queues) == 0 {
		t.Fatalf("no queue: %s", res.Sentence)
	}
	q := res.Queues[0]
	if res.Verdict != compare.Growing || q.Before != more-goSlots || q.Change != more || q.Rate == nil || *q.Rate != more/10 {
		t.Errorf("%s, %+v", res.Sentence, q)
	}
	// A request of this server takes 4 KB for a buffer and two stacks or more.
	if res.Heap == nil || res.Heap.Change < more<<12 {
		t.Errorf("the heap: %+v", res.Heap)
	}
	r := answer(t, &res, append([]string{"heap", "compare", "--interval", "10s", "--graph"}, args...)...)
	if said := strings.Join(res.Warnings, "\n"); r.code != 0 || !strings.Contains(said, "--graph was not followed") {
		t.Errorf("exit code %d: %s", r.code, said)
	}
}
