package sysctl

import (
	"bytes"
	"path"
	"strings"

	"example.com/kneeline/analyze/lint/model"
	"example.com/kneeline/analyze/lint/read"
	"example.com/kneeline/analyze/lint/tree"
)

// Reader reads sysctl.conf and the files of sysctl.d.
var Reader = read.Text{Name: "sysctl", Recognise: recognise, Read: readFile}

// sniffed is how much of a file is looked at, maxLines how many lines are read.
const (
	sniffed  = 64 << 10
	maxLines = 200_000
)

// heads are what the names of settings begin with.
var heads = [][]byte{[]byte("net."), []byte("net/"), []byte("vm."), []byte("vm/"), []byte("fs."), []byte("fs/"), []byte("kernel."), []byte("kernel/")}

// recognise takes files of lines with the kernel's names before an equals sign; other
// lines are comments and template statements.
func recognise(name string, data []byte) bool {
	base := strings.ToLower(path.Base(name))
	for _, end := range []string{".tmpl", ".tpl", ".template", ".j2", ".jinja2", ".erb", ".dist", ".example", ".sample", ".default", ".in"} {
		base = strings.TrimSuffix(base, end)
	}
	named := strings.Contains(strings.ToLower(name), "sysctl")
	if ext := path.Ext(base); ext != ".conf" && ext != ".sysctl" && !(named && ext == "") {
		return false
	}
	ours, other := 0, 0
	for rest := data[:min(len(data), sniffed)]; len(rest) > 0; {
		line := rest
		if i := bytes.IndexByte(rest, '\n'); i >= 0 {
			line, rest = rest[:i], rest[i+1:]
		} else {
			rest = nil
		}
		line = bytes.TrimLeft(bytes.TrimSpace(line), "-")
		switch {
		case len(line) == 0 || line[0] == '#' || line[0] == ';':
		case isHead(line) && bytes.IndexByte(line, '=') > 0:
			ours++
		default:
			other++
		}
	}
	return ours > 0 && ours > other
}

func isHead(line []byte) bool {
	for _, h := range heads {
		if bytes.HasPrefix(line, h) {
			return true
		}
	}
	return false
}

func readFile(in *read.Input) []*model.Document {
	b := newBuilder(in, "sysctl", model.Position{File: in.Name, Line: 1, Column: 1})
	at := 0
	for n := 1; at < len(in.Data) && n <= maxLines; n++ {
		end := bytes.IndexByte(in.Data[at:], '\n')
		if end < 0 {
			end = len(in.Data) - at
		}
		b.line(at, at+end, n)
		at += end + 1
	}
	if at < len(in.Data) {
		b.doc.Problems = append(b.doc.Problems, model.Problem{At: model.Position{File: in.Name, Line: maxLines, Column: 1}, Err: "more lines than are read: the rest is left out"})
	}
	if docs := b.document(); docs != nil {
		return docs
	}
	return []*model.Document{b.doc}
}

// line reads one line: name = value, with a dash before the name where a failure does
// not matter.
func (b *builder) line(from, to, number int) {
	place := func(from, to, start int) model.Position {
		return model.Position{File: b.in.Name, Line: number, Column: from - start + 1, Offset: from, End: to}
	}
	line := b.in.Data[from:to]
	text := bytes.TrimSpace(bytes.TrimPrefix(line, []byte("\ufeff")))
	if len(text) == 0 || text[0] == '#' || text[0] == ';' {
		return
	}
	key, value, found := bytes.Cut(text, []byte("="))
	start := from + bytes.Index(line, text)
	name := strings.TrimLeft(string(bytes.TrimSpace(key)), "-")
	at := place(start, start+len(bytes.TrimRight(key, " \t")), from)
	if !found {
		if isHead([]byte(name)) && !strings.Contains(name, "*") {
			b.doc.Problems = append(b.doc.Problems, model.Problem{At: at, Err: "expected name = value, found no ="})
		}
		return
	}
	word := bytes.TrimSpace(value)
	begin := start + len(text) - len(bytes.TrimLeft(value, " \t"))
	vat := place(begin, begin+len(word), from)
	raw := string(word)
	filled, hole := b.in.FillText(raw, vat)
	v := model.Value{Raw: b.in.Shown(raw, vat), Text: filled, Origin: model.Set, At: vat}
	if hole != nil {
		v = *hole
		v.At, v.Origin = vat, model.Hole
	}
	b.set(name, v, at)
}

// Pods reads the sysctls of a Pod's security context, wherever a Pod is described.
var Pods = read.Object{
	Name: "sysctl",
	Gate: []string{"sysctls"},
	Recognise: func(_ string, root *tree.Node) bool {
		return len(contexts(root)) > 0
	},
	Read: func(in *read.Input, root *tree.Node) []*model.Document {
		var out []*model.Document
		for _, c := range contexts(root) {
			b := newBuilder(in, c.name, c.list.KeyAt)
			for item := range c.list.Items() {
				if v := in.Text(item.Get("value"), ""); v.Present() {
					b.set(item.Get("name").String(), v, item.Get("name").Position())
				}
			}
			out = append(out, b.document()...)
		}
		return out
	},
}

// context is one list of sysctls with the name of what has it.
type context struct {
	name string
	list *tree.Node
}

// contexts finds the lists in a Kubernetes object, or in a list of them.
func contexts(root *tree.Node) []context {
	if root.Get("kind").Is("List") {
		var out []context
		for item := range root.Get("items").Items() {
			out = append(out, contexts(item)...)
		}
		return out
	}
	if root.Get("apiVersion") == nil || root.Get("kind") == nil {
		return nil
	}
	name := root.Get("kind").String() + " " + root.Get("metadata", "name").String()
	for _, spec := range [][]string{{"spec"}, {"spec", "template", "spec"}, {"spec", "jobTemplate", "spec", "template", "spec"}} {
		if list := root.Get(append(spec, "securityContext", "sysctls")...); list != nil && list.Kind == tree.List {
			return []context{{name, list}}
		}
	}
	return nil
}
