package lint

import (
	"bytes"
	"cmp"
	"errors"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"example.com/kneeline/analyze/lint/defaults"
	"example.com/kneeline/analyze/lint/gate"
	"example.com/kneeline/analyze/lint/model"
	"example.com/kneeline/analyze/lint/read"
	"example.com/kneeline/analyze/lint/rule"
	"example.com/kneeline/analyze/lint/template"
	"example.com/kneeline/analyze/lint/tree"
	"example.com/kneeline/internal/finding"
)

// Limits of one run.
const (
	// MaxFile is the size over which a file is named and not read.
	MaxFile = 32 << 20
	// maxNested is how deep parts of files hold parts.
	maxNested = 2
	// sniffed is how much of a file decides whether it is text.
	sniffed = 8 << 10
)

// State is what became of a file.
type State uint8

// The states.
const (
	NotRecognised State = iota // no format of ours
	Recognised
	Binary
	TooLarge
	Unreadable
)

// Collector turns files into documents. It is safe for concurrent use.
type Collector struct {
	Texts   []read.Text
	Objects []read.Object
	// Defaults are the programs' own values.
	Defaults *defaults.Table
	// Lookup knows the values of variables and template references; nil for none.
	Lookup func(name string) (string, bool)

	// gate knows the words of all readers of objects, a set a reader.
	gate     *gate.Gate
	makeGate sync.Once
}

// Collected is what one file came to.
type Collected struct {
	Name      string
	State     State
	Documents []*model.Document
	// Problems are what could not be read of it.
	Problems []model.Problem
	// Template is the template language of the file, empty for none.
	Template string
	// ignores are the comments that ask to leave findings out. The file itself is not
	// kept: a tree of many files would not fit into memory.
	ignores []*ignore
	// checked says that the rules that look at one file have been held against it;
	// summary and what follows are then what is left of it.
	checked bool
	// data are the file's bytes until the rules have been held against it, for the
	// places of fixes; wide are its lines with wide characters, for columns.
	data     []byte
	wide     wide
	summary  File
	findings []finding.Finding
	missing  []rule.Missing
	problems []Problem
	// kept is what rules need of it beside other files, by their ID.
	kept map[string][]*model.Document
}

// Read reads one file. Path is what formats are recognised by, name what findings
// call it.
func (c *Collector) Read(name string, data []byte) Collected {
	out := Collected{Name: name}
	switch {
	case len(data) > MaxFile:
		out.State = TooLarge
		return out
	case bytes.IndexByte(data[:min(len(data), sniffed)], 0) >= 0:
		out.State = Binary
		return out
	}
	stripped := template.Stripped{Data: data}
	if ext := strings.ToLower(filepath.Ext(name)); ext != ".go" && ext != ".java" { // {{ opens a list of structs or an initializer there
		stripped = template.Strip(data)
	}
	out.Template = stripped.Language
	in := &read.Input{Name: name, Data: stripped.Data, Holes: stripped.Holes, Defaults: c.Defaults, Lookup: c.Lookup}
	c.read(in, name, &out, 0)
	if out.State == Recognised {
		var problems []model.Problem
		out.data, out.wide = data, wideOf(data)
		out.ignores, problems = findIgnores(name, data)
		out.Problems = append(out.Problems, problems...)
	}
	slices.SortStableFunc(out.Documents, func(a, b *model.Document) int { return cmp.Compare(a.Line, b.Line) })
	return out
}

// read reads a file, or a part of it that is called path.
func (c *Collector) read(in *read.Input, path string, out *Collected, depth int) {
	in.Nested = func(name string, from, to int) []*model.Document {
		if depth == maxNested || from >= to || to > len(in.Data) {
			return nil
		}
		inner := Collected{Name: out.Name, Template: out.Template}
		c.read(in.Part(from, to), name, &inner, depth+1)
		if inner.State != NotRecognised {
			out.Problems = append(out.Problems, inner.Problems...)
		}
		return inner.Documents
	}
	for _, r := range c.Texts {
		if r.Recognise(path, in.Data) {
			out.State = Recognised
			out.Documents = append(out.Documents, r.Read(in)...)
			return
		}
	}
	c.trees(in, path, out)
}

// trees reads a file in one of the common syntaxes, unless no reader could have a use
// for it.
func (c *Collector) trees(in *read.Input, path string, out *Collected) {
	candidates := c.candidates(in.Data)
	if len(candidates) == 0 {
		return
	}
	roots, errs := c.parse(in.Name, path, in.Data)
	recognised := false
	for _, root := range roots {
		in.Fill(root)
	}
	in.Roots = roots
	for _, root := range roots {
		for _, r := range candidates {
			if r.Recognise(path, root) {
				recognised = true
				out.Documents = append(out.Documents, r.Read(in, root)...)
			}
		}
	}
	if recognised {
		out.State = Recognised
	}
	if !recognised || out.Template != "" {
		errs = slices.DeleteFunc(errs, func(e *tree.Error) bool { return errors.Is(e, tree.ErrTwice) })
	}
	if len(errs) > 0 && (recognised || isConfig(path)) {
		if !recognised {
			out.State = Unreadable
		}
		for _, e := range errs {
			out.Problems = append(out.Problems, model.Problem{At: model.Position{File: in.Name, Line: e.Line, Column: e.Column}, Err: e.Error()})
		}
	}
}

// candidates are the readers with a word in the file.
func (c *Collector) candidates(data []byte) []read.Object {
	c.makeGate.Do(func() {
		words := make([][]string, len(c.Objects))
		for i, r := range c.Objects {
			words[i] = r.Gate
		}
		c.gate = gate.New(words)
	})
	sets, some := c.gate.Match(data)
	if !some {
		return nil
	}
	var out []read.Object
	for i, r := range c.Objects {
		if sets[i] {
			out = append(out, r)
		}
	}
	return out
}

// wanted reports whether a document of YAML is to be parsed. An object of Kubernetes
// is not where no reader has a word in it. Definitions of custom resources never are:
// they are large, have all words of a format, and set nothing.
func (c *Collector) wanted(document []byte) bool {
	if !hasLine(document, "apiVersion:") || !hasLine(document, "kind:") {
		return true
	}
	return !hasLine(document, "kind: CustomResourceDefinition") && c.gate.Any(document)
}

// hasLine reports whether a line begins with a text.
func hasLine(data []byte, text string) bool {
	return bytes.HasPrefix(data, []byte(text)) || bytes.Contains(data, []byte("\n"+text))
}

// isConfig reports whether a file's name says that it is in one of the syntaxes.
func isConfig(path string) bool { return syntaxOf(path, nil) != noSyntax }

type syntax uint8

const (
	noSyntax syntax = iota
	yamlSyntax
	jsonSyntax
	tomlSyntax
	xmlSyntax
	propertiesSyntax
	iniSyntax
)

// templateSuffixes follow the name of the file that a template makes.
var templateSuffixes = []string{".tmpl", ".tpl", ".gotmpl", ".template", ".j2", ".jinja", ".jinja2", ".erb", ".dist", ".example", ".sample", ".default"}

// syntaxOf tells a file's syntax from its name, and from its beginning where the name
// says nothing.
func syntaxOf(path string, data []byte) syntax {
	base := strings.ToLower(filepath.Base(path))
	for _, s := range templateSuffixes {
		base = strings.TrimSuffix(base, s)
	}
	switch filepath.Ext(base) {
	case ".yaml", ".yml":
		return yamlSyntax
	case ".json", ".d2":
		return jsonSyntax
	case ".toml":
		return tomlSyntax
	case ".xml":
		return xmlSyntax
	case ".properties":
		return propertiesSyntax
	case ".ini", ".mod", ".env", ".cnf":
		return iniSyntax
	}
	if foreign[filepath.Ext(base)] {
		return noSyntax
	}
	return sniffSyntax(data)
}

// foreign are the endings of texts and programs, which may have manifests in them and
// are none: neither what stands around those nor their place can be judged.
var foreign = map[string]bool{
	".md": true, ".markdown": true, ".rst": true, ".adoc": true, ".html": true, ".htm": true, ".tex": true, ".log": true, ".patch": true, ".diff": true, ".txtar": true,
	".go": true, ".sh": true, ".bash": true, ".zsh": true, ".py": true, ".rb": true, ".pl": true, ".php": true, ".lua": true, ".js": true, ".jsx": true, ".ts": true, ".tsx": true, ".vue": true,
	".java": true, ".kt": true, ".scala": true, ".groovy": true, ".c": true, ".h": true, ".cc": true, ".cpp": true, ".hpp": true, ".cs": true, ".rs": true, ".swift": true, ".css": true, ".scss": true, ".sql": true, ".svg": true,
}

func sniffSyntax(data []byte) syntax {
	text := bytes.TrimLeft(bytes.TrimPrefix(data, []byte("\ufeff")), " \t\r\n")
	switch {
	case len(text) == 0:
		return noSyntax
	case text[0] == '{':
		return jsonSyntax
	case text[0] == '<':
		return xmlSyntax
	case bytes.HasPrefix(text, []byte("---")), bytes.Contains(text, []byte("\nkind:")), bytes.HasPrefix(text, []byte("apiVersion:")):
		return yamlSyntax
	}
	return noSyntax
}

// parse reads a file in its syntax.
func (c *Collector) parse(name, path string, data []byte) ([]*tree.Node, []*tree.Error) {
	one := func(n *tree.Node, err *tree.Error) ([]*tree.Node, []*tree.Error) {
		if err != nil {
			return []*tree.Node{n}, []*tree.Error{err}
		}
		return []*tree.Node{n}, nil
	}
	switch syntaxOf(path, data) {
	case yamlSyntax:
		return tree.YAMLOf(name, data, c.wanted)
	case jsonSyntax:
		return one(tree.JSON(name, data))
	case tomlSyntax:
		return one(tree.TOML(name, data))
	case xmlSyntax:
		return one(tree.XML(name, data))
	case propertiesSyntax:
		return one(tree.Properties(name, data), nil)
	case iniSyntax:
		return one(tree.INI(name, data), nil)
	}
	return nil, nil
}
