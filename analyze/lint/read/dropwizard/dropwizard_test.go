package dropwizard

import (
	"os"
	"path/filepath"
	"testing"

	"example.com/kneeline/analyze/lint/model"
	"example.com/kneeline/analyze/lint/read"
	"example.com/kneeline/analyze/lint/readtest"
	"example.com/kneeline/analyze/lint/tree"
)

// readYAML reads a file as the collector does.
func readYAML(in *read.Input) []*model.Document {
	roots, _ := tree.YAML(in.Name, in.Data)
	var out []*model.Document
	for _, root := range roots {
		in.Fill(root)
		if Reader.Recognise(in.Name, root) {
			out = append(out, Reader.Read(in, root)...)
		}
	}
	return out
}

// The tables beside the files hold each value with its place, dialect and origin.
func TestModel(t *testing.T) { readtest.Golden(t, readYAML, "testdata/model") }

func TestRecognise(t *testing.T) {
	for data, want := range map[string]bool{
		"server: {applicationConnectors: []}": true, "server: {port: 1}": false, "server: {tomcat: {}}": false, "driverClass: a\nurl: b": true, "db: {driverClass: a, url: b}": true,
		"httpClient: {timeout: 1s}": false, "jerseyClient: {timeout: 1s}": true, "services: {httpClient: {image: a}}": false, "- a": false, "server: {connector: {type: http}}": true,
		"server: {connector: {type: kafka}}": false,
	} {
		roots, _ := tree.YAML("f", []byte(data))
		if got := Reader.Recognise("f.yml", roots[0]); got != want {
			t.Errorf("%q: %v", data, got)
		}
	}
}

// What experts found in public files must be in the model.
func TestCorpus(t *testing.T) {
	for name, wanted := range map[string][]string{
		"MarquezProject__marquez__marquez.example.yml":                                        {"Listen.Backlog 50 default", "Exec.Queue 1,024 default", "Exec.Threads 1,024 default", "Pool.Max 100 default", "Pool.Wait 30s default", `service "connector 8080"`},
		"dropwizard__dropwizard__dropwizard-db__src__test__resources__yaml__full_db_pool.yml": {"Pool.Validation 3s set", "Pool.Wait 1s set", "Pool.Max 32 set"},
	} {
		readtest.Lines(t, readtest.Table(readYAML(readtest.Input(t, name, readtest.CorpusFile(t, name)))), wanted...)
	}
}

func FuzzRead(f *testing.F) {
	files, err := filepath.Glob("testdata/model/*.yml")
	if err != nil {
		f.Fatal(err)
	}
	for _, name := range files {
		if data, err := os.ReadFile(name); err == nil {
			f.Add(data)
		}
	}
	f.Fuzz(func(t *testing.T, data []byte) { readtest.Sound(t, readYAML, "f.yml", data) })
}
