package effective

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"unicode"

	"example.com/kneeline/analyze/lint"
	"example.com/kneeline/analyze/lint/model"
	"example.com/kneeline/internal/units"
)

// heads are fields that an object has in its own name.
var heads = map[string]bool{"Name": true, "From": true, "To": true, "Layer": true, "Match": true, "At": true}

// values lists all values of a hop or a service that are known of, in the order of the
// model's fields: a field that is added to the model is listed without a change here.
func values(object any) []Setting {
	w := walker{out: []Setting{}}
	v := reflect.ValueOf(object)
	for i := range v.NumField() {
		if f := v.Type().Field(i); !heads[f.Name] {
			w.walk(words(f.Name), v.Field(i))
		}
	}
	return w.out
}

type walker struct{ out []Setting }

func (w *walker) walk(path string, v reflect.Value) {
	switch x := v.Interface().(type) {
	case model.Value:
		if x.Present() {
			w.out = append(w.out, setting(path, x))
		}
		return
	case []model.Condition:
		w.list(path, conditions(x))
		return
	case []model.Method:
		w.list(path, methods(x))
		return
	case model.Position:
		return
	}
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			w.walk(path+"."+words(v.Type().Field(i).Name), v.Field(i))
		}
	case reflect.Slice, reflect.Array:
		for i := range v.Len() {
			w.walk(fmt.Sprintf("%s[%d]", path, i), v.Index(i))
		}
	case reflect.Map:
		keys := v.MapKeys()
		slices.SortFunc(keys, func(a, b reflect.Value) int { return strings.Compare(a.String(), b.String()) })
		for _, k := range keys {
			w.walk(path+"["+k.String()+"]", v.MapIndex(k))
		}
	default:
		w.plain(path, v)
	}
}

// plain lists what is no value with an origin: what the reader has concluded.
func (w *walker) plain(path string, v reflect.Value) {
	if v.IsZero() {
		return
	}
	text := fmt.Sprint(v.Interface())
	switch x := v.Interface().(type) {
	case bool:
		text = "yes"
	case model.Dialect:
		text = dialects[x]
	}
	w.out = append(w.out, Setting{Is: path, Origin: model.Derived, Text: text, Shown: text, Source: "what the file comes to"})
}

// dialects say what the number of a retry setting counts.
var dialects = map[model.Dialect]string{
	model.TotalTries: "tries in all", model.ExtraTries: "tries after the first", model.ProductOf: "factors of a product",
}

// list lists words that stand in one setting, as one.
func (w *walker) list(path string, s Setting) {
	if s.Shown != "" {
		s.Is = path
		w.out = append(w.out, s)
	}
}

func conditions(all []model.Condition) Setting {
	s := Setting{Origin: model.Set}
	var texts []string
	for _, c := range all {
		texts = append(texts, c.Word)
		if c.Default {
			s.Origin = model.Default
		}
		if s.At == nil && c.At.Line > 0 {
			at := c.At
			s.At = &at
		}
	}
	s.Text = strings.Join(texts, ", ")
	s.Shown = s.Text
	return s
}

func methods(all []model.Method) Setting {
	s := Setting{Origin: model.Set}
	var texts []string
	for _, m := range all {
		texts = append(texts, m.Name)
		if s.At == nil && m.At.Line > 0 {
			at := m.At
			s.At = &at
		}
	}
	s.Text = strings.Join(texts, ", ")
	s.Shown = s.Text
	return s
}

// words writes a field's name as JSON does.
func words(field string) string {
	var b strings.Builder
	for i, r := range field {
		if unicode.IsUpper(r) && i > 0 {
			b.WriteByte('_')
		}
		b.WriteRune(unicode.ToLower(r))
	}
	return b.String()
}

// sentence is the answer in one line.
func (r *Result) sentence() string {
	c := r.Counts
	switch {
	case c.Recognised == 0 && c.Files == 1:
		return "the file is of no format that is read"
	case c.Recognised == 0:
		return fmt.Sprintf("none of %s is of a format that is read", lint.Counted(c.Files, "file"))
	}
	return fmt.Sprintf("%s and %s in %s: %s set, %s by default, %s derived, %s not known", lint.Counted(c.Hops, "hop"), lint.Counted(c.Services, "service"), lint.Counted(c.Recognised, "file"),
		units.Count(c.Set), units.Count(c.Default), units.Count(c.Derived), units.Count(c.Holes))
}
