package gosource

import (
	"bytes"
	"go/ast"
	"go/parser"
	"go/token"
	"path"
	"strconv"
	"strings"

	"example.com/kneeline/analyze/lint/model"
	"example.com/kneeline/analyze/lint/read"
)

// Format is the reader's name.
const Format = "go"

// Reader reads Go files that are neither tests nor generated nor others' code.
var Reader = read.Text{Name: Format, Recognise: recognise, Read: readFile}

// gate are words of which a file has one if there is anything to find in it.
var gate = [][]byte{[]byte(`"net/http"`), []byte("context.With"), []byte("google.golang.org/grpc"), []byte("time.Sleep"), []byte("time.After")}

func recognise(name string, data []byte) bool {
	if !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") {
		return false
	}
	for _, dir := range []string{"vendor/", "testdata/", "third_party/"} {
		if strings.HasPrefix(name, dir) || strings.Contains(name, "/"+dir) {
			return false
		}
	}
	for _, w := range gate {
		if bytes.Contains(data, w) {
			return true
		}
	}
	return false
}

func readFile(in *read.Input) []*model.Document {
	d := &model.Document{File: in.Name, Line: 1, Format: Format, Product: Format}
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, in.Name, in.Data, parser.ParseComments|parser.SkipObjectResolution)
	if f == nil {
		d.Problems = append(d.Problems, model.Problem{At: model.Position{File: in.Name, Line: 1}, Err: err.Error()})
		return []*model.Document{d}
	}
	if err != nil {
		d.Problems = append(d.Problems, model.Problem{At: problemAt(in.Name, err), Err: "expected Go, found " + problemText(err)})
	}
	if !ast.IsGenerated(f) {
		for _, c := range Check(fset, f) {
			c.At.File = in.Name
			d.Code = append(d.Code, c)
		}
	}
	return []*model.Document{d}
}

// file is one file under check.
type file struct {
	fset *token.FileSet
	// names are the imported packages by the names that the file gives them.
	names map[string]string
	// limits reports whether the file makes a context with a limit anywhere.
	limits bool
	// withContext reports whether the file makes requests with a context.
	withContext bool
	// assigned are the names of fields that the file assigns to.
	assigned map[string]bool
	in       string
	found    []model.Code
}

// Check returns what a file does, in the order of its text.
func Check(fset *token.FileSet, f *ast.File) []model.Code {
	c := &file{fset: fset, names: imports(f), assigned: map[string]bool{}}
	ast.Inspect(f, c.note)
	for _, d := range f.Decls {
		c.in = ""
		if fn, ok := d.(*ast.FuncDecl); ok {
			c.in = fn.Name.Name
			if fn.Body != nil {
				c.calls(fn)
			}
		}
		ast.Inspect(d, c.visit)
	}
	return c.found
}

// imports returns the packages of a file by the names that it gives them.
func imports(f *ast.File) map[string]string {
	names := map[string]string{}
	for _, i := range f.Imports {
		p, err := strconv.Unquote(i.Path.Value)
		if err != nil {
			continue
		}
		name := path.Base(p)
		if len(name) > 1 && name[0] == 'v' && strings.Trim(name[1:], "0123456789") == "" {
			name = path.Base(path.Dir(p))
		}
		if i.Name != nil {
			name = i.Name.Name
		}
		names[name] = p
	}
	return names
}

// note gathers what concerns the whole file.
func (c *file) note(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.CallExpr:
		switch c.qualified(n.Fun) {
		case "context.WithTimeout", "context.WithDeadline", "context.WithTimeoutCause", "context.WithDeadlineCause":
			c.limits = true
		case "net/http.NewRequestWithContext":
			c.withContext = true
		}
		if s, ok := n.Fun.(*ast.SelectorExpr); ok && s.Sel.Name == "WithContext" {
			c.withContext = true
		}
	case *ast.AssignStmt:
		for _, l := range n.Lhs {
			if s, ok := l.(*ast.SelectorExpr); ok {
				c.assigned[s.Sel.Name] = true
			}
		}
	}
	return true
}

// qualified returns a name of another package as its path and name, empty for
// anything else.
func (c *file) qualified(e ast.Expr) string {
	s, ok := e.(*ast.SelectorExpr)
	if !ok {
		return ""
	}
	x, ok := s.X.(*ast.Ident)
	if !ok {
		return ""
	}
	if p, ok := c.names[x.Name]; ok {
		return p + "." + s.Sel.Name
	}
	return ""
}

// add reports a place.
func (c *file) add(kind model.CodeKind, at ast.Node, what, detail, fix string) *model.Code {
	p, end := c.fset.Position(at.Pos()), c.fset.Position(at.End())
	c.found = append(c.found, model.Code{
		Kind: kind, What: what, In: c.in, Detail: detail, Fix: fix,
		At: model.Position{File: p.Filename, Line: p.Line, Column: p.Column, Offset: p.Offset, End: end.Offset},
	})
	return &c.found[len(c.found)-1]
}
