package arch

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// module is the path of our module.
const module = "example.com/kneeline"

// tree is the module's source: the files of each package directory.
type tree struct {
	fset  *token.FileSet
	files map[string][]*source
}

type source struct {
	name string // relative to the module
	test bool
	ast  *ast.File
}

// load parses all Go files of the module at root.
func load(root string) (*tree, error) {
	t := &tree{fset: token.NewFileSet(), files: map[string][]*source{}}
	err := filepath.WalkDir(root, func(p string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name := d.Name()
		if d.IsDir() {
			if p != root && (name == "testdata" || name == "vendor" || strings.HasPrefix(name, ".") || strings.HasPrefix(name, "_")) {
				return filepath.SkipDir
			}
			return nil
		}
		if !strings.HasSuffix(name, ".go") {
			return nil
		}
		f, err := parser.ParseFile(t.fset, p, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(root, p)
		if err != nil {
			return err
		}
		rel = filepath.ToSlash(rel)
		dir := path.Dir(rel)
		t.files[dir] = append(t.files[dir], &source{rel, strings.HasSuffix(name, "_test.go"), f})
		return nil
	})
	return t, err
}

// check returns the offences of all files, sorted.
func (t *tree) check() []string {
	var out []string
	for real, files := range t.files {
		dir := entry(real)
		if !hasPlace(dir) && slices.ContainsFunc(files, func(s *source) bool { return !s.test }) {
			out = append(out, fmt.Sprintf("%s: package has no floor: add it to floors.go", real))
			continue
		}
		for _, s := range files {
			out = append(out, t.checkImports(dir, s)...)
			if !s.test {
				out = append(out, t.checkBans(dir, s)...)
			}
		}
	}
	slices.Sort(out)
	return out
}

// entry returns the name under which a package's directory stands in the rules.
func entry(dir string) string {
	for _, t := range trees {
		if within(dir, t) {
			return t
		}
	}
	return dir
}

func hasPlace(dir string) bool {
	_, ok := floors[dir]
	return ok || testSupport[dir]
}

func (t *tree) checkImports(dir string, s *source) []string {
	var out []string
	for _, imp := range s.ast.Imports {
		p, err := strconv.Unquote(imp.Path.Value)
		if err != nil {
			continue // the parser has seen to it
		}
		if msg := importOffence(dir, s.test, p); msg != "" {
			out = append(out, fmt.Sprintf("%s: %s", t.position(s, imp), msg))
		}
	}
	return out
}

// importOffence says what is wrong with an import, empty if nothing is. Tests
// may import from any floor below the command line: they drive a package
// together with what stands above it.
func importOffence(dir string, test bool, imported string) string {
	if imported == module || strings.HasPrefix(imported, module+"/") {
		target := strings.TrimPrefix(strings.TrimPrefix(imported, module), "/")
		if target == "" {
			target = "."
		}
		return floorOffence(dir, test, entry(target))
	}
	first, _, _ := strings.Cut(imported, "/")
	if !strings.Contains(first, ".") {
		return "" // standard library
	}
	for _, m := range testOnly {
		if within(imported, m) {
			if test || testSupport[dir] {
				return ""
			}
			return fmt.Sprintf("%s is for tests only", imported)
		}
	}
	owner := longestOwner(imported)
	switch {
	case owner == "":
		return fmt.Sprintf("%s has no owner: add it to floors.go", imported)
	case !test && !slices.Contains(owners[owner], dir):
		return fmt.Sprintf("%s belongs to %s", imported, strings.Join(owners[owner], ", "))
	}
	return ""
}

func floorOffence(dir string, test bool, target string) string {
	to, known := floors[target]
	switch {
	case testSupport[target]:
		if test {
			return ""
		}
		return fmt.Sprintf("%s is for tests only", target)
	case !known:
		return fmt.Sprintf("%s has no floor: add it to floors.go", target)
	case test || testSupport[dir]:
		if from, ok := floors[dir]; to >= floors["cmd"] && (!ok || from < floors["cmd"]) {
			return fmt.Sprintf("%s is above every library", target)
		}
		return ""
	}
	if from := floors[dir]; from <= to {
		return fmt.Sprintf("floor %.1f (%s) may not import floor %.1f (%s)", from, dir, to, target)
	}
	return ""
}

// longestOwner returns the most specific entry of owners for an import.
func longestOwner(imported string) string {
	best := ""
	for m := range owners {
		if within(imported, m) && len(m) > len(best) {
			best = m
		}
	}
	return best
}

func within(imported, m string) bool {
	return imported == m || strings.HasPrefix(imported, m+"/")
}

// checkBans looks for banned identifiers, following the names under which a
// file imports packages.
func (t *tree) checkBans(dir string, s *source) []string {
	if testSupport[dir] {
		return nil
	}
	names := map[string]string{} // local name -> import path
	var out []string
	for _, imp := range s.ast.Imports {
		p, err := strconv.Unquote(imp.Path.Value)
		if err != nil {
			continue
		}
		local := packageName(p)
		if imp.Name != nil {
			local = imp.Name.Name
		}
		names[local] = p
		if b := banOf(dir, p, "*"); b != nil {
			out = append(out, fmt.Sprintf("%s: %s is not allowed here: %s", t.position(s, imp), p, b.why))
		}
		if local == "." {
			out = append(out, fmt.Sprintf("%s: dot import of %s", t.position(s, imp), p))
		}
	}
	ast.Inspect(s.ast, func(n ast.Node) bool {
		sel, ok := n.(*ast.SelectorExpr)
		if !ok {
			return true
		}
		id, ok := sel.X.(*ast.Ident)
		if !ok || names[id.Name] == "" {
			return true
		}
		if b := banOf(dir, names[id.Name], sel.Sel.Name); b != nil {
			out = append(out, fmt.Sprintf("%s: %s.%s is not allowed here: %s", t.position(s, sel), id.Name, sel.Sel.Name, b.why))
		}
		return true
	})
	return out
}

// packageName guesses the name of the package at an import path of the standard
// library.
func packageName(p string) string {
	base := path.Base(p)
	if base == "v2" {
		base = path.Base(path.Dir(p))
	}
	return base
}

func banOf(dir, pkg, name string) *ban {
	for i := range bans {
		b := &bans[i]
		if b.pkg == pkg && slices.Contains(b.names, name) && !slices.Contains(b.except, dir) {
			return b
		}
	}
	return nil
}

func (t *tree) position(s *source, n ast.Node) string {
	return fmt.Sprintf("%s:%d", s.name, t.fset.Position(n.Pos()).Line)
}
