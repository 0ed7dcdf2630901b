package spring

import (
	"strconv"

	"example.com/kneeline/analyze/lint/model"
	"example.com/kneeline/analyze/lint/read/bind"
	"example.com/kneeline/analyze/lint/tree"
)

// modules are the parts of Resilience4j, each with instances of its own names.
var modules = []string{"retry", "timelimiter", "circuitbreaker", "bulkhead", "thread-pool-bulkhead", "ratelimiter"}

// resilience reads Resilience4j: what holds for one name in all modules is one hop.
func (r *reader) resilience() {
	root := r.s.get("resilience4j")
	if !root.own() {
		return
	}
	seen := map[string]bool{}
	found := false
	for _, m := range modules {
		n := root.get(m)
		r.known(n, "resilience4j."+m, append([]string{"instances", "configs", "backends", "metrics", "events", "tags", "limits"}, m+"-aspect-order", "timeLimiterAspectOrder", "circuitBreakerAspectOrder", "rateLimiterAspectOrder", "bulkheadAspectOrder", "retryAspectOrder"))
		for _, group := range []string{"instances", "backends"} {
			for _, k := range n.get(group).below() {
				if len(k.kids) == 0 && !(k.node != nil && k.node.Text == "") {
					continue
				}
				found = true
				if id := tree.Relaxed(k.name); !seen[id] && r.ownInstance(root, k.name) {
					seen[id] = true
					r.instance(root, k.name, k)
				}
			}
		}
	}
	if !found {
		for _, m := range modules {
			if c := root.get(m + ".configs.default"); c.own() {
				r.instance(root, "default", c)
				return
			}
		}
	}
}

// ownInstance reports whether the document sets a key of the name or of what it
// inherits.
func (r *reader) ownInstance(root *settings, name string) bool {
	for _, m := range modules {
		if n := root.get(m); n.get("instances."+name).own() || n.get("backends."+name).own() || n.get("configs").own() {
			return true
		}
	}
	return false
}

// module is one module's settings for a name: the instance's, those of the
// configuration that it is based on, and the defaults of the library.
type module struct {
	r    *reader
	name string
	own  *settings
	base *settings
	// any marks what holds for names that the file does not list.
	any bool
	at  model.Position
}

func (r *reader) module(root *settings, name, instance string, at model.Position) module {
	n := root.get(name)
	m := module{r: r, name: name, at: at, any: instance == "default"}
	if instance != "default" || n.get("instances.default").present() {
		m.own = firstOf(child(n.get("instances"), instance), child(n.get("backends"), instance))
	}
	m.base = n.get("configs.default")
	if based := m.own.get("base-config").text(); based != "" {
		m.base = child(n.get("configs"), based)
	}
	m.at = m.own.place(m.base.place(at))
	return m
}

// child finds a name that may have dots in it.
func child(n *settings, name string) *settings {
	if n == nil {
		return nil
	}
	return n.index[tree.Relaxed(name)]
}

// used reports whether the file sets the module up for the name.
func (m module) used() bool { return m.own != nil || m.any && m.base.present() }

func (m module) pick(keys ...string) *settings {
	return firstOf(m.own.first(keys...), m.base.first(keys...))
}

func (m module) key(key string) string { return m.name + "." + key }

func (m module) duration(keys ...string) model.Value {
	return bind.Or(m.r.Duration(m.pick(keys...).scalar(), m.key(keys[0]), bind.MillisOrUnit), m.r.Default("resilience4j", m.key(keys[0]), m.at))
}

func (m module) count(keys ...string) model.Value {
	return bind.Or(m.r.Count(m.pick(keys...).scalar(), m.key(keys[0])), m.r.Default("resilience4j", m.key(keys[0]), m.at))
}

func (m module) flag(key string) model.Value {
	return bind.Or(m.r.Flag(m.pick(key).scalar(), m.key(key)), m.r.Default("resilience4j", m.key(key), m.at))
}

func (r *reader) instance(root *settings, name string, n *settings) {
	h := &model.Hop{Name: r.named("resilience4j " + name), Layer: model.App, At: n.place(r.at)}
	if name != "default" {
		h.To = name
	}
	retry := r.module(root, "retry", name, h.At)
	if retry.used() {
		retry.retry(h)
	}
	if m := r.module(root, "timelimiter", name, h.At); m.used() {
		limit := m.duration("timeoutDuration")
		h.CancelsWork = m.flag("cancelRunningFuture")
		if retry.used() && !limiterOutside(root) {
			h.PerTry = limit
		} else {
			h.Total = limit
		}
	}
	if m := r.module(root, "circuitbreaker", name, h.At); m.used() {
		m.breaker(h)
	}
	if m := r.module(root, "bulkhead", name, h.At); m.used() {
		h.Caps.Requests, h.Caps.QueueWait = m.count("maxConcurrentCalls", "maxConcurrentCall"), m.duration("maxWaitDuration", "maxWaitTime")
	}
	if m := r.module(root, "thread-pool-bulkhead", name, h.At); m.used() {
		h.Caps.Requests, h.Caps.Queue = m.count("maxThreadPoolSize"), m.count("queueCapacity")
	}
	if m := r.module(root, "ratelimiter", name, h.At); m.used() {
		for _, v := range []model.Value{m.count("limitForPeriod"), m.duration("limitRefreshPeriod", "limitRefreshPeriodInNanos"), m.duration("timeoutDuration", "timeoutInMillis")} {
			bind.Set(&h.Extra, v)
		}
	}
	r.Hop(h)
}

// limiterOutside reports whether the order of the aspects puts the limiter around the
// retries. The one with the smaller number is outside.
func limiterOutside(root *settings) bool {
	limiter, set := order(root.get("timelimiter.timeLimiterAspectOrder"))
	retry, retrySet := order(root.get("retry.retryAspectOrder"))
	switch {
	case set && retrySet:
		return limiter < retry
	case set: // the default of the retries is near the largest number there is
		return true
	}
	return false
}

// order reads the number of an aspect.
func order(s *settings) (int, bool) {
	n, err := strconv.Atoi(s.text())
	return n, err == nil
}

var retryKeys = []string{
	"maxAttempts", "maxRetryAttempts", "waitDuration", "enableExponentialBackoff", "exponentialBackoffMultiplier", "exponentialMaxWaitDuration", "enableRandomizedWait", "randomizedWaitFactor",
	"retryExceptions", "ignoreExceptions", "retryExceptionPredicate", "resultPredicate", "consumeResultBeforeRetryAttempt", "intervalBiFunction", "eventConsumerBufferSize", "failAfterMaxAttempts",
	"baseConfig", "registerHealthIndicator", "intervalFunction", "ignoreExceptionPredicate",
}

func (m module) retry(h *model.Hop) {
	bind.TotalTries(&h.Retry, m.count("maxAttempts", "maxRetryAttempts"))
	h.Retry.On = exceptions(m.pick("retryExceptions").words())
	if len(h.Retry.On) == 0 && !m.pick("retryExceptionPredicate").present() {
		h.Retry.On = []model.Condition{{Cause: model.OtherCause, Word: "any exception", At: m.at, Default: true}}
	}
	b := &h.Backoff
	b.Base = m.duration("waitDuration")
	b.Multiplier, b.Jitter = m.flag("enableExponentialBackoff"), m.flag("enableRandomizedWait")
	if b.Multiplier.On() {
		b.Multiplier = m.count("exponentialBackoffMultiplier")
		b.Max = m.r.Duration(m.pick("exponentialMaxWaitDuration").scalar(), m.key("exponentialMaxWaitDuration"), bind.MillisOrUnit)
	} else if b.Multiplier.Known() {
		b.Multiplier.Unit, b.Multiplier.Amount = model.Count, 1
	}
	if b.Jitter.On() {
		b.Jitter = bind.Or(m.r.Share(m.pick("randomizedWaitFactor").scalar(), m.key("randomizedWaitFactor"), false), m.r.Default("resilience4j", m.key("randomizedWaitFactor"), m.at))
	} else if b.Jitter.Known() {
		b.Jitter.Unit, b.Jitter.Amount = model.Ratio, 0
	}
	m.r.known(m.own, "resilience4j.retry instance", retryKeys)
	m.r.known(m.base, "resilience4j.retry config", retryKeys)
}

func (m module) breaker(h *model.Hop) {
	b := &h.Breaker
	b.Rate = bind.Or(m.r.Share(m.pick("failureRateThreshold").scalar(), m.key("failureRateThreshold"), true), m.r.Default("resilience4j", m.key("failureRateThreshold"), m.at))
	b.MinCalls = m.count("minimumNumberOfCalls", "ringBufferSizeInClosedState")
	b.Open = m.duration("waitDurationInOpenState", "waitInterval")
	if m.pick("slidingWindowType").text() == "TIME_BASED" {
		b.Window = m.r.Duration(m.pick("slidingWindowSize").scalar(), m.key("slidingWindowSize"), bind.Seconds)
		return
	}
	bind.Set(&h.Extra, m.count("slidingWindowSize"))
}
