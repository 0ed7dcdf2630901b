package diagram

import (
	"bytes"
	"encoding/xml"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

var update = flag.Bool("update", false, "write the golden files anew")

var sample = Graph{
	Title: "a <chain>",
	Nodes: []Node{{Name: "edge", Lines: []string{"4 hosts"}}, {Name: "orders & co"}, {Name: "stock"}, {Name: "\"database\"", Level: Error}},
	Edges: []Edge{
		{From: 0, To: 1, Lines: []string{"W 3s", "3 tries"}, Level: Error}, {From: 1, To: 2, Lines: []string{"W 1s"}, Level: Warning}, {From: 2, To: 3},
		{From: 0, To: 3, Lines: []string{"W 9s"}, Dashed: true}, {From: 3, To: 1, Lines: []string{"back"}}, {From: 2, To: 2, Lines: []string{"itself"}}, {From: 7, To: 1},
	},
}

// The drawing and the two texts of a graph with a cycle, a loop, a long arrow and names
// that each format has to write in its own way.
func TestGolden(t *testing.T) {
	for name, write := range map[string]func(io.Writer) error{"sample.svg": sample.SVG, "sample.dot": sample.DOT, "sample.mmd": sample.Mermaid} {
		var got bytes.Buffer
		if err := write(&got); err != nil {
			t.Fatal(err)
		}
		path := "testdata/" + name
		if *update {
			if err := os.WriteFile(path, got.Bytes(), 0o644); err != nil {
				t.Fatal(err)
			}
			continue
		}
		want, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(got.Bytes(), want) {
			t.Errorf("%s differs:\n%s", name, got.String())
		}
	}
}

func draw(t *rapid.T) Graph {
	text := rapid.OneOf(rapid.StringN(0, 20, -1), rapid.SampledFrom([]string{"a", "<b>", "\"", "]]>", "\x00", "é\u202e", strings.Repeat("x", 200)}))
	g := Graph{Title: text.Draw(t, "title")}
	for range rapid.IntRange(0, 9).Draw(t, "nodes") {
		g.Nodes = append(g.Nodes, Node{Name: text.Draw(t, "name"), Lines: rapid.SliceOfN(text, 0, 2).Draw(t, "lines"), Level: Level(rapid.IntRange(0, 3).Draw(t, "level"))})
	}
	for range rapid.IntRange(0, 14).Draw(t, "edges") {
		g.Edges = append(g.Edges, Edge{From: rapid.IntRange(-1, 9).Draw(t, "from"), To: rapid.IntRange(-1, 9).Draw(t, "to"), Lines: rapid.SliceOfN(text, 0, 3).Draw(t, "label")})
	}
	return g
}

// In any graph no two boxes or labels overlap, all is within the drawing, arrows lead from
// left to right but those that close a cycle, and the same graph is drawn the same.
func TestLayoutProperty(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g := draw(t)
		l := arrange(g)
		var all []*item
		for _, r := range l.ranks {
			all = append(all, r...)
		}
		const slack = 0.01
		for i, a := range all {
			if a.x-a.w/2 < margin-slack || a.y-a.h/2 < margin-slack || a.x+a.w/2 > l.width-margin+slack || a.y+a.h/2 > l.height-margin+slack {
				t.Fatalf("outside of %v × %v: %+v", l.width, l.height, a)
			}
			for _, b := range all[:i] {
				if abs(a.x-b.x) < (a.w+b.w)/2-slack && abs(a.y-b.y) < (a.h+b.h)/2-slack {
					t.Fatalf("%+v and %+v overlap", a, b)
				}
			}
		}
		for _, w := range l.wires {
			for i := 1; i < len(w.items); i++ {
				if w.items[i].rank != w.items[i-1].rank+1 {
					t.Fatalf("an arrow jumps from rank %d to %d", w.items[i-1].rank, w.items[i].rank)
				}
			}
		}
		var a, b bytes.Buffer
		if g.SVG(&a) != nil || g.SVG(&b) != nil || !bytes.Equal(a.Bytes(), b.Bytes()) {
			t.Fatal("two drawings of one graph differ")
		}
	})
}

func abs(x float64) float64 { return max(x, -x) }

// Whatever texts a graph has, the drawing is well-formed XML with all boxes, DOT has its
// quotes in pairs, and Mermaid one line for each box and arrow.
func TestFormatsProperty(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g := draw(t)
		var svg, dot, mermaid bytes.Buffer
		if err := errors.Join(g.SVG(&svg), g.DOT(&dot), g.Mermaid(&mermaid)); err != nil {
			t.Fatal(err)
		}
		boxes := 0
		for d := xml.NewDecoder(&svg); ; {
			token, err := d.Token()
			if err == io.EOF {
				break
			}
			if err != nil {
				t.Fatal(err)
			}
			if s, ok := token.(xml.StartElement); ok && s.Name.Local == "rect" && strings.HasPrefix(fmt.Sprint(s.Attr), "[{{ class} box") {
				boxes++
			}
		}
		if boxes != len(g.Nodes) {
			t.Fatalf("%d boxes of %d", boxes, len(g.Nodes))
		}
		for line := range strings.Lines(dot.String()) {
			plain := strings.NewReplacer(`\\`, "", `\"`, "").Replace(line)
			if strings.Count(plain, `"`)%2 != 0 {
				t.Fatalf("a quote is open: %q", line)
			}
		}
		edges, loops := g.edges()
		if n := strings.Count(mermaid.String(), "\n"); n < 1+len(g.Nodes)+len(edges)+len(loops) || strings.Count(mermaid.String(), `"`)%2 != 0 {
			t.Fatalf("%d lines:\n%s", n, mermaid.String())
		}
	})
}

type failing struct{}

func (failing) Write([]byte) (int, error) { return 0, errors.New("no room") }

func TestWriteErrors(t *testing.T) {
	for _, err := range []error{sample.SVG(failing{}), sample.DOT(failing{}), sample.Mermaid(failing{})} {
		if err == nil {
			t.Error("a failed write is no error")
		}
	}
}
