// Package effective lists what files come to: every hop and service that lint has read
// in them, every value, and where each came from.
//
// It judges nothing; package lint does.
package effective

import (
	"cmp"
	"math"
	"slices"

	"example.com/kneeline/analyze/lint"
	"example.com/kneeline/analyze/lint/model"
)

// Schema names the form of the result.
const Schema = "kneeline.lint-effective/v1"

// Result is what files come to; it is the JSON.
type Result struct {
	Schema   string `json:"schema"`
	Complete bool   `json:"complete"`
	// Verdict is the answer in one sentence.
	Verdict string `json:"verdict"`
	Counts  Counts `json:"counts"`
	Files   []File `json:"files"`
	// Problems are what could not be read.
	Problems []lint.Problem `json:"problems,omitempty"`
}

// Counts sums up where values come from.
type Counts struct {
	Files      int `json:"file_count"`
	Recognised int `json:"recognised_count"`
	Hops       int `json:"hop_count"`
	Services   int `json:"service_count"`
	Set        int `json:"set_count"`
	Default    int `json:"default_count"`
	Derived    int `json:"derived_count"`
	Holes      int `json:"hole_count"`
	Unknown    int `json:"unknown_count"`
}

// File is what one file, or one document of it, comes to.
type File struct {
	Name string `json:"file"`
	// Line is where the document begins.
	Line   int      `json:"line,omitempty"`
	Format string   `json:"format"`
	Hops   []Object `json:"hops,omitempty"`
	// Services are what serves.
	Services []Object `json:"services,omitempty"`
	// Includes are files that it takes in and that were not followed.
	Includes []Setting `json:"includes,omitempty"`
	// Unknown are keys of known objects that are not read.
	Unknown []Unknown `json:"unknown,omitempty"`
}

// Object is a hop or a service.
type Object struct {
	Name string `json:"name"`
	// From, To, Layer and Match are of a hop alone.
	From   string         `json:"from,omitempty"`
	To     string         `json:"to,omitempty"`
	Layer  string         `json:"layer,omitempty"`
	Match  string         `json:"match,omitempty"`
	At     model.Position `json:"location"`
	Values []Setting      `json:"values"`
}

// Setting is one value. Of amount, unlimited and text at most one is there.
type Setting struct {
	// Is says what the value is, in the words of the model, such as retry.tries.
	Is string `json:"is"`
	// Key is the setting's name in its format.
	Key    string       `json:"key,omitempty"`
	Origin model.Origin `json:"origin"`
	Unit   model.Unit   `json:"unit"`
	// Amount is in the base unit.
	Amount    *float64 `json:"amount,omitempty"`
	Unlimited bool     `json:"unlimited,omitempty"`
	Text      string   `json:"text,omitempty"`
	// Shown is the value as people read it, Written what the file or the row says.
	Shown   string `json:"shown"`
	Written string `json:"written,omitempty"`
	// Source is where a default comes from, or how a value was derived.
	Source     string          `json:"source,omitempty"`
	Unverified bool            `json:"unverified,omitempty"`
	At         *model.Position `json:"location,omitempty"`
}

// Unknown is a key that is not read.
type Unknown struct {
	Key string `json:"key"`
	In  string `json:"in,omitempty"`
	// Nearest is a known key of nearly the same name.
	Nearest string         `json:"nearest,omitempty"`
	At      model.Position `json:"location"`
}

// Of lists what files come to. With unknown the keys that are not read are listed too.
func Of(files []lint.Collected, unknown bool) *Result {
	files = slices.Clone(files)
	slices.SortFunc(files, func(a, b lint.Collected) int { return cmp.Compare(a.Name, b.Name) })
	r := &Result{Schema: Schema, Complete: true, Files: []File{}}
	for _, f := range files {
		r.Counts.Files++
		if f.State == lint.Recognised {
			r.Counts.Recognised++
		}
		for _, d := range f.Documents {
			r.document(d, unknown)
		}
	}
	r.Problems = lint.ProblemsOf(files)
	r.characters(lint.ColumnsOf(files))
	r.Verdict = r.sentence()
	return r
}

// characters has all places count characters, as lint's result does.
func (r *Result) characters(columns lint.Columns) {
	settings := func(all []Setting) {
		for i := range all {
			if at := all[i].At; at != nil {
				columns.Count(at)
			}
		}
	}
	for i := range r.Files {
		f := &r.Files[i]
		for _, objects := range [][]Object{f.Hops, f.Services} {
			for k := range objects {
				columns.Count(&objects[k].At)
				settings(objects[k].Values)
			}
		}
		settings(f.Includes)
		for k := range f.Unknown {
			columns.Count(&f.Unknown[k].At)
		}
	}
}

func (r *Result) document(d *model.Document, unknown bool) {
	f := File{Name: d.File, Line: d.Line, Format: d.Format}
	for _, h := range d.Hops {
		o := Object{Name: h.Name, From: h.From, To: h.To, Layer: h.Layer.String(), Match: h.Match, At: h.At, Values: values(*h)}
		r.count(o.Values)
		f.Hops = append(f.Hops, o)
	}
	for _, s := range d.Services {
		o := Object{Name: s.Name, At: s.At, Values: values(*s)}
		r.count(o.Values)
		f.Services = append(f.Services, o)
	}
	for _, v := range d.Includes {
		f.Includes = append(f.Includes, setting("include", v))
	}
	r.Counts.Unknown += len(d.Unknown)
	if unknown {
		for _, u := range d.Unknown {
			f.Unknown = append(f.Unknown, Unknown{Key: u.Key, In: u.In, Nearest: u.Nearest, At: u.At})
		}
	}
	r.Counts.Hops += len(f.Hops)
	r.Counts.Services += len(f.Services)
	if len(f.Hops)+len(f.Services)+len(f.Includes)+len(f.Unknown) > 0 {
		r.Files = append(r.Files, f)
	}
}

func (r *Result) count(all []Setting) {
	for _, v := range all {
		switch v.Origin {
		case model.Set:
			r.Counts.Set++
		case model.Default:
			r.Counts.Default++
		case model.Derived:
			r.Counts.Derived++
		case model.Hole:
			r.Counts.Holes++
		}
	}
}

func setting(is string, v model.Value) Setting {
	s := Setting{Is: is, Key: v.Key, Origin: v.Origin, Unit: v.Unit, Shown: v.String(), Source: v.Source, Unverified: v.Unverified}
	if v.Raw != s.Shown {
		s.Written = v.Raw
	}
	if v.At.Line > 0 {
		at := v.At
		s.At = &at
	}
	switch {
	case v.Origin == model.Hole:
		s.Source = ""
	case math.IsNaN(v.Amount):
		s.Shown = "unreadable"
	case math.IsInf(v.Amount, 0):
		s.Unlimited = true
	case v.Unit == model.None:
		s.Text = v.Text
	default:
		amount := v.Amount
		s.Amount = &amount
	}
	return s
}
