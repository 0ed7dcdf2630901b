package spring

import (
	"bytes"
	"strings"

	"example.com/kneeline/analyze/lint/model"
	"example.com/kneeline/analyze/lint/read"
	"example.com/kneeline/analyze/lint/read/bind"
	"example.com/kneeline/analyze/lint/tree"
)

// Name is the format's name.
const Name = "spring"

// MaxProfiles bounds the documents of a file that are laid over each other; each of a
// longer file is read by itself.
const MaxProfiles = 30

// Reader reads application files of Spring Boot.
var Reader = read.Object{
	Name:      Name,
	Gate:      []string{"spring", "resilience4j", "hystrix", "ribbon", "feign", "zuul", "armeria", "tomcat:", "tomcat.", "undertow"},
	Recognise: recognise,
	Read:      readRoot,
}

// roots are first parts of keys that only Spring's files have at the top.
var roots = map[string]bool{"spring": true, "resilience4j": true, "hystrix": true, "feign": true, "zuul": true, "ribbon": true, "armeria": true}

func recognise(_ string, root *tree.Node) bool {
	if root == nil || root.Kind != tree.Map || root.Get("apiVersion").Present() && root.Get("kind").Present() {
		return false
	}
	for key, c := range root.Fields() {
		first, rest, _ := strings.Cut(key, ".")
		switch first = tree.Relaxed(first); {
		case roots[first] && (c.Kind == tree.Map || rest != ""):
			return true
		case first == "server" && isServer(rest, c):
			return true
		case strings.HasPrefix(rest, "ribbon."), c.Kind == tree.Map && c.Get("ribbon").Present() && c.Get("ribbon").Kind == tree.Map:
			return true
		}
	}
	return false
}

// isServer tells Spring's server from that of other programs.
func isServer(rest string, n *tree.Node) bool {
	for _, key := range []string{"tomcat", "jetty", "undertow", "shutdown", "netty"} {
		if tree.Relaxed(rest) == key || strings.HasPrefix(rest, key+".") || n.Loose(key).Present() {
			return true
		}
	}
	return false
}

// readRoot reads one document of a file: the ones without a profile as one, where the
// first of them stands, and each of a profile over those.
func readRoot(in *read.Input, root *tree.Node) []*model.Document {
	var out []*model.Document
	for _, part := range propertiesParts(in, root) {
		out = append(out, part.read(in)...)
	}
	return out
}

// part is one document with those that hold for all profiles below it.
type part struct {
	base    []*tree.Node
	root    *tree.Node
	profile string
	line    int
}

// propertiesParts returns the documents to read for a root. In properties a line #---
// begins a document.
func propertiesParts(in *read.Input, root *tree.Node) []part {
	if docs := cutProperties(in, root); len(docs) > 1 {
		var base []*tree.Node
		for _, d := range docs {
			if profile(d) == "" {
				base = append(base, d)
			}
		}
		var out []part
		if len(base) > 0 {
			out = append(out, part{base: base[:len(base)-1], root: base[len(base)-1], line: 1})
			out[0].base, out[0].root = nil, joined(base)
		}
		for _, d := range docs {
			if p := profile(d); p != "" {
				out = append(out, part{base: base, root: d, profile: p, line: d.At.Line})
			}
		}
		return out
	}
	p := part{root: root, profile: profile(root), line: root.At.Line}
	if len(in.Roots) < 2 || len(in.Roots) > MaxProfiles {
		return []part{p}
	}
	var base []*tree.Node
	for _, r := range in.Roots {
		if profile(r) == "" && r.Kind == tree.Map {
			base = append(base, r)
		}
	}
	switch {
	case p.profile != "":
		p.base = base
	case base[0] != root && recognisedBefore(base, root):
		return nil
	default:
		p.root = joined(base)
	}
	return []part{p}
}

// recognisedBefore reports whether a document without a profile that stands before
// this one is read, and so has been read with it.
func recognisedBefore(base []*tree.Node, root *tree.Node) bool {
	for _, r := range base {
		if r == root {
			return false
		}
		if recognise("", r) {
			return true
		}
	}
	return false
}

// joined is the keys of several documents, later ones last.
func joined(docs []*tree.Node) *tree.Node {
	out := &tree.Node{Kind: tree.Map, At: docs[0].At}
	for _, d := range docs {
		out.Children = append(out.Children, d.Children...)
	}
	return out
}

// profile returns for which profile a document holds, empty for all.
func profile(root *tree.Node) string {
	for _, path := range []string{"spring.config.activate.on-profile", "spring.profiles"} {
		if n := root.Loose(strings.Split(path, ".")...); n.Present() && n.Kind == tree.Scalar {
			return n.Text
		}
	}
	return ""
}

// cutProperties cuts the keys of a properties file at lines that begin with #--- or
// !---.
func cutProperties(in *read.Input, root *tree.Node) []*tree.Node {
	if len(in.Roots) > 1 {
		return nil
	}
	for _, c := range root.Children {
		if c.Kind != tree.Scalar {
			return nil // YAML, where such a line is a comment
		}
	}
	data := in.Data
	var marks []int
	for _, mark := range []string{"\n#---", "\n!---"} {
		for at := 0; ; {
			i := bytes.Index(data[at:], []byte(mark))
			if i < 0 || len(marks) >= MaxProfiles {
				break
			}
			marks = append(marks, at+i)
			at += i + len(mark)
		}
	}
	if len(marks) == 0 {
		return nil
	}
	var out []*tree.Node
	last := -1
	for _, c := range root.Children {
		before := 0
		for _, m := range marks {
			if m < c.KeyAt.Offset {
				before++
			}
		}
		if before != last {
			out = append(out, &tree.Node{Kind: tree.Map, At: c.KeyAt})
			last = before
		}
		d := out[len(out)-1]
		d.Children = append(d.Children, c)
	}
	return out
}

// reader reads one document.
type reader struct {
	*bind.Binder
	s *settings
	// profile is what the document is for, empty for all.
	profile string
	// at is where the document begins.
	at model.Position
}

// read reads a document for each product, so that their versions and rules stay apart.
func (p part) read(in *read.Input) []*model.Document {
	s := &settings{}
	for _, b := range p.base {
		s.add(b, false)
	}
	s.add(p.root, true)
	resolve(in, s)
	var out []*model.Document
	for _, product := range []struct {
		name, title string
		read        func(*reader)
	}{
		{"spring-boot", "Spring Boot", (*reader).boot},
		{"spring-cloud", "Spring Cloud", (*reader).cloud},
		{"resilience4j", "Resilience4j", (*reader).resilience},
		{"hystrix", "Hystrix", (*reader).netflix},
	} {
		r := &reader{Binder: bind.New(in, p.line, Name, product.name, product.title), s: s, profile: p.profile}
		r.at = model.Position{File: in.Name, Line: max(p.line, 1), Column: 1}
		product.read(r)
		out = append(out, r.Documents()...)
	}
	return out
}

func (r *reader) boot() {
	r.server()
	r.armeria()
	r.datasources()
	r.redis()
	r.elasticsearch()
	r.httpClient()
}

func (r *reader) cloud() {
	r.feign()
	r.loadBalancer()
	r.gateway()
}

// named is an object's name with the profile that it holds for.
func (r *reader) named(name string) string {
	if r.profile == "" {
		return name
	}
	return name + " (profile " + r.profile + ")"
}
