package lint

import (
	"fmt"
	"strings"

	"example.com/kneeline/analyze/lint/tree"
)

// Known are the values that the user gives for what files leave open: the values of a
// chart or a playbook, and the environment.
type Known struct {
	values map[string]string // by path, without a dot before it
	env    map[string]string
}

// AddValues takes the values of a YAML file, such as values.yaml of a chart. Those of a
// file that is added later win. It returns what could not be read.
func (k *Known) AddValues(name string, data []byte) []error {
	roots, errs := tree.YAML(name, data)
	if k.values == nil {
		k.values = map[string]string{}
	}
	for _, root := range roots {
		k.flatten(root)
	}
	var out []error
	for _, e := range errs {
		out = append(out, fmt.Errorf("%s:%d: %w", name, e.Line, e))
	}
	return out
}

func (k *Known) flatten(n *tree.Node) {
	if n.Kind == tree.Scalar {
		k.values[n.Path()] = n.Text
	}
	for _, c := range n.Children {
		k.flatten(c)
	}
}

// AddEnv takes the variables of a file of NAME=value lines, as docker and shells read
// them. It returns the lines that are none.
func (k *Known) AddEnv(name string, data []byte) []error {
	if k.env == nil {
		k.env = map[string]string{}
	}
	var out []error
	for i, line := range strings.Split(strings.TrimPrefix(string(data), "\ufeff"), "\n") {
		text := strings.TrimSpace(line)
		if text == "" || text[0] == '#' {
			continue
		}
		key, value, ok := strings.Cut(strings.TrimPrefix(text, "export "), "=")
		key = strings.TrimSpace(key)
		if !ok || key == "" || strings.ContainsAny(key, " \t\"'") {
			out = append(out, fmt.Errorf("%s:%d: expected NAME=value, found %s", name, i+1, clip([]byte(text))))
			continue
		}
		k.env[key] = unquote(strings.TrimSpace(value))
	}
	return out
}

// unquote takes the quotes off a value of an env file.
func unquote(s string) string {
	if n := len(s); n >= 2 && (s[0] == '"' || s[0] == '\'') && s[n-1] == s[0] {
		return s[1 : n-1]
	}
	return s
}

// Lookup returns the value of a variable, or of what a template refers to, such as
// .Values.timeout; names without a dot are those of Ansible's variables as well.
func (k *Known) Lookup(name string) (string, bool) {
	if v, ok := k.env[name]; ok {
		return v, true
	}
	path := strings.TrimPrefix(name, ".")
	if rest, ok := strings.CutPrefix(path, "Values."); ok {
		path = rest
	}
	v, ok := k.values[path]
	return v, ok
}
