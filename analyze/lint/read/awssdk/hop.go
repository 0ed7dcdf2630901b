package awssdk

import (
	"strings"

	"example.com/kneeline/analyze/lint/model"
	"example.com/kneeline/analyze/lint/read/bind"
	"example.com/kneeline/analyze/lint/tree"
)

// profile reads one section of a config file.
func (r *reader) profile(s *tree.Node) {
	mode, tries := s.Get("retry_mode"), s.Get("max_attempts")
	connect, wait := s.Get("cli_connect_timeout"), s.Get("cli_read_timeout")
	if s.Kind != tree.Map || !mode.Present() && !tries.Present() && !connect.Present() && !wait.Present() {
		return
	}
	name := strings.TrimPrefix(s.Key, "profile ")
	h := r.hop("profile "+name, s.KeyAt, mode, "retry_mode")
	r.total(h, r.Count(tries, "max_attempts"), modeOf(mode))
	h.Connect = zeroIsNone(bind.Or(r.Duration(connect, "cli_connect_timeout", bind.Seconds), h.Connect))
	h.GapRead = zeroIsNone(bind.Or(r.Duration(wait, "cli_read_timeout", bind.Seconds), h.GapRead))
}

// environment reads the SDKs' variables.
func (r *reader) environment(root *tree.Node) {
	mode, tries := variable(root, "AWS_RETRY_MODE"), variable(root, "AWS_MAX_ATTEMPTS")
	at := mode.Position()
	if tries.Present() {
		at = tries.At
	}
	h := r.hop("AWS", at, mode, "AWS_RETRY_MODE")
	r.total(h, r.Count(tries, "AWS_MAX_ATTEMPTS"), modeOf(mode))
}

// walk reads botocore's retries wherever they are.
func (r *reader) walk(n *tree.Node, depth int) {
	if depth > maxDepth {
		return
	}
	if retries := n.Get("retries"); isRetries(retries) {
		r.client(n, retries)
	}
	for _, c := range n.Children {
		r.walk(c, depth+1)
	}
}

// client reads the settings of one botocore client.
func (r *reader) client(n, retries *tree.Node) {
	name := "AWS"
	if p := n.Path(); p != "" {
		name = "AWS " + p
	}
	mode := retries.Get("mode")
	h := r.hop(name, retries.KeyAt, mode, "retries.mode")
	total := r.Count(retries.Get("total_max_attempts"), "retries.total_max_attempts")
	extra := r.Count(retries.Get("max_attempts"), "retries.max_attempts")
	switch {
	case total.Present():
		bind.TotalTries(&h.Retry, total)
		if extra.Present() {
			h.Doubles = append(h.Doubles, [2]model.Value{total, extra})
		}
	case extra.Present():
		bind.ExtraTries(&h.Retry, extra)
	default:
		r.total(h, total, modeOf(mode))
	}
	h.Connect = bind.Or(r.Duration(n.Get("connect_timeout"), "connect_timeout", bind.Seconds), h.Connect)
	h.GapRead = bind.Or(r.Duration(n.Get("read_timeout"), "read_timeout", bind.Seconds), h.GapRead)
	h.Pool.Max = bind.Or(r.Count(n.Get("max_pool_connections"), "max_pool_connections"), r.Default("aws-sdk", "max_pool_connections", h.At))
}

// hop is a hop with what holds for a mode of retries.
func (r *reader) hop(name string, at model.Position, mode *tree.Node, key string) *model.Hop {
	h := &model.Hop{Name: name, To: "AWS", Layer: model.Library, At: at}
	h.Connect, h.GapRead = r.Default("aws-sdk", "connect_timeout", at), r.Default("aws-sdk", "read_timeout", at)
	m := modeOf(mode)
	if m != "" {
		bind.Set(&h.Extra, r.Text(mode, key))
	}
	h.Backoff.Base, h.Backoff.Multiplier = r.Default("aws-sdk", "backoff base", at), r.Default("aws-sdk", "backoff multiplier", at)
	h.Backoff.Max, h.Backoff.Jitter = r.Default("aws-sdk", "backoff max", at), r.Default("aws-sdk", "backoff jitter", at)
	h.Retry.On = []model.Condition{
		{Cause: model.Reset, Word: "connection errors", At: at, Default: true}, {Cause: model.TimedOut, Word: "timeouts", At: at, Default: true},
		{Cause: model.Unavailable, Word: "500, 502, 503, 504", At: at, Default: true},
	}
	h.Budget.Scope, h.Budget.Supported = model.PerProcess, m == "standard" || m == "adaptive"
	if h.Budget.Supported {
		h.Budget.Tokens = r.Default("aws-sdk", "retry tokens", at)
	}
	return r.Hop(h)
}

// modeOf is the mode of retries, empty where none is known.
func modeOf(n *tree.Node) string {
	if n == nil || n.Hole != nil {
		return ""
	}
	return strings.ToLower(n.String())
}

// total takes the tries in all, or the default of a mode.
func (r *reader) total(h *model.Hop, v model.Value, mode string) {
	if !v.Present() {
		if mode == "adaptive" {
			mode = "standard"
		}
		if mode == "" {
			mode = "legacy"
		}
		v = r.Default("aws-sdk", "max_attempts "+mode, h.At)
		h.Retry.Implicit = true
	}
	bind.TotalTries(&h.Retry, v)
}

// zeroIsNone is for the command line's timeouts, where 0 waits without limit.
func zeroIsNone(v model.Value) model.Value { return bind.NoLimitAtMost(v) }
