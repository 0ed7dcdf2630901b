package d2

import (
	"os"
	"path/filepath"
	"testing"

	"example.com/kneeline/analyze/lint/model"
	"example.com/kneeline/analyze/lint/read"
	"example.com/kneeline/analyze/lint/readtest"
	"example.com/kneeline/analyze/lint/tree"
)

// readJSON reads a file as the collector does.
func readJSON(in *read.Input) []*model.Document {
	root, _ := tree.JSON(in.Name, in.Data)
	in.Fill(root)
	if !Reader.Recognise(in.Name, root) {
		return nil
	}
	return Reader.Read(in, root)
}

// The tables beside the files hold each value with its place, dialect and origin.
func TestModel(t *testing.T) { readtest.Golden(t, readJSON, "testdata/model") }

func TestRecognise(t *testing.T) {
	for data, want := range map[string]bool{
		`{"d2Clusters": {}}`: true, `{"d2Clusters": 1}`: false, `{"transportClientProperties": {}}`: false, `{"transportClientProperties": {}, "serviceName": "a"}`: true,
		`{"clusterServiceConfigurations": {"a": {}}}`: true, `[]`: false, ``: false,
	} {
		root, _ := tree.JSON("f", []byte(data))
		if got := Reader.Recognise("f.json", root); got != want {
			t.Errorf("%s: %v", data, got)
		}
	}
}

// What experts found in public files must be in the model.
func TestCorpus(t *testing.T) {
	name := "linkedin__rest.li__examples__d2-advanced-example__config__src__main__d2Config__d2Config.json"
	docs := readJSON(readtest.Input(t, name, readtest.CorpusFile(t, name)))
	readtest.Lines(t, readtest.Table(docs), `hop "service compute" to "compute"`, `Total 5s set http.requestTimeout`, "CallerOverrides http.requestTimeout set allowedClientOverrideKeys",
		"Budget.Ratio 20% default", "Budget.Scope service", "Extra[degrader.highLatency] 12s", "Extra[partitions] 3 set", `Total 10s set http.requestTimeout`)
	if len(docs) != 1 || len(docs[0].Hops) != 6 {
		t.Errorf("%s", readtest.Table(docs))
	}
}

func FuzzRead(f *testing.F) {
	files, err := filepath.Glob("testdata/model/*.json")
	if err != nil {
		f.Fatal(err)
	}
	for _, name := range files {
		if data, err := os.ReadFile(name); err == nil {
			f.Add(data)
		}
	}
	f.Fuzz(func(t *testing.T, data []byte) { readtest.Sound(t, readJSON, "f.json", data) })
}
