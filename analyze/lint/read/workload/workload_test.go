package workload

import (
	"math"
	"os"
	"path/filepath"
	"testing"

	"example.com/kneeline/analyze/lint/readtest"
	"example.com/kneeline/analyze/lint/tree"
)

var readAll = readtest.Objects(Reader)

// The tables beside the files hold each value with its place, unit and origin.
func TestModel(t *testing.T) { readtest.Golden(t, readAll, "testdata/model") }

func TestSlept(t *testing.T) {
	unknown := math.NaN()
	for _, tt := range []struct {
		command []string
		want    float64
	}{
		{[]string{"sleep", "15"}, 15},
		{[]string{"/bin/sleep", "1m", "5s"}, 65},
		{[]string{"sh", "-c", "sleep 5 && nginx -s quit; /usr/bin/sleep 2.5"}, 7.5},
		{[]string{"/bin/bash", "-ec", "sleep '20' >/dev/null"}, 20},
		{[]string{"sh", "-c", "sleep 100 & sleep 3"}, 3},
		{[]string{"sh", "-c", "while up; do sleep 1; done"}, unknown},
		{[]string{"sh", "-c", "stop || sleep 5"}, unknown},
		{[]string{"sh", "-c", "sleep $WAIT"}, unknown},
		{[]string{"sh", "-c", "sleep infinity"}, unknown},
		{[]string{"sh", "-c", "stop"}, unknown},
		{[]string{"sh", "-c"}, unknown},
		{[]string{"sleep"}, unknown},
		{[]string{"wait-for", "sleep", "5"}, unknown},
		{nil, unknown},
	} {
		got, ok := slept(tt.command)
		if ok == math.IsNaN(tt.want) || ok && got != tt.want {
			t.Errorf("%q: %v %v, want %v", tt.command, got, ok, tt.want)
		}
	}
}

func TestSelects(t *testing.T) {
	docs, errs := tree.YAML("f", []byte("labels: {a: x, b: y}\nfits: {a: x}\nother: {a: z}\nmore: {a: x, c: x}\nnone: {}\n"))
	if len(errs) > 0 {
		t.Fatal(errs)
	}
	root := docs[0]
	for key, want := range map[string]bool{"fits": true, "other": false, "more": false, "none": false, "absent": false} {
		if got := selects(root.Get(key), root.Get("labels")); got != want {
			t.Errorf("%s: %v", key, got)
		}
	}
}

// What experts found in public files must be in the model.
func TestCorpus(t *testing.T) {
	for name, wanted := range map[string][]string{
		"GoogleCloudPlatform__bank-of-anthos__kubernetes-manifests__frontend.yaml": {
			`Drain.Grace 5s set terminationGracePeriodSeconds "5"`, `Probes[0].Timeout 30s set timeoutSeconds "30"`, `Probes[0].Interval 15s set`, "Probes[0].Serves true",
		},
		"knative__serving__config__core__deployments__activator.yaml": {
			`Drain.Grace 10m set`, `Probes[0].Failures 12 set`, "Probes[0].Timeout 1s default", "Probes[0].Target http :8012 /",
		},
		"mastodon__chart__templates__deployment-web.yaml": {"Replicas {{ .Values.mastodon.web.replicas }} hole", "Probes[0].Target tcp :http", "Probes[2].Failures 30 set"},
	} {
		readtest.Lines(t, readtest.Table(readAll(readtest.Input(t, name, readtest.CorpusFile(t, name)))), wanted...)
	}
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
	f.Add([]byte("apiVersion: v1\nkind: Pod\nspec:\n  containers: [{livenessProbe: {exec: {command: [sleep]}}, lifecycle: {preStop: {exec: {command: [sh, -c, 'sleep 1e999']}}}}]\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) > 1<<16 {
			return
		}
		readtest.Sound(t, readAll, "f.yaml", data)
	})
}
