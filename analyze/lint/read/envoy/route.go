package envoy

import (
	"math"
	"strings"

	"example.com/kneeline/analyze/lint/model"
	"example.com/kneeline/analyze/lint/read/field"
	"example.com/kneeline/analyze/lint/tree"
)

var actionKeys = []string{
	"cluster", "cluster_header", "weighted_clusters", "cluster_specifier_plugin", "inline_cluster_specifier_plugin",
	"cluster_not_found_response_code", "metadata_match", "prefix_rewrite", "regex_rewrite", "path_rewrite_policy", "path_rewrite",
	"host_rewrite", "host_rewrite_literal", "auto_host_rewrite", "auto_host_rewrite_header", "host_rewrite_header",
	"host_rewrite_path_regex", "host_rewrite", "append_x_forwarded_host", "timeout", "idle_timeout", "flush_timeout",
	"early_data_policy", "retry_policy", "retry_policy_typed_config", "request_mirror_policies", "request_mirror_policy", "priority",
	"rate_limits", "include_vh_rate_limits", "hash_policy", "cors", "max_grpc_timeout", "grpc_timeout_offset", "upgrade_configs",
	"internal_redirect_policy", "internal_redirect_action", "max_internal_redirects", "hedge_policy", "max_stream_duration",
}

// routes reads a route configuration.
func (f *file) routes(n *tree.Node, m *manager) {
	s := f.Section("route_config", n, n.At)
	for _, vh := range items(s.Field("virtual_hosts")) {
		v := f.Section("virtual_host", vh, vh.At)
		for _, r := range items(v.Field("routes")) {
			f.route(f.Section("route", r, r.At), v, m)
		}
	}
}

// route adds the hop of one route, unless it sends nothing on.
func (f *file) route(s, host field.Section, m *manager) {
	s.At = s.Node.At
	s.Known("name", "match", "route", "redirect", "direct_response", "filter_action", "non_forwarding_action", "metadata", "decorator",
		"typed_per_filter_config", "per_filter_config", "request_headers_to_add", "request_headers_to_remove", "response_headers_to_add",
		"response_headers_to_remove", "tracing", "per_request_buffer_limit_bytes", "request_body_buffer_limit", "stat_prefix")
	a := s.Sub("route", "route")
	if !a.Node.Present() {
		return
	}
	a.Known(actionKeys...)
	match := s.Sub("match", "match")
	h := &model.Hop{
		From: m.name, To: destination(a), Layer: model.Gateway, At: a.At, Match: path(match), SideCalls: m.sideCalls,
		Extra: map[string]model.Value{},
	}
	h.Name = "route " + h.Match
	if name := field.Label(s.Field("name")); name != "" {
		h.Name = "route " + name
	}
	for _, name := range strings.Split(h.To, ", ") {
		if c := f.clusters[name]; c != nil {
			c.http = true
		}
	}
	f.limits(a, m, h)
	f.retries(a, host, match, h)
	h.Faults, m.faults = m.faults, nil // once, not for each route
	perFilter := s.Sub("typed_per_filter_config", "typed_per_filter_config")
	for _, c := range perFilter.Node.Fields() {
		if strings.HasSuffix(typeOf(c), ".HTTPFault") {
			h.Faults = append(h.Faults, f.faults(f.Section("filter", c, s.At))...)
		}
	}
	for _, u := range items(a.Field("upgrade_configs")) {
		if kind := f.Section("upgrade", u, u.At).Field("upgrade_type"); kind.Present() && !u.Get("enabled").Is("false") {
			h.Streams = true
		}
	}
	f.Hop(h)
}

// destination names the cluster that a route sends to, or all of several.
func destination(a field.Section) string {
	if c := field.Label(a.Field("cluster")); c != "" {
		return c
	}
	var names []string
	for c := range a.Field("weighted_clusters").Get("clusters").Items() {
		names = append(names, field.Label(c.Get("name")))
	}
	return strings.Join(names, ", ")
}

// path writes which paths a route takes.
func path(match field.Section) string {
	for _, key := range []string{"path", "path_separated_prefix"} {
		if p := match.Field(key).String(); p != "" {
			return p
		}
	}
	if p := match.Field("prefix").String(); p != "" {
		return p
	}
	if re := match.Field("safe_regex"); re.Present() {
		return "~ " + re.Get("regex").String()
	}
	return "*"
}

// limits reads a route's limits of time.
func (f *file) limits(a field.Section, m *manager, h *model.Hop) {
	h.Total = field.ZeroIsNone(a.Duration("timeout"))
	h.CancelsWork = a.Default("cancels_work")
	d := a.Sub("max_stream_duration", "max_stream_duration")
	d.Known("max_stream_duration", "grpc_timeout_header_max", "grpc_timeout_header_offset")
	if d.Field("max_stream_duration").Present() {
		v := field.ZeroIsNone(d.Duration("max_stream_duration"))
		h.Extra["max_stream_duration"] = v
		if h.Total.Unlimited() && v.Finite() {
			h.Total = v
		}
	}
	if d.Field("grpc_timeout_header_max").Present() {
		h.CallerOverrides = field.ZeroIsNone(d.Duration("grpc_timeout_header_max"))
	} else if a.Field("max_grpc_timeout").Present() {
		h.CallerOverrides = field.ZeroIsNone(a.Duration("max_grpc_timeout"))
	}
	switch {
	case a.Field("idle_timeout").Present():
		h.GapRead = field.ZeroIsNone(a.Duration("idle_timeout"))
	case m.gap.IsSet() || h.Total.Unlimited():
		h.GapRead = m.gap
	}
}

var retryKeys = []string{
	"retry_on", "num_retries", "per_try_timeout", "per_try_idle_timeout", "retry_priority", "retry_host_predicate",
	"retry_options_predicates", "host_selection_retry_max_attempts", "retriable_status_codes", "retry_back_off",
	"rate_limited_retry_back_off", "retriable_headers", "retriable_request_headers",
}

// retries reads the retry policy of a route, or of its virtual host.
func (f *file) retries(a, host, match field.Section, h *model.Hop) {
	p := a.Sub("retry_policy", "retry_policy")
	if !p.Node.Present() {
		p = host.Sub("retry_policy", "retry_policy")
	}
	if !p.Node.Present() {
		h.Retry = field.NoRetry(h.At, "no retry_policy: Envoy tries once")
		return
	}
	p.Known(retryKeys...)
	field.Tries(&h.Retry, p.Count("num_retries"))
	if !f.conditions(p, h) {
		return
	}
	h.PerTry = field.ZeroIsNone(p.Duration("per_try_timeout"))
	if !h.PerTry.Present() || h.PerTry.Unlimited() {
		h.PerTry = field.WholeCall("per_try_timeout", h.Total, p.At)
	}
	if p.Field("per_try_idle_timeout").Present() {
		h.GapRead = field.ZeroIsNone(p.Duration("per_try_idle_timeout"))
	}
	f.backoff(p, h)
	f.hedge(a, host, h)
	h.Retry.SameHost = p.Default("same_host")
	for _, pred := range items(p.Field("retry_host_predicate")) {
		if strings.Contains(pred.Get("name").String()+typeOf(config(pred)), "revious") {
			h.Retry.SameHost = model.Value{Key: "retry_host_predicate", Unit: model.Flag, Origin: model.Set, Raw: "previous_hosts", At: pred.At}
		}
	}
	if h.Retry.Methods = methods(match); h.Retry.Methods == nil {
		h.Retry.AllMethods = p.Default("all_methods")
	}
	h.Budget = model.Budget{Scope: model.PerCluster, Supported: true}
	first, _, _ := strings.Cut(h.To, ", ")
	if c := f.clusters[first]; c != nil {
		h.Budget = c.budget
		h.Retry.Servers = servers(c)
	}
}

// conditions reads on what a route retries, and reports whether it retries at all.
func (f *file) conditions(p field.Section, h *model.Hop) bool {
	on := p.Text("retry_on")
	known, unknown := field.Conditions(on)
	h.Retry.On = known
	for _, w := range unknown {
		f.Ignored(on.At, "", "retry_on: Envoy knows no %q", w)
	}
	listed := 0
	for c := range p.Field("retriable_status_codes").Items() {
		if cond, ok := field.Condition(c.String(), c.At); ok && strings.Contains(on.Text, "retriable-status-codes") {
			h.Retry.On = append(h.Retry.On, cond)
		}
		listed++
	}
	switch {
	case !on.Present():
		f.Ignored(p.At, "retry_on: connect-failure,refused-stream", "a retry_policy without retry_on never retries")
		h.Retry = field.NoRetry(p.At, "retry_on is not set: Envoy tries once")
		return false
	case listed > 0 && on.IsSet() && !strings.Contains(on.Text, "retriable-status-codes"):
		f.Ignored(p.Field("retriable_status_codes").At, "retry_on: "+on.Text+",retriable-status-codes", "retriable_status_codes without retriable-status-codes in retry_on")
	}
	return true
}

func (f *file) backoff(p field.Section, h *model.Hop) {
	b := p.Sub("retry_back_off", "retry_back_off")
	b.Known("base_interval", "max_interval")
	h.Backoff = field.Backoff(b, "base_interval", "max_interval")
	if limited := p.Field("rate_limited_retry_back_off"); limited.Present() {
		h.Backoff.Hint = model.Value{Key: "rate_limited_retry_back_off", Unit: model.Flag, Amount: 1, Origin: model.Set, At: limited.At}
	}
}

// hedge reads whether a further request is sent when a try has timed out while the
// first goes on.
func (f *file) hedge(a, host field.Section, h *model.Hop) {
	p := a.Sub("hedge_policy", "hedge_policy")
	if !p.Node.Present() {
		p = host.Sub("hedge_policy", "hedge_policy")
	}
	p.Known("initial_requests", "additional_request_chance", "hedge_on_per_try_timeout")
	for _, key := range []string{"initial_requests", "additional_request_chance"} {
		if n := p.Field(key); n.Present() {
			f.Ignored(n.At, "", "%s is not implemented", key)
		}
	}
	if on := p.Field("hedge_on_per_try_timeout"); on.Present() && p.Flag("hedge_on_per_try_timeout").On() {
		h.Hedge = model.Hedge{Delay: h.PerTry, Max: h.Retry.Tries}
		if h.Hedge.Delay.Origin == model.Derived || math.IsInf(h.Hedge.Delay.Amount, 1) {
			h.Hedge.Ignored = "hedge_on_per_try_timeout without per_try_timeout never sends a second request"
		}
	}
}

// methods are the methods that a route takes by a header match, nil for all.
func methods(match field.Section) []model.Method {
	for _, n := range items(match.Field("headers")) {
		if !n.Get("name").Is(":method") {
			continue
		}
		exact := n.Get("string_match", "exact")
		if exact == nil {
			exact = n.Get("exact_match")
		}
		if text := exact.String(); text != "" {
			return []model.Method{{Name: text, At: exact.At}}
		}
	}
	return nil
}
