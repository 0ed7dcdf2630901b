package d2

import (
	"strings"

	"example.com/kneeline/analyze/lint/model"
	"example.com/kneeline/analyze/lint/read"
	"example.com/kneeline/analyze/lint/read/bind"
	"example.com/kneeline/analyze/lint/tree"
)

// Name is the format's name.
const Name = "d2"

// Partitions is the key of [model.Hop.Extra] for the number of groups of hosts of a
// service's cluster.
const Partitions = "partitions"

// Reader reads D2 configurations.
var Reader = read.Object{
	Name:      Name,
	Gate:      []string{"d2Clusters", "clusterServiceConfigurations", "transportClientProperties"},
	Recognise: func(_ string, root *tree.Node) bool { return recognise(root) },
	Read:      readRoot,
}

// clusterKeys hold the clusters in older and newer configurations, defaultKeys what
// holds for the services of all of them.
var (
	clusterKeys = []string{"d2Clusters", "clusterServiceConfigurations"}
	defaultKeys = []string{"defaultServiceProperties", "serviceDefaults"}
)

func recognise(root *tree.Node) bool {
	if root == nil || root.Kind != tree.Map {
		return false
	}
	for _, key := range clusterKeys {
		if n := root.Get(key); n.Present() && n.Kind == tree.Map {
			return true
		}
	}
	t := root.Get("transportClientProperties")
	return t.Present() && t.Kind == tree.Map && (root.Get("serviceName").Present() || root.Get("clusterName").Present())
}

type reader struct {
	*bind.Binder
	// defaults are the properties that all services have, and where a setting that
	// neither has is missing.
	defaults *tree.Node
	at       model.Position
}

func readRoot(in *read.Input, root *tree.Node) []*model.Document {
	r := &reader{Binder: bind.New(in, root.At.Line, Name, "d2", "D2"), at: root.At}
	for _, key := range defaultKeys {
		if n := root.Get(key); n.Present() {
			r.defaults, r.at = n, n.KeyAt
		}
	}
	for _, key := range clusterKeys {
		for name, c := range root.Get(key).Fields() {
			r.cluster(name, c)
		}
		if n := root.Get(key); n.Present() && r.at == root.At {
			r.at = n.KeyAt
		}
	}
	if len(r.Doc.Hops) == 0 && root.Get("transportClientProperties").Present() {
		r.at = root.Get("transportClientProperties").KeyAt
		r.service(root.Get("serviceName").String(), root, nil)
	}
	return r.Documents()
}

func (r *reader) cluster(name string, c *tree.Node) {
	for service, n := range c.Get("services").Fields() {
		if n.Kind == tree.Map {
			r.service(service, n, c.Get("partitionProperties"))
		}
	}
}

// service reads how one service is called.
func (r *reader) service(name string, n, partitions *tree.Node) {
	h := &model.Hop{Name: "service " + name, To: name, Match: n.Get("path").String(), Layer: model.Library, At: n.KeyAt}
	if h.At.Line == 0 {
		h.At = n.At
	}
	r.transport(h, properties{r, n, "transportClientProperties"})
	r.degrader(h, properties{r, n, "degraderProperties"})
	r.backup(h, firstOf(n.Get("backupRequests"), r.defaults.Get("backupRequests")))
	count := r.Count(partitions.Get("partitionCount"), Partitions)
	bind.Set(&h.Extra, count)
	r.Hop(h)
}

func firstOf(a, b *tree.Node) *tree.Node {
	if a.Present() {
		return a
	}
	return b
}

// properties are the settings of one group: the service's own over those of all.
type properties struct {
	r     *reader
	own   *tree.Node
	group string
}

// node finds a setting, whose name has http. or degrader. before it in older
// configurations.
func (p properties) node(prefix, key string) *tree.Node {
	for _, n := range []*tree.Node{p.own.Get(p.group), p.r.defaults.Get(p.group)} {
		if v := firstOf(n.Get(prefix+key), n.Get(key)); v.Present() {
			return v
		}
	}
	return nil
}

func (p properties) millis(key string) model.Value {
	return bind.Or(p.r.Duration(p.node("http.", key), "http."+key, bind.Millis), p.r.Default("d2", "http."+key, p.r.at))
}

func (p properties) count(key string) model.Value {
	return bind.Or(p.r.Count(p.node("http.", key), "http."+key), p.r.Default("d2", "http."+key, p.r.at))
}

func (r *reader) transport(h *model.Hop, p properties) {
	h.Total, h.Connect = p.millis("requestTimeout"), p.millis("connectTimeout")
	h.Idle = p.millis("idleTimeout")
	if v := r.Duration(p.node("http.", "streamingTimeout"), "http.streamingTimeout", bind.Millis); v.IsSet() && v.Amount > 0 {
		h.GapRead = v
	}
	h.Pool.Max, h.Pool.Min = p.count("poolSize"), p.count("poolMinSize")
	h.Pool.PerServer = true
	h.Pool.Waiters = bind.NoLimitFromInt(p.count("poolWaiterSize"))
	h.Pool.Wait = p.millis("channelPoolWaiterTimeout")
	h.Budget = model.Budget{Supported: true, Scope: model.PerService}
	h.Budget.Ratio = bind.Or(r.Share(p.node("http.", "maxClientRequestRetryRatio"), "http.maxClientRequestRetryRatio", false), r.Default("d2", "http.maxClientRequestRetryRatio", r.at))
	if v := r.Text(p.node("", "allowedClientOverrideKeys"), "allowedClientOverrideKeys"); v.IsSet() && strings.Contains(v.Text, "imeout") {
		h.CallerOverrides = v
	}
	for _, n := range []*tree.Node{p.own.Get(p.group), r.defaults.Get(p.group)} {
		if n != nil && (n.Parent != r.defaults || len(r.Doc.Hops) == 0) {
			r.known(n)
		}
	}
}

func (r *reader) degrader(h *model.Hop, p properties) {
	h.Breaker.Rate = r.Share(p.node("degrader.", "highErrorRate"), "degrader.highErrorRate", false)
	h.Breaker.MinCalls = r.Count(p.node("degrader.", "minCallCount"), "degrader.minCallCount")
	for _, key := range []string{"lowLatency", "highLatency"} {
		bind.Set(&h.Extra, r.Duration(p.node("degrader.", key), "degrader."+key, bind.Millis))
	}
}

// backup reads backup requests: second ones that are sent where the first is late, as
// long as they stay below a share of all.
func (r *reader) backup(h *model.Hop, list *tree.Node) {
	for b := range list.Items() {
		strategy := b.Get("strategy")
		for _, s := range strategy.Fields() { // under the name of the strategy's class
			if s.Kind == tree.Map {
				strategy = s
				break
			}
		}
		cost := r.Share(strategy.Get("cost"), "backupRequests.cost", true)
		if !cost.Present() {
			continue
		}
		bind.Set(&h.Extra, cost)
		h.Hedge.Max = model.Of(model.Count, 2, "one backup request")
		h.Hedge.Max.Key, h.Hedge.Max.At = "backupRequests", cost.At
		h.Hedge.Delay = r.Duration(strategy.Get("minBackupDelayMs"), "minBackupDelayMs", bind.Millis)
		if op := b.Get("operation"); op.Present() {
			name, _, _ := strings.Cut(op.String(), ":")
			h.Retry.Methods = append(h.Retry.Methods, model.Method{Name: strings.ToUpper(name), At: op.At})
		}
	}
}

// keys are the transport properties, without the http. that may stand before them.
var keys = []string{
	"requestTimeout", "connectTimeout", "idleTimeout", "sslIdleTimeout", "shutdownTimeout", "gracefulShutdownTimeout", "streamingTimeout", "poolSize", "poolMinSize", "poolWaiterSize", "poolStrategy",
	"poolStatsNamePrefix", "maxResponseSize", "maxHeaderSize", "maxChunkSize", "maxConcurrentConnections", "maxClientRequestRetryRatio", "queryPostThreshold", "responseCompressionOperations",
	"responseContentEncodings", "requestContentEncodings", "useResponseCompression", "tcpNoDelay", "protocolVersion", "allowedClientOverrideKeys", "sslContext", "sslParams", "channelPoolWaiterTimeout",
	"sslSessionResumptionEnabled", "useRawTcp", "udsAddress", "serviceName", "comment",
}

func (r *reader) known(n *tree.Node) {
	set := map[string]bool{}
	for _, k := range keys {
		set[k] = true
	}
	for key, c := range n.Fields() {
		if plain := strings.TrimPrefix(key, "http."); !set[plain] {
			r.Unknown(plain, "transportClientProperties", keys, c.KeyAt)
		}
	}
}
