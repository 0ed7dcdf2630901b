//go:build e2e

package e2e

import (
	"image"
	_ "image/png"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// browse runs headless Chromium on a page, with the arguments that say what to
// do with it, and returns what it prints.
func browse(t *testing.T, page string, args ...string) string {
	t.Helper()
	all := append([]string{
		"--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
		"--disable-background-networking", "--disable-component-update", "--disable-sync",
		"--hide-scrollbars", "--user-data-dir=" + t.TempDir(),
	}, args...)
	cmd := exec.Command(need(t, "chromium"), append(all, "file://"+page)...)
	var out strings.Builder
	cmd.Stdout = &out
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	kill := time.AfterFunc(2*time.Minute, func() { _ = cmd.Process.Kill() })
	defer kill.Stop()
	if err := cmd.Wait(); err != nil {
		t.Fatalf("chromium %v: %v", args, err)
	}
	return out.String()
}

// TestHTMLReport looks at a report in a real browser: the page needs nothing
// from elsewhere, its first heading is the first line of the text, and both
// charts are drawn, on a wide and on a narrow screen.
func TestHTMLReport(t *testing.T) {
	need(t, "chromium")
	page := filepath.Join(t.TempDir(), "report.html")
	var verdict string
	bestOf(t, func() (string, bool) {
		r, d := headroom(t, "-o", "html="+page, "--budget", "20s", "--overload-for", "3s", "--recovery-for", "8s")
		verdict = firstLine(r.stdout)
		if r.code != 0 || d.Result.Capacity == nil {
			return r.stdout + r.stderr, d.lagged()
		}
		return "", false
	})

	dom := browse(t, page, "--dump-dom")
	_, h1, _ := strings.Cut(dom, `<h1 class="verdict`)
	_, h1, _ = strings.Cut(h1, ">")
	h1, _, _ = strings.Cut(h1, "</h1>")
	if got := strings.NewReplacer("&lt;", "<", "&gt;", ">", "&amp;", "&").Replace(h1); got != verdict {
		t.Errorf("the heading is %q, the text begins %q", got, verdict)
	}
	for _, chart := range []string{"Latency against offered load", "Goodput against offered load"} {
		if n := strings.Count(dom, `aria-label="`+chart); n != 2 {
			t.Errorf("%s: %d charts, want one for a wide and one for a narrow screen", chart, n)
		}
	}
	for _, want := range []string{"<path", "95% interval", "Trials", "planned requests"} {
		if !strings.Contains(dom, want) {
			t.Errorf("the page lacks %q", want)
		}
	}
	for _, from := range []string{"src=", "<link", "@import", "url("} {
		if strings.Contains(dom, from) {
			t.Errorf("the page fetches something: it has %q", from)
		}
	}
	for _, size := range []string{"1100,3600", "400,6000"} {
		picture := filepath.Join(t.TempDir(), "page.png")
		browse(t, page, "--window-size="+size, "--screenshot="+picture)
		if n := colours(t, picture); n < 50 {
			t.Errorf("at %s the page shows %d colours: nothing is drawn", size, n)
		}
	}
}

// colours counts the colours of a picture; of text and lines drawn with smooth
// edges there are hundreds, of an empty page one or two.
func colours(t *testing.T, path string) int {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	picture, _, err := image.Decode(f)
	if err != nil {
		t.Fatal(err)
	}
	seen := map[[3]uint32]bool{}
	b := picture.Bounds()
	for y := b.Min.Y; y < b.Max.Y; y += 2 {
		for x := b.Min.X; x < b.Max.X; x++ {
			red, green, blue, _ := picture.At(x, y).RGBA()
			seen[[3]uint32{red, green, blue}] = true
		}
	}
	return len(seen)
}
