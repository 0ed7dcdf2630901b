package readtest

import (
	"reflect"
	"testing"

	"example.com/kneeline/analyze/lint/model"
	"example.com/kneeline/analyze/lint/read"
)

// Sound reads a file and fails where its model cannot be true: places outside of the
// file, problems without a place, or another model the second time.
func Sound(t *testing.T, r func(*read.Input) []*model.Document, name string, data []byte) {
	t.Helper()
	docs := r(Input(t, name, data))
	if again := r(Input(t, name, data)); Table(docs) != Table(again) {
		t.Error("another model the second time")
	}
	for _, d := range docs {
		for _, p := range d.Problems {
			if p.At.Line < 1 || p.Err == "" {
				t.Errorf("a problem without a place or a text: %+v", p)
			}
		}
		places(t, reflect.ValueOf(*d), len(data))
	}
}

// places looks at all places of a model.
func places(t *testing.T, v reflect.Value, size int) {
	t.Helper()
	if at, ok := v.Interface().(model.Position); ok {
		if at.Line < 0 || at.Column < 0 || at.Offset < 0 || at.End > size || at.End != 0 && at.End < at.Offset {
			t.Errorf("a place outside of the file of %d bytes: %+v", size, at)
		}
		return
	}
	switch v.Kind() {
	case reflect.Pointer:
		if !v.IsNil() {
			places(t, v.Elem(), size)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			places(t, v.Field(i), size)
		}
	case reflect.Slice, reflect.Array:
		for i := range v.Len() {
			places(t, v.Index(i), size)
		}
	case reflect.Map:
		for _, k := range v.MapKeys() {
			places(t, v.MapIndex(k), size)
		}
	}
}
