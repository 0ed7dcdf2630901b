package spring

import (
	"strings"

	"example.com/kneeline/analyze/lint/model"
	"example.com/kneeline/analyze/lint/read/bind"
)

// pools are the kinds of connection pools, by the key that holds their settings.
var pools = []struct {
	key  string
	read func(*reader, *model.Hop, *settings)
}{
	{"hikari", (*reader).hikari},
	{"druid", (*reader).druid},
	{"tomcat", (*reader).tomcatPool},
	{"dbcp2", (*reader).dbcp},
}

// maxSources bounds how deep data sources nest: those of several databases have names
// between spring.datasource and their pool.
const maxSources = 4

// datasources reads the pools of connections to databases.
func (r *reader) datasources() {
	r.source(r.s.get("spring.datasource"), "datasource", 0)
}

// source reads one data source and those below it.
func (r *reader) source(n *settings, name string, depth int) {
	if !n.present() || depth > maxSources {
		return
	}
	found := false
	for _, p := range pools {
		pool := n.get(p.key)
		if !pool.present() || p.key == "tomcat" && !pool.get("max-active").present() && !pool.get("max-wait").present() {
			continue
		}
		found = true
		if !pool.own() {
			continue
		}
		h := &model.Hop{Name: r.named(name), To: database(n, pool), Layer: model.Library, At: pool.place(r.at)}
		p.read(r, h, pool)
		r.Hop(h)
	}
	// Without a pool of its own a source with an address has Spring Boot's: HikariCP.
	if url := n.first("url", "jdbc-url"); !found && url.own() && n.get("type") == nil {
		h := &model.Hop{Name: r.named(name), To: database(n, nil), Layer: model.Library, At: url.place(r.at)}
		r.hikari(h, nil)
		r.Hop(h)
	}
	for _, k := range n.below() {
		if isPool(k.name) || k.node != nil {
			continue
		}
		r.source(k, name+" "+k.name, depth+1)
	}
}

func isPool(key string) bool {
	for _, p := range pools {
		if strings.EqualFold(p.key, key) {
			return true
		}
	}
	return false
}

// database is the host that a JDBC address names.
func database(source, pool *settings) string {
	url := firstOf(source.first("url", "jdbc-url"), pool.first("url", "jdbc-url"))
	_, rest, ok := strings.Cut(url.text(), "://")
	if !ok {
		return "database"
	}
	if end := strings.IndexAny(rest, "/?;,"); end >= 0 {
		rest = rest[:end]
	}
	if i := strings.LastIndexByte(rest, '@'); i >= 0 {
		rest = rest[i+1:]
	}
	if rest == "" || strings.Contains(rest, "$") {
		return "database"
	}
	return rest
}

var hikariKeys = []string{
	"maximum-pool-size", "max-pool-size", "minimum-idle", "min-idle", "connection-timeout", "max-lifetime", "validation-timeout", "idle-timeout", "keepalive-time", "leak-detection-threshold", "pool-name", "auto-commit",
	"connection-test-query", "connection-init-sql", "data-source-properties", "data-source-class-name", "data-source-jndi", "driver-class-name", "jdbc-url", "username", "password", "read-only",
	"register-mbeans", "schema", "transaction-isolation", "catalog", "allow-pool-suspension", "initialization-fail-timeout", "isolate-internal-queries", "health-check-properties",
	"metrics-tracker-factory", "thread-factory", "scheduled-executor", "exception-override-class-name", "credentials", "health-check-registry", "metric-registry", "connection-init-sql", "url", "is-auto-commit",
}

// hikari reads HikariCP, whose times are numbers of milliseconds.
func (r *reader) hikari(h *model.Hop, n *settings) {
	ms := func(key string, keys ...string) model.Value {
		return bind.Or(r.Duration(n.first(append(keys, key)...).scalar(), "hikari."+key, bind.Millis), r.Default("hikaricp", key, h.At))
	}
	p := &h.Pool
	p.Max = bind.Or(r.Count(n.first("maximum-pool-size", "max-pool-size").scalar(), "hikari.maximum-pool-size"), r.Default("hikaricp", "maximum-pool-size", h.At))
	p.Min = r.Count(n.first("minimum-idle", "min-idle").scalar(), "hikari.minimum-idle")
	if !p.Min.Present() && p.Max.Known() {
		p.Min = model.Of(model.Count, p.Max.Amount, "minimum-idle is as large as maximum-pool-size where it is not set")
		p.Min.Key, p.Min.At = "hikari.minimum-idle", p.Max.At
	}
	p.Wait = bind.NoLimitAtMost(ms("connection-timeout"))
	p.Lifetime = bind.NoLimitAtMost(ms("max-lifetime"))
	p.Validation = ms("validation-timeout")
	p.IdleEvict = bind.NoLimitAtMost(ms("idle-timeout"))
	r.known(n, "hikari", hikariKeys)
}

// druid reads Alibaba's pool, most of whose times are numbers of milliseconds.
func (r *reader) druid(h *model.Hop, n *settings) {
	p := &h.Pool
	p.Max = r.count("druid", n.get("max-active"), "druid.max-active", h.At)
	p.Min = r.count("druid", n.get("min-idle"), "druid.min-idle", h.At)
	p.Wait = bind.NoLimitBelow(bind.Or(r.Duration(n.get("max-wait").scalar(), "druid.max-wait", bind.Millis), r.Default("druid", "druid.max-wait", h.At)))
	p.Waiters = bind.NoLimitBelow(r.Count(n.get("max-wait-thread-count").scalar(), "druid.max-wait-thread-count"))
	p.Validation = bind.NoLimitAtMost(r.Duration(n.get("validation-query-timeout").scalar(), "druid.validation-query-timeout", bind.Seconds))
	p.Lifetime = bind.NoLimitAtMost(r.Duration(n.get("phy-timeout-millis").scalar(), "druid.phy-timeout-millis", bind.Millis))
	p.IdleEvict = r.Duration(n.get("min-evictable-idle-time-millis").scalar(), "druid.min-evictable-idle-time-millis", bind.Millis)
	h.Connect = r.Duration(n.get("connect-timeout").scalar(), "druid.connect-timeout", bind.Millis)
	h.GapRead = r.Duration(n.get("socket-timeout").scalar(), "druid.socket-timeout", bind.Millis)
	h.PerTry = bind.NoLimitAtMost(r.Duration(n.get("query-timeout").scalar(), "druid.query-timeout", bind.Seconds))
}

// tomcatPool reads the pool of Tomcat's JDBC library.
func (r *reader) tomcatPool(h *model.Hop, n *settings) {
	p := &h.Pool
	p.Max = r.count("tomcat-jdbc", n.get("max-active"), "max-active", h.At)
	p.Min = r.count("tomcat-jdbc", n.get("min-idle"), "min-idle", h.At)
	p.Wait = bind.NoLimitBelow(bind.Or(r.Duration(n.get("max-wait").scalar(), "tomcat.max-wait", bind.Millis), r.Default("tomcat-jdbc", "max-wait", h.At)))
	p.Validation = bind.NoLimitBelow(r.Duration(n.get("validation-query-timeout").scalar(), "tomcat.validation-query-timeout", bind.Seconds))
	p.Lifetime = bind.NoLimitAtMost(r.Duration(n.get("max-age").scalar(), "tomcat.max-age", bind.Millis))
	p.IdleEvict = r.Duration(n.get("min-evictable-idle-time-millis").scalar(), "tomcat.min-evictable-idle-time-millis", bind.Millis)
}

// dbcp reads Commons DBCP 2.
func (r *reader) dbcp(h *model.Hop, n *settings) {
	p := &h.Pool
	p.Max = bind.NoLimitBelow(r.count("dbcp2", n.get("max-total"), "max-total", h.At))
	p.Min = r.count("dbcp2", n.get("min-idle"), "min-idle", h.At)
	p.Wait = bind.NoLimitBelow(bind.Or(r.Duration(n.first("max-wait-millis", "max-wait").scalar(), "dbcp2.max-wait-millis", bind.MillisOrUnit), r.Default("dbcp2", "max-wait-millis", h.At)))
	p.Validation = bind.NoLimitAtMost(r.Duration(n.get("validation-query-timeout").scalar(), "dbcp2.validation-query-timeout", bind.SecondsOrUnit))
	p.Lifetime = bind.NoLimitAtMost(r.Duration(n.get("max-conn-lifetime-millis").scalar(), "dbcp2.max-conn-lifetime-millis", bind.MillisOrUnit))
}
