package gosource

import (
	"go/ast"
	"strings"

	"golang.org/x/tools/go/analysis"

	"example.com/kneeline/analyze/lint/model"
)

// analyzers are the checks by the name and the document that go vet shows.
var analyzers = []struct {
	kind      model.CodeKind
	name, doc string
}{
	{model.ClientNoLimit, "clientlimit", "report HTTP clients without a limit of time (SRC-01)"},
	{model.ServerNoLimit, "serverlimit", "report HTTP servers that wait for their clients without a limit (SRC-02)"},
	{model.LimitDropped, "droppedlimit", "report contexts whose limit is thrown away (SRC-03)"},
	{model.CallNoDeadline, "calldeadline", "report gRPC calls on a context that never ends (SRC-04)"},
	{model.RetryLoop, "retryloop", "report loops that try again at a fixed pace (SRC-05)"},
}

// Analyzers returns the checks of [Check] for go vet and other drivers of analyses.
// Tests and generated files are passed over, as by [Reader].
func Analyzers() []*analysis.Analyzer {
	var out []*analysis.Analyzer
	for _, a := range analyzers {
		out = append(out, &analysis.Analyzer{Name: a.name, Doc: a.doc, Run: func(pass *analysis.Pass) (any, error) {
			for _, f := range pass.Files {
				run(pass, f, a.kind)
			}
			return nil, nil
		}})
	}
	return out
}

// run reports what one file does of a kind.
func run(pass *analysis.Pass, f *ast.File, kind model.CodeKind) {
	tf := pass.Fset.File(f.Pos())
	if tf == nil || strings.HasSuffix(tf.Name(), "_test.go") || ast.IsGenerated(f) {
		return
	}
	for _, c := range Check(pass.Fset, f) {
		if c.Kind == kind && c.At.Offset >= 0 && c.At.Offset <= tf.Size() {
			pass.Reportf(tf.Pos(c.At.Offset), "%s%s: %s; write %s", c.What, c.Place(), c.Detail, c.Fix)
		}
	}
}
