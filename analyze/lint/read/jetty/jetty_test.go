package jetty

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"example.com/kneeline/analyze/lint/model"
	"example.com/kneeline/analyze/lint/read"
	"example.com/kneeline/analyze/lint/readtest"
	"example.com/kneeline/analyze/lint/tree"
)

// readFile reads a file as the collector does.
func readFile(in *read.Input) []*model.Document {
	var root *tree.Node
	if strings.HasSuffix(in.Name, ".xml") {
		root, _ = tree.XML(in.Name, in.Data)
	} else {
		root = tree.INI(in.Name, in.Data)
	}
	in.Fill(root)
	if !Reader.Recognise(in.Name, root) {
		return nil
	}
	return Reader.Read(in, root)
}

// The tables beside the files hold each value with its place, dialect and origin.
func TestModel(t *testing.T) { readtest.Golden(t, readFile, "testdata/model") }

func TestLookup(t *testing.T) {
	in := readtest.Input(t, "jetty.xml", []byte(`<Configure><New class="a.ServerConnector"><Set name="idleTimeout"><Property name="p"/></Set><Set name="acceptQueueSize" property="q"/></New></Configure>`))
	in.Lookup = func(name string) (string, bool) {
		return map[string]string{"p": "7000", "q": "128"}[name], name == "p" || name == "q"
	}
	docs := readFile(in)
	if l := docs[0].Services[0].Listen; l.Idle.Amount != 7 || l.Backlog.Amount != 128 || len(docs[0].Holes) != 0 {
		t.Errorf("%s", readtest.Table(docs))
	}
}

func TestQueues(t *testing.T) {
	for queue, want := range map[string]string{
		`BlockingArrayQueue"><Arg>480</Arg>`:                                "480",
		`BlockingArrayQueue"><Arg>8</Arg><Arg>8</Arg>`:                      "no limit",
		`BlockingArrayQueue"><Arg>8</Arg><Arg>8</Arg><Arg>64</Arg>`:         "64",
		`BlockingArrayQueue"><Arg>8</Arg><Arg>8</Arg><Arg>2147483647</Arg>`: "no limit",
		`LinkedBlockingQueue">`:                                             "no limit",
		`ArrayBlockingQueue"><Arg><Property name="x" default="77"/></Arg>`:  "77",
		`SynchronousQueue">`:                                                "0",
		`OwnQueue">`:                                                        "no limit",
	} {
		data := `<Configure><New class="o.QueuedThreadPool"><Arg>10</Arg><Arg><New class="j.` + queue + `</New></Arg></New></Configure>`
		docs := readFile(readtest.Input(t, "jetty.xml", []byte(data)))
		if got := docs[0].Services[0].Exec; got.Queue.String() != want || got.Threads.Amount != 10 {
			t.Errorf("%s: %s, want %s", queue, got.Queue, want)
		}
	}
}

func TestRecognise(t *testing.T) {
	for name, data := range map[string]string{"a.ini": "[jetty]\nx=1\n", "b.mod": "[xml]\netc/jetty-webapp.xml\n", "c.env": "jetty.http.port=1\n", "d.xml": "<project/>", "e.xml": ""} {
		if docs := readFile(readtest.Input(t, name, []byte(data))); docs != nil {
			t.Errorf("%s: %s", name, readtest.Table(docs))
		}
	}
}

// What experts found in public files must be in the model.
func TestCorpus(t *testing.T) {
	for name, wanted := range map[string][]string{
		"sonatype__nexus-public__assemblies__nexus-base-overlay__src__main__resources__overlay__etc__jetty__jetty-http.xml": {"Listen.Backlog 50 derived acceptQueueSize", `Listen.Idle 30s set idleTimeout "30000"`},
		"jetty__jetty.project__jetty-core__jetty-server__src__main__config__modules__threadpool.mod":                        {"Exec.Queue no limit default queue", "Exec.Threads 200 default"},
	} {
		readtest.Lines(t, readtest.Table(readFile(readtest.Input(t, name, readtest.CorpusFile(t, name)))), wanted...)
	}
}

func FuzzRead(f *testing.F) {
	files, err := filepath.Glob("testdata/model/*")
	if err != nil {
		f.Fatal(err)
	}
	for _, name := range files {
		if data, err := os.ReadFile(name); err == nil && !strings.HasSuffix(name, ".golden") {
			f.Add(data, filepath.Ext(name))
		}
	}
	f.Fuzz(func(t *testing.T, data []byte, ext string) {
		if ext != ".xml" {
			ext = ".ini"
		}
		readtest.Sound(t, readFile, "jetty"+ext, data)
	})
}
