package template

import (
	"bytes"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestStrip(t *testing.T) {
	tests := []struct{ name, in, want string }{
		{"none", "a: {b: 1}\n", "a: {b: 1}\n"},
		{"expression", "timeout: {{ .Values.t }}\n", "timeout: QQQQQQQQQQQQQQQ\n"},
		{"within text", "url: http://{{ .h }}:80\n", "url: http://QQQQQQQQ:80\n"},
		{"statement", "{{- if .x }}\na: 1\n{{- end }}\n", "            \na: 1\n          \n"},
		{"assignment", "{{- $x := 1 }}\na: 1\n", "              \na: 1\n"},
		{"block of its own", "a:\n  {{ toYaml .x | nindent 2 }}\n", "a:\n  " + strings.Repeat(" ", 27) + "\n"},
		{"several lines", "a: {{ .x |\n  default 3 }}\nb: 1\n", "a: QQQQQQQ\n              \nb: 1\n"},
		{"jinja", "{% if x %}\na {{ y|default('5s') }};\n{% endif %}\n", "          \na QQQQQQQQQQQQQQQQQQQQQ;\n           \n"},
		{"erb", "<% if x %>\ntimeout <%= p('t') %>\n<% end %>\n", "          \ntimeout QQQQQQQQQQQQQ\n         \n"},
		{"not closed", "a: {{ .x\n", "a: {{ .x\n"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := string(Strip([]byte(tt.in)).Data); got != tt.want {
				t.Errorf("got\n%q\nwant\n%q", got, tt.want)
			}
		})
	}
}

func TestFallback(t *testing.T) {
	for in, want := range map[string]string{
		`.Values.t | default "5s"`: "5s", `default 3 .Values.n`: "3", `x|default('7s')`: "7s", `.Values.t`: "-", `default .a .b`: "-",
	} {
		got, ok := Fallback(in)
		if !ok {
			got = "-"
		}
		if got != want {
			t.Errorf("Fallback(%q) = %q, want %q", in, got, want)
		}
	}
}

func TestExpand(t *testing.T) {
	lookup := func(name string) (string, bool) { return "9", name == "SET" }
	for in, want := range map[string]string{
		"${SET}": "9", "${X:-5s}": "5s", "${X:5s}": "5s", "$(SET)": "9", "a${X:1}b${SET:2}c": "a1b9c",
		"${X:${Y:7}}": "7", "${X:${SET}}": "9", "${X}": "${X}", "$host": "$host", "${X:?needed}": "${X:?needed}",
	} {
		got, open := Expand(in, lookup)
		if got != want {
			t.Errorf("Expand(%q) = %q, want %q", in, got, want)
		}
		if (len(open) > 0) != strings.Contains(got, "${") {
			t.Errorf("Expand(%q) leaves %v open", in, open)
		}
	}
}

// Whatever the text, every byte keeps its line and column.
func TestStripKeepsPlaces(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		parts := rapid.SliceOf(rapid.SampledFrom([]string{"{{", "}}", "{%", "%}", "<%", "<%=", "%>", "{#", "#}", "\n", "\r\n", " ", "if", "x", ": ", "é", "${a}"})).Draw(t, "parts")
		in := []byte(strings.Join(parts, ""))
		before := bytes.Clone(in)
		s := Strip(in)
		if !bytes.Equal(in, before) {
			t.Fatal("the input was changed")
		}
		if len(s.Data) != len(in) {
			t.Fatalf("%d bytes became %d", len(in), len(s.Data))
		}
		for i, b := range in {
			if (b == '\n') != (s.Data[i] == '\n') {
				t.Fatalf("a line end moved at %d: %q, %q", i, in, s.Data)
			}
		}
		for _, h := range s.Holes {
			if string(in[h.At.Offset:h.At.End]) != h.Raw {
				t.Fatalf("a hole is not where it says: %+v", h)
			}
		}
	})
}

func FuzzExpand(f *testing.F) {
	f.Add("a${b:-${c:d}}$(e)")
	f.Fuzz(func(t *testing.T, text string) {
		got, _ := Expand(text, nil)
		if !strings.Contains(text, "$") && got != text {
			t.Errorf("%q became %q", text, got)
		}
	})
}

// Marks of editors for folding open no expression.
func TestStripFolds(t *testing.T) {
	const text = "# Frontend {{{\nbind :80\n# }}}\nx: {{ .y }}\n# more {{{1 \n"
	got := Strip([]byte(text))
	if len(got.Holes) != 1 || got.Holes[0].Raw != "{{ .y }}" {
		t.Errorf("holes %+v", got.Holes)
	}
	if want := strings.Replace(text, "{{ .y }}", strings.Repeat("Q", len("{{ .y }}")), 1); string(got.Data) != want {
		t.Errorf("%q, want %q", got.Data, want)
	}
}
