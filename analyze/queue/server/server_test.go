package server

import (
	"encoding/json"
	"encoding/xml"
	"go/format"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"go.yaml.in/yaml/v3"
)

// full are values with everything known, least with nothing beside the queue.
var (
	full = Values{
		Queue: 402, InSystem: 414, Workers: 12, RunsAtOnce: 12, AcceptQueue: 66, Rate: 1200, Burst: 402,
		PoolMax: 4, PoolMin: 1, Clients: 500, RetryBudget: 0.26, Timeout: 400 * time.Millisecond, QueueWait: 390 * time.Millisecond,
	}
	least = Values{Queue: 0, AcceptQueue: 1, Rate: 1, Burst: 1, Timeout: time.Microsecond}
)

func each(t *testing.T, check func(t *testing.T, s Settings)) {
	for _, v := range []struct {
		name string
		Values
	}{{"full", full}, {"least", least}} {
		for _, name := range Names() {
			t.Run(name+"/"+v.name, func(t *testing.T) {
				s, err := Write(name, v.Values)
				if err != nil {
					t.Fatal(err)
				}
				check(t, s)
			})
		}
	}
}

// Every server says something of every kind of setting, with where that is
// documented, and has something to paste.
func TestSettingsAreComplete(t *testing.T) {
	each(t, func(t *testing.T, s Settings) {
		if s.Title == "" || s.Versions == "" || len(s.Snippets) == 0 {
			t.Errorf("%+v", s)
		}
		var kinds []string
		for _, i := range s.Items {
			kinds = append(kinds, i.Kind)
			switch {
			case i.Source == "":
				t.Errorf("%s: no source", i.Kind)
			case i.Key == "" && (i.Note == "" || i.Value != ""):
				t.Errorf("%s: expected a note alone where there is no key: %+v", i.Kind, i)
			case i.Key != "" && i.Unit == "":
				t.Errorf("%s: no unit", i.Key)
			case i.Key != "" && i.Value == "" && !strings.Contains(i.Note, "is not known"):
				t.Errorf("%s: neither a value nor why there is none", i.Key)
			}
		}
		if !slices.Equal(kinds, Kinds()) {
			t.Errorf("kinds %v, want %v", kinds, Kinds())
		}
		for _, sn := range s.Snippets {
			if sn.File == "" || sn.Lang == "" || !strings.HasSuffix(sn.Code, "\n") || strings.Contains(sn.Code, "%!") {
				t.Errorf("snippet %+v", sn)
			}
		}
	})
}

// The values of the table stand in the text to paste.
func TestSnippetsHaveTheValues(t *testing.T) {
	number := regexp.MustCompile(`[0-9]+`)
	each(t, func(t *testing.T, s Settings) {
		var all strings.Builder
		for _, sn := range s.Snippets {
			all.WriteString(sn.Code)
		}
		for _, i := range s.Items {
			if i.Key == "" || i.Kind == Pool || s.Name == "istio" && i.Kind == RateLimit || s.Name == "nginx" && i.Kind == Workers {
				continue // set at the clients, or with another product
			}
			if s.Name == "jetty" || s.Name == "dropwizard" {
				if i.Kind == Workers {
					continue // with Jetty's own threads on top
				}
			}
			for _, n := range number.FindAllString(i.Value, -1) {
				if !regexp.MustCompile(`\b` + n + `(\b|r/s)`).MatchString(all.String()) {
					t.Errorf("%s = %s is not in\n%s", i.Key, i.Value, all.String())
				}
			}
		}
	})
}

func TestSnippetsParse(t *testing.T) {
	each(t, func(t *testing.T, s Settings) {
		for _, sn := range s.Snippets {
			if err := parses(sn); err != nil {
				t.Errorf("%s: %v\n%s", sn.File, err, sn.Code)
			}
		}
	})
}

func parses(sn Snippet) error {
	switch sn.Lang {
	case "yaml":
		d := yaml.NewDecoder(strings.NewReader(sn.Code))
		for {
			var doc map[string]any
			if err := d.Decode(&doc); err == io.EOF {
				return nil
			} else if err != nil {
				return err
			}
		}
	case "json":
		var doc map[string]any
		return json.Unmarshal([]byte(sn.Code), &doc)
	case "xml":
		d := xml.NewDecoder(strings.NewReader(sn.Code))
		for {
			if _, err := d.Token(); err == io.EOF {
				return nil
			} else if err != nil {
				return err
			}
		}
	case "go":
		got, err := format.Source([]byte(sn.Code))
		if err == nil && string(got) != sn.Code {
			return &notFormatted{}
		}
		return err
	}
	return nil
}

type notFormatted struct{}

func (*notFormatted) Error() string { return "not as gofmt writes it" }

// TestGoSnippetRuns builds the Go snippets and lets the limiter limit.
func TestGoSnippetRuns(t *testing.T) {
	goTool, err := exec.LookPath("go")
	if err != nil {
		if os.Getenv("CI") == "true" {
			t.Fatal(err)
		}
		t.Skip("no Go toolchain")
	}
	for _, v := range []Values{full, least} {
		s, err := Write("go", v)
		if err != nil {
			t.Fatal(err)
		}
		dir := t.TempDir()
		write(t, dir, "go.mod", "module example.com/service\n\ngo 1.21\n")
		for i, sn := range s.Snippets {
			sub := filepath.Join(dir, "p"+count(i))
			write(t, sub, "snippet.go", sn.Code)
			if i == 0 && v.Workers > 0 {
				write(t, sub, "snippet_test.go", limiterTest)
			}
		}
		cmd := exec.Command(goTool, "test", "./...")
		cmd.Dir = dir
		cmd.Env = append(os.Environ(), "GOFLAGS=-mod=mod", "GOPROXY=off", "GOWORK=off")
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Errorf("%v: %s\n%s", err, out, s.Snippets[0].Code)
		}
	}
}

// limiterTest fills every place that runs or waits and asks for one more.
const limiterTest = `package service

import (
	"net/http"
	"net/http/httptest"
	"testing"
)

func TestLimit(t *testing.T) {
	hold, started := make(chan struct{}), make(chan struct{}, places)
	h := Limit(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {
		started <- struct{}{}
		<-hold
	}))
	codes := make(chan int, places)
	ask := func() int {
		w := httptest.NewRecorder()
		h.ServeHTTP(w, httptest.NewRequest("GET", "/", nil))
		return w.Code
	}
	for range make([]struct{}, running) {
		go func() { codes <- ask() }()
		<-started
	}
	// The handler holds all workers, so every further request waits its time
	// and is refused; more than the bucket holds are refused at once.
	go func() { codes <- ask() }()
	if code := <-codes; code != http.StatusServiceUnavailable {
		t.Errorf("a request that waited in vain got %d", code)
	}
	refused := 0
	for range make([]struct{}, 2*burst) {
		go func() {
			if ask() == http.StatusTooManyRequests {
				codes <- http.StatusTooManyRequests
			} else {
				codes <- 0
			}
		}()
	}
	for range make([]struct{}, 2*burst) {
		if <-codes == http.StatusTooManyRequests {
			refused++
		}
	}
	if refused == 0 {
		t.Error("twice the burst at once, and none was over the rate")
	}
	close(hold)
	for range make([]struct{}, running) {
		if code := <-codes; code != http.StatusOK {
			t.Errorf("a running request got %d", code)
		}
	}
}
`

func write(t *testing.T, dir, name, text string) {
	t.Helper()
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// TestNodeSnippetsParse lets Node read the snippets; e2e starts the server.
func TestNodeSnippetsParse(t *testing.T) {
	nodeTool, err := exec.LookPath("node")
	if err != nil {
		if os.Getenv("CI") == "true" {
			t.Fatal(err)
		}
		t.Skip("no Node.js")
	}
	for _, v := range []Values{full, least} {
		s, err := Write("node", v)
		if err != nil {
			t.Fatal(err)
		}
		for _, sn := range s.Snippets {
			dir := t.TempDir()
			write(t, dir, "snippet.js", sn.Code)
			if out, err := exec.Command(nodeTool, "--check", filepath.Join(dir, "snippet.js")).CombinedOutput(); err != nil {
				t.Errorf("%v: %s\n%s", err, out, sn.Code)
			}
		}
	}
}

// Where the workers are not known, threads and queue of a pool together stay at
// what may be in the system: the server's default of threads, pasted with the
// whole queue, would hold more than is answered in time.
func TestPoolsWithoutWorkersStaySafe(t *testing.T) {
	number := regexp.MustCompile(`(?:maxThreads|maxQueueSize)="([0-9]+)"|>([0-9]+)</Arg> <!-- (?:maxThreads|most jobs)|\n      max: ([0-9]+)|(?:maxThreads|maxQueuedRequests|max-queue-capacity): ([0-9]+)`)
	for _, inSystem := range []int64{2, 5, 150, 193, 414, 2000} {
		v := Values{Queue: inSystem, InSystem: inSystem, AcceptQueue: 66, Rate: 1200, Burst: 414, Timeout: time.Second, QueueWait: time.Second}
		for name, own := range map[string]int64{"jetty": jettyOwn, "tomcat": 0, "spring-boot": 0, "dropwizard": jettyOwn} {
			s, err := Write(name, v)
			if err != nil {
				t.Fatal(err)
			}
			sum, found := -own, 0
			for _, m := range number.FindAllStringSubmatch(s.Snippets[0].Code, -1) {
				n, err := strconv.ParseInt(m[1]+m[2]+m[3]+m[4], 10, 64)
				if err != nil {
					t.Fatal(err)
				}
				sum += n
				found++
			}
			if found != 2 || sum != inSystem {
				t.Errorf("%s: %d threads and places for %d in the system (%d numbers)\n%s", name, sum, inSystem, found, s.Snippets[0].Code)
			}
		}
	}
}

func TestUnknownServer(t *testing.T) {
	if _, err := Write("JETTY", full); err != nil {
		t.Errorf("upper case: %v", err)
	}
	_, err := Write("nginxx", full)
	if err == nil || !strings.Contains(err.Error(), "expected one of jetty") {
		t.Errorf("error %v", err)
	}
}
