package readtest

import (
	"strings"

	"example.com/kneeline/analyze/lint/model"
	"example.com/kneeline/analyze/lint/read"
	"example.com/kneeline/analyze/lint/tree"
)

// Objects reads a file with readers of objects, as YAML unless its name says JSON or
// TOML. What is no such file has no documents.
func Objects(readers ...read.Object) func(*read.Input) []*model.Document {
	return func(in *read.Input) []*model.Document {
		in.Roots = roots(in)
		var out []*model.Document
		for _, root := range in.Roots {
			in.Fill(root)
		}
		for _, root := range in.Roots {
			for _, r := range readers {
				if r.Recognise(in.Name, root) {
					out = append(out, r.Read(in, root)...)
				}
			}
		}
		return out
	}
}

func roots(in *read.Input) []*tree.Node {
	switch {
	case strings.HasSuffix(in.Name, ".toml"):
		if n, err := tree.TOML(in.Name, in.Data); err == nil {
			return []*tree.Node{n}
		}
		return nil
	case strings.HasSuffix(in.Name, ".json"):
		if n, err := tree.JSON(in.Name, in.Data); err == nil {
			return []*tree.Node{n}
		}
		return nil
	}
	docs, _ := tree.YAML(in.Name, in.Data)
	return docs
}
