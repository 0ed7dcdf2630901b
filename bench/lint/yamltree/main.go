// Command yamltree writes a tree of YAML files as repositories of meshes, clusters and
// charts hold them, to measure kneeline lint with.
//
// usage: yamltree DIRECTORY [FILES [MEGABYTES]]
//
// The tree is the same each time. By count a fifth are workloads with their services,
// a fifth routes and policies of a mesh, a fifth listings of Envoy's own objects, an
// eighth templates of charts, an eighth roles and overlays, and the rest ConfigMaps,
// values of charts and definitions of custom resources, which have most of the bytes.
package main

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "yamltree:", err)
		os.Exit(2)
	}
}

const (
	usualFiles     = 8000
	usualMegabytes = 70
)

func run(args []string) error {
	if len(args) < 1 || len(args) > 3 || strings.HasPrefix(args[0], "-") {
		return fmt.Errorf("usage: yamltree DIRECTORY [FILES [MEGABYTES]]")
	}
	size := []int{usualFiles, usualMegabytes}
	for i, a := range args[1:] {
		n, err := strconv.Atoi(a)
		if err != nil || n < 1 {
			return fmt.Errorf("expected a number of files and of megabytes, found %q", a)
		}
		size[i] = n
	}
	t := &tree{dir: args[0], r: rand.New(rand.NewPCG(1, 2))}
	if err := t.write(size[0], int64(size[1])*1e6); err != nil {
		return err
	}
	fmt.Fprintf(os.Stderr, "%d files, %d bytes\n", t.files, t.bytes)
	return nil
}

type tree struct {
	dir   string
	r     *rand.Rand
	files int
	bytes int64
}

// kind is one kind of file: of every hundred files, share are of it.
type kind struct {
	name  string
	share int
	text  func(*tree, int) string
}

// kinds but the last are written as often as their share says; definitions fill the
// tree up to its size.
var kinds = []kind{
	{"workload", 20, (*tree).workload},
	{"mesh", 20, (*tree).mesh},
	{"envoy", 20, (*tree).envoy},
	{"chart", 13, (*tree).chart},
	{"role", 13, (*tree).role},
	{"configmap", 8, (*tree).configMap},
	{"values", 5, (*tree).values},
}

func (t *tree) write(files int, bytes int64) error {
	definitions := files / 100
	for i := range files - definitions {
		k := kinds[pick(i)]
		if err := t.file(fmt.Sprintf("%s/%02d/%s-%d.yaml", k.name, i/100, k.name, i), k.text(t, i)); err != nil {
			return err
		}
	}
	for i := range definitions {
		left := bytes - t.bytes
		text := t.definition(i, left/int64(definitions-i))
		if err := t.file(fmt.Sprintf("crds/definition-%d.yaml", i), text); err != nil {
			return err
		}
	}
	return nil
}

// pick says which kind file i is of.
func pick(i int) int {
	at := i * 37 % 99 // 37 and 99 have no common divisor: every hundred is mixed
	for k := range kinds {
		if at -= kinds[k].share; at < 0 {
			return k
		}
	}
	return 0
}

func (t *tree) file(name, text string) error {
	path := filepath.Join(t.dir, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	t.files++
	t.bytes += int64(len(text))
	return os.WriteFile(path, []byte(text), 0o644)
}
