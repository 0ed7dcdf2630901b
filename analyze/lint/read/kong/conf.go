package kong

import (
	"bytes"
	"path"
	"strings"

	"example.com/kneeline/analyze/lint/model"
	"example.com/kneeline/analyze/lint/read"
	"example.com/kneeline/analyze/lint/read/field"
	"example.com/kneeline/analyze/lint/tree"
)

// Conf reads kong.conf: how Kong listens, and the connections that it keeps.
var Conf = read.Text{
	Name: "kong.conf",
	Recognise: func(name string, data []byte) bool {
		base := strings.ToLower(path.Base(strings.ReplaceAll(name, "\\", "/")))
		return strings.HasPrefix(base, "kong.conf") && (bytes.Contains(data, []byte("proxy_listen")) || bytes.Contains(data, []byte("upstream_keepalive")))
	},
	Read: readConf,
}

func readConf(in *read.Input) []*model.Document {
	root := tree.Properties(in.Name, in.Data)
	in.Fill(root)
	r := field.New(in, root, "kong.conf", "kong", "Kong", field.Seconds)
	r.Doc.Line = 1
	at := model.Position{File: in.Name, Line: 1, Column: 1}
	s := r.Section("conf", root, at)
	s.At = at
	svc := &model.Service{Name: "proxy", At: at}
	svc.Listen.Backlog = s.Default("backlog")
	if n := root.Get("proxy_listen"); n.Present() {
		listen(s, n, svc)
	}
	r.Service(svc)
	h := &model.Hop{Name: "connections to upstreams", Layer: model.Gateway, At: at}
	h.Pool.Max, h.Pool.IdleEvict, h.Pool.Requests = s.Count("upstream_keepalive_pool_size"), s.Duration("upstream_keepalive_idle_timeout"), s.Count("upstream_keepalive_max_requests")
	h.Idle = h.Pool.IdleEvict
	if h.Pool.Max.Finite() && h.Pool.Max.Amount == 0 {
		h.Pool.KeepAlive = h.Pool.Max
		h.Pool.KeepAlive.Unit = model.Flag
	}
	r.Hop(h)
	return r.Documents()
}

// listen reads the first listener of proxy_listen: an address and its options.
func listen(s field.Section, n *tree.Node, svc *model.Service) {
	first, _, _ := strings.Cut(n.String(), ",")
	for i, word := range strings.Fields(first) {
		if i == 0 {
			svc.Listen.Address = word
		}
		if number, ok := strings.CutPrefix(word, "backlog="); ok {
			v := s.CountOf(&tree.Node{Kind: tree.Scalar, Text: number, At: n.At, Hole: n.Hole}, "backlog")
			svc.Listen.Backlog = v
		}
	}
}
