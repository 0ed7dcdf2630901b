package kong

import (
	"os"
	"strings"
	"testing"

	"example.com/kneeline/analyze/lint/model"
	"example.com/kneeline/analyze/lint/read"
	"example.com/kneeline/analyze/lint/readtest"
)

// either reads what one of the two readers recognises.
func either(in *read.Input) []*model.Document {
	if Conf.Recognise(in.Name, in.Data) {
		return Conf.Read(in)
	}
	return readtest.Objects(Reader)(in)
}

func TestGolden(t *testing.T) { readtest.Golden(t, either, "testdata") }

func TestNotRecognised(t *testing.T) {
	for name, text := range map[string]string{
		"compose.yaml": "services:\n  web: {healthcheck: {retries: 3, timeout: 5s}}\n", "a.yaml": "services: [{name: x, retries: 5}]\n", "b.conf": "proxy_listen = 1\n",
		"kong.conf": "other = 1\n", "c.yaml": "_format_version: '3.0'\nconsumers: []\n",
	} {
		if docs := either(readtest.Input(t, name, []byte(text))); len(docs) > 0 {
			t.Errorf("%q: %s", text, readtest.Table(docs))
		}
	}
}

func FuzzRead(f *testing.F) {
	for _, name := range []string{"testdata/kong.yaml", "testdata/resources.yaml", "testdata/kong.conf"} {
		data, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(strings.TrimPrefix(name, "testdata/"), data)
	}
	f.Fuzz(func(t *testing.T, name string, data []byte) { readtest.Sound(t, either, name, data) })
}
