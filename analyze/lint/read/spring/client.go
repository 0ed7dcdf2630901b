package spring

import (
	"strings"

	"example.com/kneeline/analyze/lint/model"
	"example.com/kneeline/analyze/lint/read/bind"
)

// redis reads the connection to Redis and its pool, which there is only where a key of
// the pool is set.
func (r *reader) redis() {
	for _, prefix := range []string{"spring.data.redis", "spring.redis"} {
		n := r.s.get(prefix)
		pool := n.first("lettuce.pool", "jedis.pool")
		if !n.get("timeout").own() && !n.get("connect-timeout").own() && !pool.own() {
			continue
		}
		h := &model.Hop{Name: r.named("redis"), To: "redis", Layer: model.Library, At: n.place(r.at)}
		if host := n.get("host").text(); host != "" && !strings.Contains(host, "$") {
			h.To = host
		}
		jedis := n.get("jedis.pool").present() || n.get("client-type").text() == "jedis"
		timeout := r.Duration(n.get("timeout").scalar(), prefix+".timeout", bind.MillisOrUnit)
		if jedis { // a wait for bytes, where Lettuce limits the whole command
			h.GapRead = timeout
		} else {
			h.Total = bind.Or(timeout, r.Default("lettuce", "timeout", h.At))
		}
		h.Connect = r.Duration(n.get("connect-timeout").scalar(), prefix+".connect-timeout", bind.MillisOrUnit)
		if pool.present() {
			key := prefix + ".lettuce.pool."
			if jedis {
				key = prefix + ".jedis.pool."
			}
			at := pool.place(h.At)
			h.Pool.Max = bind.NoLimitBelow(r.redisPool(pool, "max-active", key, at))
			h.Pool.Min = r.redisPool(pool, "min-idle", key, at)
			h.Pool.Wait = bind.NoLimitBelow(bind.Or(r.Duration(pool.get("max-wait").scalar(), key+"max-wait", bind.MillisOrUnit), r.Default("spring-boot", "redis.pool.max-wait", at)))
		}
		r.Hop(h)
	}
}

func (r *reader) redisPool(pool *settings, key, prefix string, at model.Position) model.Value {
	v := bind.Or(r.Count(pool.get(key).scalar(), prefix+key), r.Default("spring-boot", "redis.pool."+key, at))
	return v
}

// elasticsearch reads the client of Elasticsearch.
func (r *reader) elasticsearch() {
	n := r.s.first("spring.elasticsearch", "spring.elasticsearch.rest")
	connect, socket := n.get("connection-timeout"), n.get("socket-timeout")
	if !connect.own() && !socket.own() {
		return
	}
	h := &model.Hop{Name: r.named("elasticsearch"), To: "elasticsearch", Layer: model.Library, At: n.place(r.at)}
	h.Connect = r.duration("spring-boot", connect, "spring.elasticsearch.connection-timeout", h.At)
	h.GapRead = r.duration("spring-boot", socket, "spring.elasticsearch.socket-timeout", h.At)
	r.Hop(h)
}

// httpClient reads the limits of RestTemplate, RestClient and WebClient.
func (r *reader) httpClient() {
	for _, prefix := range []string{"spring.http.clients", "spring.http.client", "spring.http.reactiveclient"} {
		n := r.s.get(prefix)
		connect, read := n.first("connect-timeout", "settings.connect-timeout"), n.first("read-timeout", "settings.read-timeout")
		if !connect.own() && !read.own() {
			continue
		}
		h := &model.Hop{Name: r.named(prefix), Layer: model.Library, At: n.place(r.at)}
		h.Connect = r.Duration(connect.scalar(), prefix+".connect-timeout", bind.MillisOrUnit)
		h.GapRead = bind.Or(r.Duration(read.scalar(), prefix+".read-timeout", bind.MillisOrUnit), r.Default("spring-boot", "spring.http.client.read-timeout", h.At))
		r.Hop(h)
	}
}

// feign reads OpenFeign's clients.
func (r *reader) feign() {
	n := firstOf(r.s.get("spring.cloud.openfeign"), r.s.get("feign"))
	if !n.present() {
		return
	}
	clients := n.get("client.config")
	http := n.get("httpclient")
	found := false
	for _, c := range clients.below() {
		if c.own() && len(c.kids) > 0 {
			r.feignClient(c, clients.get("default"), http)
			found = true
		}
	}
	if pool := n.first("httpclient.max-connections", "httpclient.max-connections-per-route", "httpclient.connection-timeout"); !found && pool.own() {
		h := &model.Hop{Name: r.named("feign httpclient"), Layer: model.Library, At: http.place(r.at)}
		r.feignPool(h, http)
		h.Connect = bind.Or(r.Duration(http.get("connection-timeout").scalar(), "feign.httpclient.connection-timeout", bind.Millis), r.Default("openfeign", "httpclient.connection-timeout", h.At))
		r.Hop(h)
	}
}

// feignClient reads one client, over the one called default.
func (r *reader) feignClient(c, base, http *settings) {
	h := &model.Hop{Name: r.named("feign " + c.name), Layer: model.Library, At: c.place(r.at)}
	if c != base {
		h.To = c.name
	}
	pick := func(key string) *settings { return firstOf(c.get(key), base.get(key)) }
	h.Connect = bind.Or(r.Duration(pick("connect-timeout").scalar(), "feign "+c.name+".connectTimeout", bind.Millis), r.Default("openfeign", "connectTimeout", h.At))
	h.GapRead = bind.Or(r.Duration(pick("read-timeout").scalar(), "feign "+c.name+".readTimeout", bind.Millis), r.Default("openfeign", "readTimeout", h.At))
	h.Retry.Tries = r.Default("openfeign", "retryer", h.At)
	if v := r.Text(pick("retryer").scalar(), "feign "+c.name+".retryer"); v.IsSet() && (strings.HasSuffix(v.Text, "Retryer.Default") || strings.HasSuffix(v.Text, "Retryer$Default")) {
		tries := r.Default("openfeign", "Retryer.Default.maxAttempts", v.At)
		bind.TotalTries(&h.Retry, tries)
		h.Backoff.Base = r.Default("openfeign", "Retryer.Default.period", v.At)
		h.Backoff.Multiplier = r.Default("openfeign", "Retryer.Default.multiplier", v.At)
		h.Backoff.Max = r.Default("openfeign", "Retryer.Default.maxPeriod", v.At)
		h.Backoff.Jitter = r.Default("openfeign", "Retryer.Default.jitter", v.At)
		h.Retry.On = []model.Condition{{Cause: model.Reset, Word: "IOException", At: v.At, Default: true}}
		h.Retry.AllMethods = model.Value{Key: v.Key, Raw: v.Raw, Text: v.Text, Unit: model.Flag, Amount: 1, Origin: model.Set, At: v.At}
	}
	if http.present() {
		r.feignPool(h, http)
	}
	r.known(c, "feign client "+c.name, feignKeys)
	r.Hop(h)
	r.aroundFeign(h, c.name)
}

// aroundFeign adds the limit that a circuit breaker of the application puts around the
// calls of a client: one of Hystrix, or one of Spring Cloud with the time limiter of
// Resilience4j.
func (r *reader) aroundFeign(inner *model.Hop, name string) {
	outer := &model.Hop{To: inner.To, Layer: model.App, At: inner.At}
	commands := r.s.get("hystrix.command")
	command := firstOf(child(commands, name), commands.get("default"))
	switch {
	case command.present() && r.s.get("feign.hystrix.enabled").text() != "false":
		key := "execution.isolation.thread.timeoutInMilliseconds"
		outer.Name, outer.At = r.named("hystrix around feign "+name), command.place(inner.At)
		outer.Total = bind.Or(r.Duration(firstOf(command.get(key), commands.get("default").get(key)).scalar(), "hystrix."+key, bind.Millis), r.Default("hystrix", key, outer.At))
		if firstOf(command.get("execution.timeout.enabled"), commands.get("default.execution.timeout.enabled")).text() == "false" {
			return
		}
	case r.s.first("spring.cloud.openfeign.circuitbreaker.enabled", "feign.circuitbreaker.enabled").text() == "true":
		outer.Name = r.named("circuit breaker around feign " + name)
		outer.Total = r.breakerLimit(filter{args: (*settings)(nil), words: []word{{"name=" + name, inner.At}}, at: inner.At})
	}
	if outer.Total.Present() {
		r.Hop(outer)
	}
}

var feignKeys = []string{
	"connect-timeout", "read-timeout", "logger-level", "retryer", "error-decoder", "request-interceptors", "default-request-headers", "default-query-parameters", "dismiss404", "decode404",
	"encoder", "decoder", "contract", "exception-propagation-policy", "capabilities", "query-map-encoder", "micrometer", "follow-redirects", "metrics", "response-interceptor", "response-interceptors", "url",
}

func (r *reader) feignPool(h *model.Hop, n *settings) {
	h.Pool.Max = bind.Or(r.Count(n.get("max-connections-per-route").scalar(), "feign.httpclient.max-connections-per-route"), r.Default("openfeign", "httpclient.max-connections-per-route", h.At))
	total := bind.Or(r.Count(n.get("max-connections").scalar(), "feign.httpclient.max-connections"), r.Default("openfeign", "httpclient.max-connections", h.At))
	bind.Set(&h.Extra, total)
	h.Pool.Lifetime = bind.Or(r.Duration(n.get("time-to-live").scalar(), "feign.httpclient.time-to-live", bind.Seconds), r.Default("openfeign", "httpclient.time-to-live", h.At))
}

// loadBalancer reads the retries of Spring Cloud LoadBalancer.
func (r *reader) loadBalancer() {
	n := r.s.get("spring.cloud.loadbalancer.retry")
	if !n.own() || n.get("enabled").text() == "false" {
		return
	}
	const prefix = "spring.cloud.loadbalancer.retry."
	h := &model.Hop{Name: r.named("load balancer"), Layer: model.Library, At: n.place(r.at)}
	same := r.count("spring-cloud", n.get("max-retries-on-same-service-instance"), prefix+"max-retries-on-same-service-instance", h.At)
	next := r.count("spring-cloud", n.get("max-retries-on-next-service-instance"), prefix+"max-retries-on-next-service-instance", h.At)
	product(&h.Retry, same, next)
	all := r.Flag(n.get("retry-on-all-operations").scalar(), prefix+"retry-on-all-operations")
	h.Retry.AllMethods = all
	h.Retry.On = append(statuses(n.get("retryable-status-codes").words()), model.Condition{Cause: model.Reset, Word: "IOException", At: h.At, Default: true})
	if n.get("backoff.enabled").text() == "true" {
		h.Backoff.Base = r.duration("spring-cloud", n.get("backoff.min-backoff"), prefix+"backoff.min-backoff", h.At)
		h.Backoff.Max = r.Duration(n.get("backoff.max-backoff").scalar(), prefix+"backoff.max-backoff", bind.MillisOrUnit)
		h.Backoff.Jitter = r.Share(n.get("backoff.jitter").scalar(), prefix+"backoff.jitter", false)
		h.Backoff.Multiplier = r.Default("spring-cloud", prefix+"backoff multiplier", h.At)
	} else {
		h.Backoff.Base = r.Default("spring-cloud", prefix+"no backoff", h.At)
	}
	r.Hop(h)
}
