package javasource

import (
	"bytes"
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"

	"example.com/kneeline/analyze/lint/model"
	"example.com/kneeline/analyze/lint/read"
)

// Name is the format's name.
const Name = "java"

// Reader reads Java sources.
var Reader = read.Text{
	Name: Name,
	Recognise: func(path string, data []byte) bool {
		return strings.HasSuffix(strings.ToLower(path), ".java") && (bytes.Contains(data, []byte("ThreadPoolExecutor(")) || bytes.Contains(data, []byte("Executors.new")) || bytes.Contains(data, []byte("QueuedThreadPool(")))
	},
	Read: readFile,
}

// maxPools bounds the pools of one file.
const maxPools = 200

var (
	poolForm = regexp.MustCompile(`new\s+(?:[\w.]+\.)?(ThreadPoolExecutor|QueuedThreadPool)\s*\(|(?:[\w.]+\.)?\bExecutors\s*\.\s*(newFixedThreadPool|newSingleThreadExecutor)\s*\(`)
	// queueForm is a queue with its generic type and, where that is a literal, its length.
	queueForm  = regexp.MustCompile(`new\s+(?:[\w.]+\.)?(ArrayBlockingQueue|LinkedBlockingQueue|LinkedBlockingDeque|PriorityBlockingQueue|LinkedTransferQueue|BlockingArrayQueue|SynchronousQueue)\s*(?:<[^()]*>)?\s*\(\s*([^()]*?)\s*\)`)
	numberForm = regexp.MustCompile(`^([0-9][0-9_]*)[lL]?(?:\s*,.*)?$`)
	classForm  = regexp.MustCompile(`\bclass\s+(\w+)`)
)

func readFile(in *read.Input) []*model.Document {
	code := blank(in.Data)
	doc := &model.Document{File: in.Name, Line: 1, Format: Name, Product: "jvm"}
	lines := newLines(in.Name, code)
	for _, m := range poolForm.FindAllSubmatchIndex(code, maxPools) {
		name, kind := "", ""
		if m[2] >= 0 {
			kind = string(code[m[2]:m[3]])
		} else {
			kind = "Executors." + string(code[m[4]:m[5]])
		}
		if c := classForm.FindAllSubmatch(code[:m[0]], -1); len(c) > 0 {
			name = string(c[len(c)-1][1])
		}
		p := literal{doc: doc, lines: lines, kind: kind, in: name, at: m[0]}
		p.read(code[m[1]:closing(code, m[1])], m[1])
	}
	if len(doc.Code)+len(doc.Services) == 0 {
		return nil
	}
	return []*model.Document{doc}
}

// closing is where the bracket that is open at from is closed, the end where it is not.
func closing(code []byte, from int) int {
	depth := 1
	for i := from; i < len(code); i++ {
		switch code[i] {
		case '(':
			depth++
		case ')':
			if depth--; depth == 0 {
				return i
			}
		}
	}
	return len(code)
}

type literal struct {
	doc      *model.Document
	lines    *lines
	kind, in string
	at       int
}

// read looks at the arguments of a constructor.
func (p *literal) read(args []byte, from int) {
	if strings.HasPrefix(p.kind, "Executors.") {
		p.queue("LinkedBlockingQueue", math.Inf(1), p.kind, p.lines.place(p.at, p.at+1))
		return
	}
	m := queueForm.FindSubmatchIndex(args)
	if m == nil {
		return
	}
	kind, length := string(args[m[2]:m[3]]), string(args[m[4]:m[5]])
	at := p.lines.place(from+m[0], from+m[1])
	switch n := numberForm.FindStringSubmatch(length); {
	case kind == "SynchronousQueue":
	case length == "" || length == "Integer.MAX_VALUE" || kind == "PriorityBlockingQueue" || kind == "LinkedTransferQueue":
		p.queue(kind, math.Inf(1), kind+"("+length+")", at)
	case n != nil:
		x, err := strconv.ParseFloat(strings.ReplaceAll(n[1], "_", ""), 64)
		if err == nil {
			if x >= math.MaxInt32 {
				x = math.Inf(1)
			}
			p.queue(kind, x, n[1], p.lines.place(from+m[4], from+m[4]+len(n[1])))
		}
	}
}

// queue notes the queue of a pool. One with a length is a service's as well, so that it
// can be held against a capacity.
func (p *literal) queue(kind string, length float64, raw string, at model.Position) {
	v := model.Value{Key: kind, Raw: raw, Text: raw, Unit: model.Count, Amount: length, Origin: model.Set, At: at}
	p.doc.Code = append(p.doc.Code, model.Code{Kind: model.PoolQueue, What: p.kind, In: p.in, Queue: v, At: at})
	if !math.IsInf(length, 1) {
		p.doc.Services = append(p.doc.Services, &model.Service{Name: strings.TrimSpace(fmt.Sprintf("pool %s", p.in)), At: at, Exec: model.Exec{Queue: v}})
	}
}
