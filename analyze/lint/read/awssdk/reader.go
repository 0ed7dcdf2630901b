package awssdk

import (
	"bytes"
	"path"
	"strings"

	"example.com/kneeline/analyze/lint/model"
	"example.com/kneeline/analyze/lint/read"
	"example.com/kneeline/analyze/lint/read/bind"
	"example.com/kneeline/analyze/lint/tree"
)

// Name is the format's name.
const Name = "aws-sdk"

// Profiles reads the config file of the SDKs, which has no extension.
var Profiles = read.Text{
	Name:      Name,
	Recognise: isProfiles,
	Read: func(in *read.Input) []*model.Document {
		root := tree.INI(in.Name, in.Data)
		in.Fill(root)
		r := newReader(in, root)
		for _, s := range root.Children {
			r.profile(s)
		}
		return r.Documents()
	},
}

// Reader reads variables and botocore's retries.
var Reader = read.Object{
	Name:      Name,
	Gate:      []string{"AWS_MAX_ATTEMPTS", "AWS_RETRY_MODE", "total_max_attempts", "max_attempts"},
	Recognise: func(file string, root *tree.Node) bool { return isVariables(file, root) || find(root, 0) != nil },
	Read: func(in *read.Input, root *tree.Node) []*model.Document {
		r := newReader(in, root)
		if variables(root) {
			r.environment(root)
		} else {
			r.walk(root, 0)
		}
		return r.Documents()
	},
}

type reader struct{ *bind.Binder }

func newReader(in *read.Input, root *tree.Node) *reader {
	return &reader{bind.New(in, root.Position().Line, Name, "aws-sdk", "the SDK")}
}

// isProfiles tells a config file by its place and a section.
func isProfiles(file string, data []byte) bool {
	dir, base := path.Split(strings.ReplaceAll(file, "\\", "/"))
	if base != "config" && base != "aws_config" && base != "aws-config" || base == "config" && path.Base(dir) != ".aws" && path.Base(dir) != "aws" {
		return false
	}
	return bytes.Contains(data, []byte("[default]")) || bytes.Contains(data, []byte("[profile "))
}

func isVariables(file string, root *tree.Node) bool {
	ext := path.Ext(file)
	return (ext == ".env" || ext == ".ini" || ext == ".properties" || strings.HasPrefix(path.Base(file), ".env")) && variables(root)
}

func variables(root *tree.Node) bool {
	return variable(root, "AWS_MAX_ATTEMPTS").Present() || variable(root, "AWS_RETRY_MODE").Present()
}

// variable returns a variable's value without the quotes that a shell takes off.
func variable(root *tree.Node, name string) *tree.Node {
	n := root.Get(name)
	if n == nil {
		n = root.Get("export " + name)
	}
	if n == nil || n.Kind != tree.Scalar {
		return n
	}
	for _, q := range []string{`"`, "'"} {
		if text, ok := strings.CutPrefix(n.Text, q); ok && strings.HasSuffix(text, q) {
			plain := *n
			plain.Text = strings.TrimSuffix(text, q)
			return &plain
		}
	}
	return n
}

// maxDepth bounds how deep retries are looked for.
const maxDepth = 8

// find returns the first map with botocore's retries below n.
func find(n *tree.Node, depth int) *tree.Node {
	if n == nil || depth > maxDepth {
		return nil
	}
	if isRetries(n.Get("retries")) {
		return n
	}
	for _, c := range n.Children {
		if found := find(c, depth+1); found != nil {
			return found
		}
	}
	return nil
}

// isRetries tells botocore's retries by their mode, or by the key that only they have.
func isRetries(n *tree.Node) bool {
	if n.Get("total_max_attempts").Present() {
		return true
	}
	mode := n.Get("mode")
	return n.Get("max_attempts").Present() && (mode.Is("legacy") || mode.Is("standard") || mode.Is("adaptive"))
}
