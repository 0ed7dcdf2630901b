package tomcat

import (
	"os"
	"testing"

	"example.com/kneeline/analyze/lint/model"
	"example.com/kneeline/analyze/lint/read"
	"example.com/kneeline/analyze/lint/readtest"
	"example.com/kneeline/analyze/lint/tree"
)

// readXML reads a file as the collector does.
func readXML(in *read.Input) []*model.Document {
	root, _ := tree.XML(in.Name, in.Data)
	in.Fill(root)
	if !Reader.Recognise(in.Name, root) {
		return nil
	}
	return Reader.Read(in, root)
}

// The tables beside the files hold each value with its place, dialect and origin.
func TestModel(t *testing.T) { readtest.Golden(t, readXML, "testdata/model") }

func TestRecognise(t *testing.T) {
	for data, want := range map[string]bool{
		`<Server><Service><Connector port="1"/></Service></Server>`: true, `<Server/>`: false, `<Connector port="1"/>`: true, `<Connector name="x"/>`: false,
		`<project><Connector port="1"/></project>`: false, `<Context><Resource name="a"/></Context>`: true, `<a>`: false, ``: false,
	} {
		root, _ := tree.XML("f", []byte(data))
		if got := Reader.Recognise("server.xml", root); got != want {
			t.Errorf("%s: %v", data, got)
		}
	}
}

// What experts found in public files must be in the model.
func TestCorpus(t *testing.T) {
	for name, wanted := range map[string][]string{
		"apache__tomcat__conf__server.xml":                        {`service "connector 8080"`, "Listen.Backlog 100 default acceptCount", "Exec.Threads 200 default", "Listen.Idle 20s derived keepAliveTimeout at 71:35"},
		"cloudfoundry__uaa__k8s__image__tomcat__conf__server.xml": {`service "connector 8080"`, "Listen.Backlog 100 default", "Listen.Idle 20s derived"},
	} {
		docs := readXML(readtest.Input(t, name, readtest.CorpusFile(t, name)))
		readtest.Lines(t, readtest.Table(docs), wanted...)
		if len(docs) != 1 || len(docs[0].Services) != 1 {
			t.Errorf("%s: connectors in comments are read", name)
		}
	}
}

func FuzzRead(f *testing.F) {
	for _, name := range []string{"server.xml", "broken.xml"} {
		if data, err := os.ReadFile("testdata/model/" + name); err == nil {
			f.Add(data)
		}
	}
	f.Fuzz(func(t *testing.T, data []byte) { readtest.Sound(t, readXML, "server.xml", data) })
}
