package jvm

import (
	"os"
	"testing"

	"example.com/kneeline/analyze/lint/readtest"
)

var readEnvironment = readtest.Objects(Environment)

// The tables beside the files hold each value with its place, unit and origin.
func TestModel(t *testing.T) {
	readtest.Golden(t, Reader.Read, "testdata/model")
	readtest.Golden(t, readEnvironment, "testdata/env")
}

func TestSizes(t *testing.T) {
	for in, want := range map[string]float64{"512m": 512 << 20, "4G": 4 << 30, "1024": 1024, "1k": 1024, "1t": 1 << 40} {
		if got, ok := parseSize(in); !ok || got != want {
			t.Errorf("%q: %v %v", in, got, ok)
		}
	}
	for _, in := range []string{"", "g", "1gb", "-1m", "1.5g"} {
		if got, ok := parseSize(in); ok {
			t.Errorf("%q is %v", in, got)
		}
	}
}

func TestRecognise(t *testing.T) {
	for _, tt := range []struct {
		name, data string
		want       bool
	}{
		{"config/jvm.options", "-Xmx1g", true},
		{"jvm.options.d/heap.options", "-Xmx1g", true},
		{"idea64.vmoptions", "-Xmx1g", true},
		{"Dockerfile", "FROM x\nENV JAVA_OPTS=-Xmx1g\n", true},
		{"Dockerfile", "FROM x\nRUN gcc -Xlinker\n", false},
		{"bin/setenv.sh", "export CATALINA_OPTS=\"-Xmx1g\"", true},
		{"other.options", "-Xmx1g", false},
		{"notes.txt", "JAVA_OPTS=-Xmx1g", false},
	} {
		if got := Reader.Recognise(tt.name, []byte(tt.data)); got != tt.want {
			t.Errorf("%s: %v", tt.name, got)
		}
	}
}

func FuzzRead(f *testing.F) {
	for _, name := range []string{"testdata/model/jvm.options", "testdata/model/Dockerfile", "testdata/env/deployment.yaml"} {
		data, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		readtest.Sound(t, Reader.Read, "jvm.options", data)
		readtest.Sound(t, Reader.Read, "Dockerfile", data)
		readtest.Sound(t, readEnvironment, "f.yaml", data)
	})
}
