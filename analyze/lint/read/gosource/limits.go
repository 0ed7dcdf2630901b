package gosource

import (
	"go/ast"
	"go/token"
	"strings"

	"example.com/kneeline/analyze/lint/model"
)

// visit looks at one node.
func (c *file) visit(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.FuncDecl:
		c.in = n.Name.Name
	case *ast.CallExpr:
		c.call(n)
	case *ast.CompositeLit:
		c.literal(n)
	case *ast.AssignStmt:
		c.assignment(n)
	case *ast.ForStmt:
		c.loop(n)
	}
	return true
}

// call finds calls of package functions that have no limit.
func (c *file) call(n *ast.CallExpr) {
	switch name := c.qualified(n.Fun); name {
	case "net/http.Get", "net/http.Post", "net/http.PostForm", "net/http.Head":
		short := "http." + name[len("net/http."):]
		c.add(model.ClientNoLimit, n, short, "the default client has no Timeout", "client := &http.Client{Timeout: …}, or a request with a context that has a limit")
	case "net/http.ListenAndServe", "net/http.ListenAndServeTLS", "net/http.Serve", "net/http.ServeTLS":
		short := "http." + name[len("net/http."):]
		c.add(model.ServerNoLimit, n, short, "its server has neither ReadHeaderTimeout nor IdleTimeout",
			"srv := &http.Server{ReadHeaderTimeout: 5 * time.Second, IdleTimeout: 2 * time.Minute, …}")
	}
}

// literal finds clients and servers that are written without limits.
func (c *file) literal(n *ast.CompositeLit) {
	switch c.qualified(n.Type) {
	case "net/http.Client":
		if c.sets(n, "Timeout") || c.limits && c.withContext {
			return
		}
		c.add(model.ClientNoLimit, n, "http.Client{}", "Timeout is not set", "Timeout: …")
	case "net/http.Server":
		if c.sets(n, "ReadHeaderTimeout") || c.sets(n, "ReadTimeout") {
			return
		}
		c.add(model.ServerNoLimit, n, "http.Server{}", "neither ReadHeaderTimeout nor ReadTimeout is set", "ReadHeaderTimeout: 5 * time.Second")
	}
}

// sets reports whether a literal sets a field, or the file assigns to one of its name.
func (c *file) sets(n *ast.CompositeLit, field string) bool {
	if c.assigned[field] {
		return true
	}
	for _, e := range n.Elts {
		kv, ok := e.(*ast.KeyValueExpr)
		if !ok {
			return true // by position: all are set
		}
		if k, ok := kv.Key.(*ast.Ident); ok && k.Name == field {
			return true
		}
	}
	return false
}

// assignment finds contexts whose limit is thrown away.
func (c *file) assignment(n *ast.AssignStmt) {
	if len(n.Rhs) != 1 || len(n.Lhs) != 2 {
		return
	}
	call, ok := n.Rhs[0].(*ast.CallExpr)
	if !ok {
		return
	}
	name := c.qualified(call.Fun)
	if !strings.HasPrefix(name, "context.With") || !strings.Contains(name, "Timeout") && !strings.Contains(name, "Deadline") {
		return
	}
	if first, ok := n.Lhs[0].(*ast.Ident); ok && first.Name == "_" {
		found := c.add(model.LimitDropped, n.Lhs[0], name, "the context that has the limit is assigned to _", "ctx, cancel := "+name+"(…), and pass ctx on")
		if len(call.Args) > 1 {
			found.Wait = c.duration(call.Args[1], "limit")
		}
	}
}

// calls finds remote calls of gRPC that are made on a context without a limit.
func (c *file) calls(fn *ast.FuncDecl) {
	if !c.importsGRPC() {
		return
	}
	clients := map[string]bool{}
	ast.Inspect(fn, func(n ast.Node) bool {
		a, ok := n.(*ast.AssignStmt)
		if !ok || a.Tok != token.DEFINE || len(a.Lhs) != 1 || len(a.Rhs) != 1 {
			return true
		}
		if call, ok := a.Rhs[0].(*ast.CallExpr); ok && isClientMaker(call.Fun) {
			if id, ok := a.Lhs[0].(*ast.Ident); ok {
				clients[id.Name] = true
			}
		}
		return true
	})
	ast.Inspect(fn, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok || len(call.Args) < 2 {
			return true
		}
		s, ok := call.Fun.(*ast.SelectorExpr)
		if !ok {
			return true
		}
		client, isVar := s.X.(*ast.Ident)
		maker, isCall := s.X.(*ast.CallExpr)
		if !(isVar && clients[client.Name] || isCall && isClientMaker(maker.Fun)) {
			return true
		}
		ctx, ok := call.Args[0].(*ast.CallExpr)
		if !ok {
			return true
		}
		if name := c.qualified(ctx.Fun); name == "context.Background" || name == "context.TODO" {
			c.add(model.CallNoDeadline, call, s.Sel.Name, "its context is "+name+"(), which never ends",
				"ctx, cancel := context.WithTimeout(ctx, …) with what is left of the caller's own deadline")
		}
		return true
	})
}

func (c *file) importsGRPC() bool {
	for _, p := range c.names {
		if p == "google.golang.org/grpc" {
			return true
		}
	}
	return false
}

// isClientMaker reports whether a function is one that generated code has for making
// clients: pb.NewCartServiceClient.
func isClientMaker(e ast.Expr) bool {
	s, ok := e.(*ast.SelectorExpr)
	return ok && strings.HasPrefix(s.Sel.Name, "New") && strings.HasSuffix(s.Sel.Name, "Client") && s.Sel.Name != "NewClient"
}
