package ruletest

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"example.com/kneeline/analyze/lint"
	"example.com/kneeline/analyze/lint/link"
	"example.com/kneeline/analyze/lint/model"
	"example.com/kneeline/analyze/lint/rule"
	"example.com/kneeline/analyze/lint/topology"
)

// topologyFile is the name of the topology in a directory that is one chain.
const topologyFile = "topology.yaml"

func isChain(dir string) bool {
	_, err := os.Stat(filepath.Join(dir, topologyFile))
	return err == nil
}

// Linked is a directory with a topology as lint reads it.
type Linked struct {
	Topology *topology.File
	Chain    *link.Chain
	Files    []lint.Collected
	// Paths are the paths of all files by the names that findings have.
	Paths map[string]string
}

// Link reads a directory with a topology.
func Link(t testing.TB, dir string) Linked {
	t.Helper()
	out := Linked{Paths: map[string]string{}}
	c := Collector(t)
	in := link.Input{Own: map[string][]byte{}}
	err := filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		name, _ := filepath.Rel(dir, path)
		name = filepath.ToSlash(name)
		out.Paths[name] = path
		if name == topologyFile {
			in.Topology = topology.Read(name, data)
			return nil
		}
		collected := c.Read(name, data)
		in.Documents = append(in.Documents, collected.Documents...)
		in.Facts = append(in.Facts, link.Facts(name, data)...)
		in.Own[name] = data
		out.Files = append(out.Files, collected)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	out.Topology, out.Chain = in.Topology, link.Build(in)
	for _, problems := range [][]model.Problem{in.Topology.Problems, out.Chain.Problems} {
		for _, p := range problems {
			t.Errorf("%s/%s:%d: %s", dir, p.At.File, p.At.Line, p.Err)
		}
	}
	return out
}

// Judge holds rules against what a directory with a topology comes to.
func (l Linked) Judge(rules ...rule.Rule) *lint.Result {
	return lint.Judge(l.Files, lint.Options{Rules: rules, Now: time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC), Keep: true, Chain: l.Chain.Chain})
}

// checkChain holds a rule against a chain and reports whether it is to find anything.
func checkChain(t *testing.T, r rule.Rule, dir string) bool {
	t.Helper()
	l := Link(t, dir)
	return compare(t, r, l.Judge(r).Findings, l.Paths)
}
