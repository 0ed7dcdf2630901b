package jvm

import (
	"bytes"
	"path"
	"strings"

	"example.com/kneeline/analyze/lint/model"
	"example.com/kneeline/analyze/lint/read"
	"example.com/kneeline/analyze/lint/tree"
)

// maxFlags bounds the flags of one file.
const maxFlags = 100_000

// variables hold flags, by name.
var variables = map[string]bool{
	"JAVA_OPTS": true, "JAVA_TOOL_OPTIONS": true, "JDK_JAVA_OPTIONS": true, "_JAVA_OPTIONS": true, "JVM_OPTS": true, "JAVA_ARGS": true, "JAVA_OPTIONS": true,
	"CATALINA_OPTS": true, "ES_JAVA_OPTS": true, "KAFKA_HEAP_OPTS": true, "KAFKA_OPTS": true, "KAFKA_JVM_PERFORMANCE_OPTS": true, "SERVER_JVMFLAGS": true, "JVMFLAGS": true, "JAVA_MEM_OPTS": true,
}

// Reader reads files of options, and variables in Dockerfiles and start scripts.
var Reader = read.Text{Name: "jvm", Recognise: recognise, Read: readFile}

func recognise(name string, data []byte) bool {
	if isOptions(name) {
		return true
	}
	base := strings.ToLower(path.Base(name))
	script := base == "dockerfile" || base == "containerfile" || strings.HasPrefix(base, "dockerfile.") || strings.HasSuffix(base, ".dockerfile") || base == "setenv.sh"
	return script && (bytes.Contains(data, []byte("-X")) || bytes.Contains(data, []byte("-Dsun.net"))) && mentions(data)
}

// isOptions reports whether a file holds flags and nothing else.
func isOptions(name string) bool {
	base := strings.ToLower(path.Base(name))
	for _, end := range []string{".tmpl", ".tpl", ".template", ".j2", ".erb", ".example", ".sample"} {
		base = strings.TrimSuffix(base, end)
	}
	return base == "jvm.options" || base == "jvm.config" || strings.HasSuffix(base, ".vmoptions") || strings.HasSuffix(base, ".jvmopts") ||
		strings.HasSuffix(base, ".options") && strings.HasSuffix(path.Dir(name), "jvm.options.d")
}

// mentions reports whether a text names a variable with flags, or calls java.
func mentions(data []byte) bool {
	for v := range variables {
		if bytes.Contains(data, []byte(v)) {
			return true
		}
	}
	return bytes.Contains(data, []byte("java ")) || bytes.Contains(data, []byte(`"java"`))
}

func readFile(in *read.Input) []*model.Document {
	b := newBuilder(in, "JVM", model.Position{File: in.Name, Line: 1, Column: 1})
	options := isOptions(in.Name)
	goesOn := false
	at := 0
	for n := 1; at < len(in.Data); n++ {
		end := bytes.IndexByte(in.Data[at:], '\n')
		if end < 0 {
			end = len(in.Data) - at
		}
		line := bytes.TrimSpace(in.Data[at : at+end])
		comment := len(line) > 0 && line[0] == '#'
		if !comment && (options || goesOn || mentions(line)) {
			b.scan(at, at+end, n, at)
		}
		goesOn = !comment && (goesOn || mentions(line)) && bytes.HasSuffix(line, []byte(`\`))
		at += end + 1
	}
	if docs := b.document(); docs != nil {
		return docs
	}
	return []*model.Document{b.doc}
}

// separators stand between flags, in shells, lists and texts.
const separators = " \t\r\n\"'[],;()"

// scan reads the flags in the bytes [from, to). Line is the number of the line that
// begins at start.
func (b *builder) scan(from, to, line, start int) {
	data := b.in.Data
	for i, n := from, 0; i < to && n < maxFlags; {
		if data[i] == '\n' {
			i++
			line, start = line+1, i
			continue
		}
		if strings.IndexByte(separators, data[i]) >= 0 {
			i++
			continue
		}
		end := i
		for end < to && strings.IndexByte(separators, data[end]) < 0 {
			end++
		}
		text := string(data[i:end])
		flag := text
		if n := releases(text); n > 0 {
			flag = text[n:]
		} else if at := strings.Index(text, "=-"); at > 0 && variables[text[:at]] { // NAME=-Xmx1g
			i += at + 1
			text = text[at+1:]
			flag = text
		}
		if strings.HasPrefix(flag, "-X") || strings.HasPrefix(flag, "-D") {
			b.take(text, model.Position{File: b.in.Name, Line: line, Column: i - start + 1, Offset: i, End: end})
			n++
		}
		i = end
	}
}

// Environment reads variables with flags in the environment of containers.
var Environment = read.Object{
	Name: "jvm",
	Gate: []string{"_OPTS", "_OPTIONS", "JAVA_ARGS", "JVMFLAGS"},
	Recognise: func(_ string, root *tree.Node) bool {
		return len(environment(root)) > 0
	},
	Read: func(in *read.Input, root *tree.Node) []*model.Document {
		var out []*model.Document
		for _, n := range environment(root) {
			at := n.KeyAt
			if at.Line == 0 {
				at = n.At
			}
			b := newBuilder(in, owner(n), at)
			from, to := in.Block(n)
			if from < to {
				start := bytes.LastIndexByte(in.Data[:from], '\n') + 1
				line := n.At.Line + bytes.Count(in.Data[n.At.Offset:from], []byte("\n"))
				b.scan(from, to, line, start)
			}
			out = append(out, b.document()...)
		}
		return out
	},
}

// maxVariables bounds the variables of one document.
const maxVariables = 10_000

// environment finds the values of variables with flags: {name: JAVA_OPTS, value: …} as
// Kubernetes has it, JAVA_OPTS: … and "JAVA_OPTS=…" as Compose has it.
func environment(root *tree.Node) []*tree.Node {
	var out []*tree.Node
	var walk func(n *tree.Node)
	walk = func(n *tree.Node) {
		if n == nil || len(out) >= maxVariables {
			return
		}
		switch n.Kind {
		case tree.Map:
			if v := n.Get("value"); variables[n.Get("name").String()] && v != nil && v.Kind == tree.Scalar {
				out = append(out, v)
				return
			}
		case tree.Scalar:
			name, _, found := strings.Cut(n.Text, "=")
			if variables[n.Key] || n.Key == "" && found && variables[name] {
				out = append(out, n)
			}
		}
		for _, c := range n.Children {
			walk(c)
		}
	}
	walk(root)
	return out
}

// owner calls the virtual machine by the container or service that has the variable.
func owner(n *tree.Node) string {
	for up := n.Parent; up != nil; up = up.Parent {
		if name := up.Get("name").String(); name != "" && !variables[name] {
			return "JVM of " + name
		}
		if up.Key == "environment" && up.Parent != nil && up.Parent.Key != "" {
			return "JVM of " + up.Parent.Key
		}
	}
	return "JVM"
}
