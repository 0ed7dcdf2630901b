package sysctl

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"example.com/kneeline/analyze/lint/readtest"
)

var readPods = readtest.Objects(Pods)

// The tables beside the files hold each value with its place, unit and origin.
func TestModel(t *testing.T) {
	readtest.Golden(t, Reader.Read, "testdata/model")
	readtest.Golden(t, readPods, "testdata/pods")
}

func TestRecognise(t *testing.T) {
	for _, tt := range []struct {
		name, data string
		want       bool
	}{
		{"etc/sysctl.conf", "# x\nnet.core.somaxconn=1\n", true},
		{"etc/sysctl.d/90-x.conf.j2", "{% if a %}\nnet.core.somaxconn=1\nvm.swappiness=1\n", true},
		{"assets/60-net.conf", "net.ipv4.tcp_syncookies=1\n", true},
		{"app.conf", "net.example = 1\nserver {\n}\nlisten 80;\n", false},
		{"x.yaml", "net.core.somaxconn=1\n", false},
		{"ansible/sysctl/README.md", "net.core.somaxconn=1\n", false},
		{"sysctl", "net.core.somaxconn=1\n", true},
	} {
		if got := Reader.Recognise(tt.name, []byte(tt.data)); got != tt.want {
			t.Errorf("%s: %v", tt.name, got)
		}
	}
}

func TestLimit(t *testing.T) {
	docs := Reader.Read(readtest.Input(t, "sysctl.conf", []byte(strings.Repeat("\n", maxLines+10))))
	if len(docs) != 1 || len(docs[0].Problems) != 1 {
		t.Errorf("%+v", docs)
	}
}

// What experts found in public files must be in the model.
func TestCorpus(t *testing.T) {
	name := "cloudfoundry__bosh-linux-stemcell-builder__stemcell_builder__stages__bosh_sysctl__assets__60-bosh-sysctl.conf"
	data := readtest.CorpusFile(t, name)
	if !Reader.Recognise(name, data) {
		t.Fatal("not recognised")
	}
	readtest.Lines(t, readtest.Table(Reader.Read(readtest.Input(t, name, data))),
		`Kernel[net.ipv4.tcp_max_syn_backlog] 1,280 set`, "Kernel[net.core.somaxconn] 4,096 default", "Kernel[net.ipv4.tcp_keepalive_time] 2m set")
}

func FuzzRead(f *testing.F) {
	files, err := filepath.Glob("testdata/model/*")
	if err != nil {
		f.Fatal(err)
	}
	for _, name := range files {
		if data, err := os.ReadFile(name); err == nil && !strings.HasSuffix(name, ".golden") {
			f.Add(data)
		}
	}
	f.Add([]byte("\ufeff-net.core.somaxconn = 0x10\r\n=\n-\n"))
	f.Fuzz(func(t *testing.T, data []byte) { readtest.Sound(t, Reader.Read, "sysctl.conf", data) })
}
