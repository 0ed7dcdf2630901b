package spring

import (
	"strconv"

	"example.com/kneeline/analyze/lint/model"
	"example.com/kneeline/analyze/lint/read/bind"
)

// gateways are where the releases of Spring Cloud Gateway have their settings.
var gateways = []string{"spring.cloud.gateway.server.webflux", "spring.cloud.gateway.server.webmvc", "spring.cloud.gateway.mvc", "spring.cloud.gateway"}

// gateway reads Spring Cloud Gateway: one hop for all routes, and one for each route
// that sets limits or retries of its own.
func (r *reader) gateway() {
	for _, prefix := range gateways {
		n := r.s.get(prefix)
		if !n.get("routes").own() && !n.get("default-filters").own() && !n.get("httpclient").own() {
			continue
		}
		all := &model.Hop{Name: r.named("gateway"), Layer: model.Gateway, At: n.place(r.at)}
		r.gatewayClient(all, n.get("httpclient"), prefix)
		r.filters(all, n.get("default-filters"))
		r.Hop(all)
		for _, route := range n.get("routes").below() {
			r.route(all, route, n.get("httpclient"), n.get("default-filters"))
		}
		r.limits(n)
	}
}

func (r *reader) gatewayClient(h *model.Hop, n *settings, prefix string) {
	h.Connect = bind.Or(r.Duration(n.get("connect-timeout").scalar(), "gateway.httpclient.connect-timeout", bind.MillisOrUnit), r.Default("spring-cloud-gateway", "httpclient.connect-timeout", h.At))
	h.PerTry = bind.NoLimitAtMost(bind.Or(r.Duration(n.get("response-timeout").scalar(), "gateway.httpclient.response-timeout", bind.MillisOrUnit), r.Default("spring-cloud-gateway", "httpclient.response-timeout", h.At)))
	pool := n.get("pool")
	at := pool.place(h.At)
	kind := pool.get("type").text()
	switch {
	case kind == "FIXED" || kind == "fixed":
		h.Pool.Max = bind.Or(r.Count(pool.get("max-connections").scalar(), "gateway.httpclient.pool.max-connections"), r.Default("spring-cloud-gateway", "httpclient.pool.max-connections", at))
		h.Pool.Wait = bind.Or(r.Duration(pool.get("acquire-timeout").scalar(), "gateway.httpclient.pool.acquire-timeout", bind.MillisOrUnit), r.Default("spring-cloud-gateway", "httpclient.pool.acquire-timeout", at))
	case pool.present():
		h.Pool.Max = r.Default("spring-cloud-gateway", "httpclient.pool elastic", at)
	}
	h.Pool.IdleEvict = r.Duration(pool.get("max-idle-time").scalar(), "gateway.httpclient.pool.max-idle-time", bind.MillisOrUnit)
	h.Pool.Lifetime = r.Duration(pool.get("max-life-time").scalar(), "gateway.httpclient.pool.max-life-time", bind.MillisOrUnit)
}

// filter is one filter of a route: a name with arguments, or text like Retry=3,BAD_GATEWAY.
type filter struct {
	name string
	args *settings
	// words are the arguments of the short form, in its order.
	words []word
	at    model.Position
}

func filtersOf(list *settings) []filter {
	var out []filter
	for _, k := range list.below() {
		if k.node == nil {
			out = append(out, filter{name: k.get("name").text(), args: k.get("args"), at: k.place(model.Position{})})
			continue
		}
		name, rest := cutName(k.node.Text)
		f := filter{name: name, at: k.node.At}
		if k.node.Hole == nil {
			f.words = commas(rest, k.node.At)
		}
		out = append(out, f)
	}
	return out
}

func cutName(text string) (name, rest string) {
	for i := range len(text) {
		if text[i] == '=' {
			return text[:i], text[i+1:]
		}
	}
	return text, ""
}

// filters puts retries and circuit breakers of a chain into a hop. A breaker's time
// limit is that of the whole where it stands before the retries, and of a try after.
func (r *reader) filters(h *model.Hop, list *settings) {
	retried := false
	for _, f := range filtersOf(list) {
		switch f.name {
		case "Retry":
			r.retryFilter(h, f)
			retried = true
		case "CircuitBreaker", "SpringCloudCircuitBreakerFilterFactory":
			limit := r.breakerLimit(f)
			if retried && !h.PerTry.IsSet() {
				h.PerTry = limit
			} else if !retried {
				h.Total = limit
			}
		}
	}
}

// breakerLimit is the time limit that Spring Cloud's circuit breaker of Resilience4j
// puts around a call.
func (r *reader) breakerLimit(f filter) model.Value {
	name := f.args.get("name").text()
	if name == "" && len(f.words) > 0 {
		_, name = cutName(f.words[0].text)
	}
	if r.s.get("spring.cloud.circuitbreaker.resilience4j.disable-time-limiter").text() == "true" {
		return model.Value{}
	}
	limiter := r.s.get("resilience4j.timelimiter")
	n := firstOf(child(limiter.get("instances"), name).get("timeout-duration"), limiter.get("configs.default.timeout-duration"))
	v := bind.Or(r.Duration(n.scalar(), "timelimiter.timeoutDuration", bind.MillisOrUnit), r.Default("resilience4j", "timelimiter.timeoutDuration", f.at))
	if v.Origin == model.Default {
		// Programs often set another one in code, which is not seen here.
		v.Unverified = true
	}
	return v
}

// retryFilter reads the Retry filter.
func (r *reader) retryFilter(h *model.Hop, f filter) {
	const product = "spring-cloud-gateway"
	a := f.args
	extraTries(h, bind.Or(r.Count(a.get("retries").scalar(), "Retry.retries"), r.Default(product, "Retry.retries", f.at)))
	h.Retry.On = statuses(a.get("statuses").words())
	if series := a.get("series"); series.present() {
		h.Retry.On = append(h.Retry.On, seriesOf(series.words(), false)...)
	} else {
		h.Retry.On = append(h.Retry.On, seriesOf([]word{{"SERVER_ERROR", f.at}}, true)...)
	}
	if e := a.get("exceptions"); e.present() {
		h.Retry.On = append(h.Retry.On, exceptions(e.words())...)
	} else {
		h.Retry.On = append(h.Retry.On, model.Condition{Cause: model.Reset, Word: "IOException", At: f.at, Default: true}, model.Condition{Cause: model.TimedOut, Word: "TimeoutException", At: f.at, Default: true})
	}
	h.Retry.Methods = nil
	for _, w := range a.get("methods").words() {
		h.Retry.Methods = append(h.Retry.Methods, model.Method{Name: w.text, At: w.at})
		h.Retry.MethodList = true
	}
	h.StartTry = r.Duration(a.get("timeout").scalar(), "Retry.timeout", bind.MillisOrUnit)
	h.Backoff = model.Backoff{}
	if b := a.get("backoff"); b.present() {
		h.Backoff.Base = bind.Or(r.Duration(b.get("firstBackoff").scalar(), "Retry.backoff.firstBackoff", bind.MillisOrUnit), r.Default(product, "Retry.backoff.firstBackoff", f.at))
		h.Backoff.Max = r.Duration(b.get("maxBackoff").scalar(), "Retry.backoff.maxBackoff", bind.MillisOrUnit)
		h.Backoff.Multiplier = bind.Or(r.Count(b.get("factor").scalar(), "Retry.backoff.factor"), r.Default(product, "Retry.backoff.factor", f.at))
		if jitter := a.get("jitter"); jitter.present() {
			h.Backoff.Jitter = bind.Or(r.Share(jitter.get("randomFactor").scalar(), "Retry.jitter.randomFactor", false), r.Default(product, "Retry.jitter.randomFactor", f.at))
		}
	} else {
		h.Backoff.Base = r.Default(product, "Retry.backoff", f.at)
	}
	if len(f.words) > 0 {
		r.shortRetry(h, f)
	}
}

// shortRetry takes the arguments of Retry=retries,statuses,methods,…
func (r *reader) shortRetry(h *model.Hop, f filter) {
	if n, err := strconv.Atoi(f.words[0].text); err == nil {
		extraTries(h, model.Value{Key: "Retry.retries", Raw: f.words[0].text, Unit: model.Count, Amount: float64(n), Origin: model.Set, At: f.at})
	}
	if len(f.words) > 1 {
		h.Retry.On = append(statuses(f.words[1:2]), h.Retry.On...)
	}
	if len(f.words) > 2 {
		h.Retry.Methods, h.Retry.MethodList = []model.Method{{Name: f.words[2].text, At: f.at}}, false
	}
}

// seriesOf are classes of statuses as causes.
func seriesOf(words []word, byDefault bool) []model.Condition {
	var out []model.Condition
	for _, w := range words {
		switch w.text {
		case "SERVER_ERROR":
			out = append(out, model.Condition{Cause: model.ServerFault, Word: w.text, At: w.at, Default: byDefault}, model.Condition{Cause: model.Shed, Word: w.text, At: w.at, Default: byDefault},
				model.Condition{Cause: model.Unavailable, Word: w.text, At: w.at, Default: byDefault})
		case "CLIENT_ERROR":
			out = append(out, model.Condition{Cause: model.ClientFault, Word: w.text, At: w.at, Default: byDefault})
		}
	}
	return out
}

// route reads one route, if it has limits or retries of its own.
func (r *reader) route(all *model.Hop, n, client, common *settings) {
	connect, response := n.get("metadata.connect-timeout"), n.get("metadata.response-timeout")
	own := connect.present() || response.present()
	for _, f := range filtersOf(n.get("filters")) {
		own = own || f.name == "Retry" || f.name == "CircuitBreaker"
	}
	if !own || !n.own() && !client.own() {
		return
	}
	id := n.get("id").text()
	if id == "" {
		id = n.get("uri").text()
	}
	h := *all
	h.Name, h.To, h.At, h.Doubles = r.named("route "+id), n.get("uri").text(), n.get("id").place(n.place(all.At)), nil
	outer := all.Retry
	h.Connect = bind.Or(r.Duration(connect.scalar(), "route.metadata.connect-timeout", bind.Millis), all.Connect)
	if v := r.Duration(response.scalar(), "route.metadata.response-timeout", bind.Millis); v.Present() {
		h.PerTry = v
		if v.IsSet() && v.Amount < 0 {
			h.PerTry = bind.NoLimitBelow(v)
		}
	}
	h.Retry = model.Retry{}
	r.filters(&h, n.get("filters"))
	switch {
	case !h.Retry.Tries.Present():
		h.Retry = outer
	case outer.Tries.Finite() && h.Retry.Tries.Finite(): // the filters of all routes stand around those of one
		both := model.Of(model.Count, outer.Tries.Amount*h.Retry.Tries.Amount, "tries of default-filters × tries of the route's own filter")
		both.Key, both.At = h.Retry.Tries.Key, h.Retry.Tries.At
		h.Retry.Tries, h.Retry.Dialect = both, model.ProductOf
	}
	r.Hop(&h)
}

// limits reads rate limiters, which refuse what is over them.
func (r *reader) limits(n *settings) {
	svc := &model.Service{Name: r.named("gateway"), At: n.place(r.at)}
	lists := []*settings{n.get("default-filters")}
	for _, route := range n.get("routes").below() {
		lists = append(lists, route.get("filters"))
	}
	for _, list := range lists {
		for _, f := range filtersOf(list) {
			rate := f.args.get("redis-rate-limiter.replenishRate")
			if f.name != "RequestRateLimiter" || !rate.own() {
				continue
			}
			v := r.Count(rate.scalar(), "redis-rate-limiter.replenishRate")
			v.Unit = model.PerSecond
			svc.SheddingLimits = append(svc.SheddingLimits, v)
		}
	}
	if len(svc.SheddingLimits) > 0 {
		r.Service(svc)
	}
}
