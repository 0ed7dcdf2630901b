package balancer

import (
	"os"
	"path/filepath"
	"testing"

	"example.com/kneeline/analyze/lint/readtest"
)

var readAll = readtest.Objects(GKE, AWS)

// The tables beside the files hold each value with its place, unit and origin.
func TestModel(t *testing.T) { readtest.Golden(t, readAll, "testdata/model") }

// What experts found in public files must be in the model.
func TestCorpus(t *testing.T) {
	name := "sentry-kubernetes__charts__charts__sentry__templates__gke__backendconfig-sentry-web.yaml"
	readtest.Lines(t, readtest.Table(readAll(readtest.Input(t, name, readtest.CorpusFile(t, name)))),
		"Total 30s default timeoutSec", "Drain.Balancer 0s default drainingTimeoutSec", "Checks[0].Interval {{ .Values.sentry.web.probePeriodSeconds }} hole")
}

func FuzzRead(f *testing.F) {
	files, err := filepath.Glob("testdata/model/*.yaml")
	if err != nil {
		f.Fatal(err)
	}
	for _, name := range files {
		if data, err := os.ReadFile(name); err == nil {
			f.Add(data)
		}
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) > 1<<16 {
			return
		}
		readtest.Sound(t, readAll, "f.yaml", data)
	})
}
