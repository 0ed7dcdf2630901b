package awssdk

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

// readFile reads a file as the collector does; the file called config stands for one
// in .aws.
func readFile(in *read.Input) []*model.Document {
	var roots []*tree.Node
	switch filepath.Ext(in.Name) {
	case ".yaml":
		roots, _ = tree.YAML(in.Name, in.Data)
	case ".env":
		roots = []*tree.Node{tree.INI(in.Name, in.Data)}
	default:
		if !Profiles.Recognise(".aws/"+in.Name, in.Data) {
			return nil
		}
		return Profiles.Read(in)
	}
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
func TestModel(t *testing.T) { readtest.Golden(t, readFile, "testdata/model") }

func TestRecognise(t *testing.T) {
	for name, want := range map[string]bool{"home/.aws/config": true, "config": false, "git/config": false, "docker/aws_config": true, ".aws/credentials": false} {
		if got := Profiles.Recognise(name, []byte("[default]\nmax_attempts=1\n")); got != want {
			t.Errorf("%s: %v", name, got)
		}
	}
	if Profiles.Recognise(".aws/config", []byte("a=b")) {
		t.Error("a file without sections")
	}
	for data, want := range map[string]bool{
		"retries: {max_attempts: 3}": false, "a:\n  - retries: {max_attempts: 3, mode: adaptive}": true, "retries: {mode: on}": false, "AWS_MAX_ATTEMPTS: 3": false,
	} {
		roots, _ := tree.YAML("f", []byte(data))
		if got := Reader.Recognise("f.yaml", roots[0]); got != want {
			t.Errorf("%q: %v", data, got)
		}
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
		name := "config"
		if ext == ".env" || ext == ".yaml" {
			name = "f" + ext
		}
		readtest.Sound(t, readFile, name, data)
	})
}
