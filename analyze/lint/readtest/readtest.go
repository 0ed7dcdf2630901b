// Package readtest holds readers against files: the whole model of a small file as a
// table that a person can check, and what must hold of the model of any file.
package readtest

import (
	"flag"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"

	"example.com/kneeline/analyze/lint/defaults"
	"example.com/kneeline/analyze/lint/model"
	"example.com/kneeline/analyze/lint/read"
	"example.com/kneeline/analyze/lint/template"
)

var update = flag.Bool("update", false, "rewrite the tables of models")

var builtIn = sync.OnceValues(func() (*defaults.Table, error) { return defaults.Load(nil) })

// Input returns an input for a file, with its template language out of the way and the
// defaults that are built in.
func Input(t testing.TB, name string, data []byte) *read.Input {
	t.Helper()
	table, err := builtIn()
	if err != nil {
		t.Fatal(err)
	}
	stripped := template.Strip(data)
	return &read.Input{Name: name, Data: stripped.Data, Holes: stripped.Holes, Defaults: table}
}

// Golden holds the model of each file of a directory against the table beside it,
// which has .golden behind its name.
func Golden(t *testing.T, r func(*read.Input) []*model.Document, dir string) {
	t.Helper()
	files, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		if f.IsDir() || strings.HasSuffix(f.Name(), ".golden") {
			continue
		}
		path := filepath.Join(dir, f.Name())
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		got := Table(r(Input(t, f.Name(), data)))
		if *update {
			if err := os.WriteFile(path+".golden", []byte(got), 0o644); err != nil {
				t.Fatal(err)
			}
			continue
		}
		want, err := os.ReadFile(path + ".golden")
		if err != nil {
			t.Fatal(err)
		}
		if got != string(want) {
			t.Errorf("%s:\n%s", path, difference(string(want), got))
		}
	}
}

// difference shows the lines that two tables do not share.
func difference(want, got string) string {
	w, g := strings.Split(want, "\n"), strings.Split(got, "\n")
	var b strings.Builder
	for _, line := range w {
		if !slices.Contains(g, line) {
			fmt.Fprintf(&b, "- %s\n", line)
		}
	}
	for _, line := range g {
		if !slices.Contains(w, line) {
			fmt.Fprintf(&b, "+ %s\n", line)
		}
	}
	return b.String()
}

// Table writes all that documents say, a line a value.
func Table(docs []*model.Document) string {
	var b strings.Builder
	for _, d := range docs {
		fmt.Fprintf(&b, "document %s %s:%d\n", d.Format, d.File, d.Line)
		for _, h := range d.Hops {
			fmt.Fprintf(&b, "hop %q to %q %s at %d:%d\n", h.Name, h.To, h.Layer, h.At.Line, h.At.Column)
			table(&b, "", reflect.ValueOf(*h))
		}
		for _, s := range d.Services {
			fmt.Fprintf(&b, "service %q at %d:%d\n", s.Name, s.At.Line, s.At.Column)
			table(&b, "", reflect.ValueOf(*s))
		}
		table(&b, "", reflect.ValueOf(struct{ Includes, Holes []model.Value }{d.Includes, d.Holes}))
		for _, u := range d.Unknown {
			fmt.Fprintf(&b, "unknown %s in %s, nearest %s at %d:%d\n", u.Key, u.In, u.Nearest, u.At.Line, u.At.Column)
		}
		for _, r := range d.Rejected {
			fmt.Fprintf(&b, "rejected at %d:%d: %s; ignored %t; fix: %s\n", r.At.Line, r.At.Column, r.Why, r.Ignored, r.Fix)
		}
		for _, u := range d.Units {
			fmt.Fprintf(&b, "unit at %d:%d: %s; refused %t; fix: %s\n", u.Value.At.Line, u.Value.At.Column, u.Why, u.Refused, u.Fix)
		}
		for _, p := range d.Problems {
			fmt.Fprintf(&b, "problem at %d:%d: %s\n", p.At.Line, p.At.Column, p.Err)
		}
	}
	return b.String()
}

// named are fields that the head of a hop or service has already.
var named = map[string]bool{"Name": true, "To": true, "At": true, "Layer": true}

func table(b *strings.Builder, path string, v reflect.Value) {
	if value, ok := v.Interface().(model.Value); ok {
		if value.Present() {
			line(b, path, value)
		}
		return
	}
	switch v.Kind() {
	case reflect.Struct:
		fields(b, path, v)
	case reflect.Slice:
		for i := range v.Len() {
			table(b, fmt.Sprintf("%s[%d]", path, i), v.Index(i))
		}
	case reflect.Array:
		for i := range v.Len() {
			table(b, fmt.Sprintf("%s[%d]", path, i), v.Index(i))
		}
	case reflect.Map:
		keys := v.MapKeys()
		slices.SortFunc(keys, func(a, c reflect.Value) int { return strings.Compare(a.String(), c.String()) })
		for _, k := range keys {
			table(b, path+"["+k.String()+"]", v.MapIndex(k))
		}
	default:
		if !v.IsZero() {
			fmt.Fprintf(b, "  %-26s %v\n", path, v.Interface())
		}
	}
}

func fields(b *strings.Builder, path string, v reflect.Value) {
	for i := range v.NumField() {
		name := v.Type().Field(i).Name
		if path == "" && named[name] {
			continue
		}
		if at, ok := v.Field(i).Interface().(model.Position); ok {
			if at.Line > 0 {
				fmt.Fprintf(b, "  %-26s %d:%d\n", path+"."+name, at.Line, at.Column)
			}
			continue
		}
		if path != "" {
			name = path + "." + name
		}
		table(b, name, v.Field(i))
	}
}

func line(b *strings.Builder, path string, v model.Value) {
	amount := v.String()
	if math.IsNaN(v.Amount) {
		amount = "unreadable"
	}
	if v.Text != "" && v.Unit != model.None && v.Text != v.Raw {
		amount += " " + v.Text
	}
	fmt.Fprintf(b, "  %-26s %-14s %-8s %s", path, amount, v.Origin, v.Key)
	if v.Origin == model.Set && v.Raw != amount {
		fmt.Fprintf(b, " %q", v.Raw)
	}
	if v.At.Line > 0 {
		fmt.Fprintf(b, " at %d:%d", v.At.Line, v.At.Column)
	}
	if v.Source != "" && v.Origin != model.Hole {
		fmt.Fprintf(b, " (%s)", v.Source)
	}
	b.WriteByte('\n')
}
