package config

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"example.com/kneeline/internal/fault"
	"example.com/kneeline/internal/nearest"
)

// MaxFileSize is the largest file that is read, in bytes. A settings file of a
// hundred lines has about four thousand.
const MaxFileSize = 1 << 20

// Schema says which keys a file may have at one level.
type Schema struct {
	// Settings are the keys with values of their own.
	Settings map[string]Kind
	// Sections are the keys with a level below them.
	Sections map[string]*Schema
}

// Kind says what value a setting takes.
type Kind uint8

const (
	// Scalar is a single value.
	Scalar Kind = iota
	// List is one value or a list of them.
	List
)

// Setting is one key of a file, with its values as they are written.
type Setting struct {
	// Key is the path of the key, such as "headroom.peak".
	Key string
	// Values are the values; a setting of kind [Scalar] has one.
	Values []string
	// Line is where the key stands, from 1.
	Line int
}

// File is a file's settings, in the order of the file.
type File struct {
	// Name is what messages call the file.
	Name     string
	Settings []Setting
}

// Lookup returns the setting at a key.
func (f *File) Lookup(key string) (Setting, bool) {
	if f == nil {
		return Setting{}, false
	}
	for _, s := range f.Settings {
		if s.Key == key {
			return s, true
		}
	}
	return Setting{}, false
}

// Read reads the file at path, which messages call name. Its errors say file and
// line and are usage errors.
func Read(path, name string, schema *Schema) (*File, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, fault.Usagef("cannot read the settings: %w", err)
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, MaxFileSize+1))
	if err != nil {
		return nil, fault.Usagef("cannot read the settings: %w", err)
	}
	return Parse(name, data, schema)
}

// Parse reads the settings in data, which messages call name. All problems are
// reported, joined, not only the first.
func Parse(name string, data []byte, schema *Schema) (*File, error) {
	if len(data) > MaxFileSize {
		return nil, fault.Usagef("%s: expected at most %d bytes of settings, found more", name, MaxFileSize)
	}
	dec := yaml.NewDecoder(bytes.NewReader(data))
	var doc yaml.Node
	switch err := dec.Decode(&doc); {
	case errors.Is(err, io.EOF):
		return &File{Name: name}, nil
	case err != nil:
		return nil, fault.Usagef("%s: not valid YAML: %s", name, strings.TrimPrefix(err.Error(), "yaml: "))
	}
	var next yaml.Node
	if err := dec.Decode(&next); !errors.Is(err, io.EOF) {
		return nil, fault.Usagef("%s: expected a single YAML document, found another after it", name)
	}
	r := reader{file: &File{Name: name}}
	r.level(doc.Content[0], schema, "")
	if err := errors.Join(r.problems...); err != nil {
		return nil, err
	}
	return r.file, nil
}

type reader struct {
	file     *File
	problems []error
}

func (r *reader) problem(line int, hint, format string, args ...any) {
	err := fault.Usagef("%s:%d: %s", r.file.Name, line, fmt.Sprintf(format, args...))
	if hint != "" {
		err = fault.WithHint(err, hint)
	}
	r.problems = append(r.problems, err)
}

// level reads a mapping. Its depth is bounded by the schema's.
func (r *reader) level(n *yaml.Node, schema *Schema, prefix string) {
	if isNull(n) {
		return
	}
	if n.Kind != yaml.MappingNode {
		r.problem(n.Line, "", "%sexpected settings as 'name: value', found %s", under(prefix), describe(n))
		return
	}
	seen := map[string]int{}
	for i := 0; i+1 < len(n.Content); i += 2 {
		key, value := n.Content[i], n.Content[i+1]
		if key.Kind != yaml.ScalarNode {
			r.problem(key.Line, "", "expected a setting's name, found %s", describe(key))
			continue
		}
		if line, ok := seen[key.Value]; ok {
			r.problem(key.Line, "", "%q is set a second time, first in line %d", prefix+key.Value, line)
			continue
		}
		seen[key.Value] = key.Line
		if section := schema.Sections[key.Value]; section != nil {
			r.level(value, section, prefix+key.Value+".")
		} else if kind, ok := schema.Settings[key.Value]; ok {
			r.setting(key, value, kind, prefix)
		} else {
			r.unknown(key, schema, prefix)
		}
	}
}

func (r *reader) unknown(key *yaml.Node, schema *Schema, prefix string) {
	names := slices.Collect(maps.Keys(schema.Settings))
	names = slices.AppendSeq(names, maps.Keys(schema.Sections))
	hint := ""
	if near, ok := nearest.To(key.Value, names); ok {
		hint = fmt.Sprintf("did you mean %q?", prefix+near)
	}
	r.problem(key.Line, hint, "unknown setting %q", prefix+key.Value)
}

func (r *reader) setting(key, value *yaml.Node, kind Kind, prefix string) {
	name := prefix + key.Value
	s := Setting{Key: name, Line: key.Line}
	switch {
	case value.Kind == yaml.ScalarNode && !isNull(value):
		s.Values = []string{value.Value}
	case value.Kind == yaml.SequenceNode && kind == List:
		for _, item := range value.Content {
			if item.Kind != yaml.ScalarNode || isNull(item) {
				r.problem(item.Line, "", "%q: expected a list of values, found %s in it", name, describe(item))
				return
			}
			s.Values = append(s.Values, item.Value)
		}
	default:
		r.problem(value.Line, "", "%q: expected a value, found %s", name, describe(value))
		return
	}
	r.file.Settings = append(r.file.Settings, s)
}

func isNull(n *yaml.Node) bool { return n.Kind == yaml.ScalarNode && n.Tag == "!!null" }

func under(prefix string) string {
	if prefix == "" {
		return ""
	}
	return fmt.Sprintf("%q: ", strings.TrimSuffix(prefix, "."))
}

// describe names what stands in a file where something else was expected.
func describe(n *yaml.Node) string {
	switch {
	case n.Kind == yaml.MappingNode:
		return "a section"
	case n.Kind == yaml.SequenceNode:
		return "a list"
	case n.Kind == yaml.AliasNode:
		return fmt.Sprintf("the alias *%s, which settings files do not support", n.Value)
	case isNull(n):
		return "nothing"
	default:
		return fmt.Sprintf("%q", n.Value)
	}
}
