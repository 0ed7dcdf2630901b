package gosource

import (
	"go/ast"
	"go/token"
	"strconv"

	"example.com/kneeline/analyze/lint/model"
)

// loop finds loops that try again at a fixed pace: a call's error is looked at, and
// the loop waits for a time that does not change.
func (c *file) loop(n *ast.ForStmt) {
	sleep := c.sleepOf(n)
	if sleep == nil || !c.retries(n) || c.limits && n.Cond != nil {
		return
	}
	wait := c.duration(sleep.Args[0], "wait")
	if !wait.Known() || c.changes(n, sleep.Args[0]) {
		return
	}
	detail := "it tries again after the same " + wait.String() + " each time, for ever"
	if n.Cond != nil {
		detail = "it tries again after the same " + wait.String() + " each time"
	}
	found := c.add(model.RetryLoop, n, "for", detail,
		"let the wait double from try to try up to a limit, take a random part of it, end after a few tries, and end when the context does")
	found.Wait, found.Endless = wait, n.Cond == nil
	found.At.End = c.fset.Position(n.Body.Lbrace).Offset
}

// sleepOf returns the one sleep of a loop's own body, not of a function in it.
func (c *file) sleepOf(n *ast.ForStmt) *ast.CallExpr {
	var sleep *ast.CallExpr
	ast.Inspect(n.Body, func(x ast.Node) bool {
		switch x := x.(type) {
		case *ast.FuncLit, *ast.ForStmt, *ast.RangeStmt:
			return false
		case *ast.CallExpr:
			if c.qualified(x.Fun) == "time.Sleep" && len(x.Args) == 1 {
				sleep = x
			}
		}
		return true
	})
	return sleep
}

// retries reports whether a loop goes on because of an error: it ends when there is
// none, or goes on when there is one.
func (c *file) retries(n *ast.ForStmt) bool {
	found := false
	for _, s := range n.Body.List {
		i, ok := s.(*ast.IfStmt)
		if !ok {
			continue
		}
		op, ok := errorTest(i.Cond)
		if !ok {
			continue
		}
		switch {
		case op == token.EQL && ends(i.Body):
			found = true
		case op == token.NEQ && (c.sleepsAndGoesOn(i.Body) || i.Else != nil && elseEnds(i.Else)):
			found = true
		}
	}
	return found
}

// errorTest reads err == nil and err != nil, with whatever stands beside it.
func errorTest(e ast.Expr) (token.Token, bool) {
	b, ok := e.(*ast.BinaryExpr)
	if !ok {
		return 0, false
	}
	if b.Op == token.LAND || b.Op == token.LOR {
		if op, ok := errorTest(b.X); ok {
			return op, true
		}
		return errorTest(b.Y)
	}
	x, okX := b.X.(*ast.Ident)
	y, okY := b.Y.(*ast.Ident)
	if !okX || !okY || y.Name != "nil" || (x.Name != "err" && !hasSuffix(x.Name, "Err")) {
		return 0, false
	}
	return b.Op, b.Op == token.EQL || b.Op == token.NEQ
}

func hasSuffix(s, end string) bool { return len(s) > len(end) && s[len(s)-len(end):] == end }

// ends reports whether a block leaves the loop.
func ends(b *ast.BlockStmt) bool {
	for _, s := range b.List {
		switch s := s.(type) {
		case *ast.ReturnStmt:
			return true
		case *ast.BranchStmt:
			if s.Tok == token.BREAK || s.Tok == token.GOTO {
				return true
			}
		}
	}
	return false
}

func elseEnds(s ast.Stmt) bool {
	b, ok := s.(*ast.BlockStmt)
	return ok && ends(b)
}

// sleepsAndGoesOn reports whether a block waits and then goes on with the loop.
func (c *file) sleepsAndGoesOn(b *ast.BlockStmt) bool {
	sleeps, goesOn := false, false
	for _, s := range b.List {
		switch s := s.(type) {
		case *ast.ExprStmt:
			if call, ok := s.X.(*ast.CallExpr); ok && c.qualified(call.Fun) == "time.Sleep" {
				sleeps = true
			}
		case *ast.BranchStmt:
			goesOn = goesOn || s.Tok == token.CONTINUE
		}
	}
	return sleeps && goesOn
}

// changes reports whether a loop assigns to a name that an expression uses.
func (c *file) changes(n *ast.ForStmt, e ast.Expr) bool {
	used := map[string]bool{}
	ast.Inspect(e, func(x ast.Node) bool {
		if id, ok := x.(*ast.Ident); ok {
			used[id.Name] = true
		}
		return true
	})
	changed := false
	note := func(e ast.Expr) {
		if id, ok := e.(*ast.Ident); ok && used[id.Name] {
			changed = true
		}
	}
	ast.Inspect(n, func(x ast.Node) bool {
		switch x := x.(type) {
		case *ast.AssignStmt:
			for _, l := range x.Lhs {
				note(l)
			}
		case *ast.IncDecStmt:
			note(x.X)
		}
		return true
	})
	return changed
}

// timeUnits are the units of package time, in seconds.
var timeUnits = map[string]float64{
	"time.Nanosecond": 1e-9, "time.Microsecond": 1e-6, "time.Millisecond": 1e-3, "time.Second": 1, "time.Minute": 60, "time.Hour": 3600,
}

// duration reads 3 * time.Second and the like; absent where it is no such product.
func (c *file) duration(e ast.Expr, key string) model.Value {
	f, ok := c.seconds(e)
	if !ok {
		return model.Value{Key: key}
	}
	p, end := c.fset.Position(e.Pos()), c.fset.Position(e.End())
	return model.Value{
		Key: key, Unit: model.Seconds, Amount: f, Origin: model.Set,
		At: model.Position{File: p.Filename, Line: p.Line, Column: p.Column, Offset: p.Offset, End: end.Offset},
	}
}

func (c *file) seconds(e ast.Expr) (float64, bool) {
	switch e := e.(type) {
	case *ast.SelectorExpr:
		u, ok := timeUnits[c.qualified(e)]
		return u, ok
	case *ast.ParenExpr:
		return c.seconds(e.X)
	case *ast.BinaryExpr:
		if e.Op != token.MUL {
			return 0, false
		}
		if n, ok := number(e.X); ok {
			u, ok := c.seconds(e.Y)
			return n * u, ok
		}
		if n, ok := number(e.Y); ok {
			u, ok := c.seconds(e.X)
			return n * u, ok
		}
	}
	return 0, false
}

func number(e ast.Expr) (float64, bool) {
	l, ok := e.(*ast.BasicLit)
	if !ok {
		return 0, false
	}
	f, err := strconv.ParseFloat(l.Value, 64)
	return f, err == nil
}
