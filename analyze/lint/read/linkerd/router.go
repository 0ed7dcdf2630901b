package linkerd

import (
	"strconv"
	"strings"

	"example.com/kneeline/analyze/lint/model"
	"example.com/kneeline/analyze/lint/read"
	"example.com/kneeline/analyze/lint/read/field"
	"example.com/kneeline/analyze/lint/tree"
)

// Linkerd1 reads the routers of linkerd 1.
var Linkerd1 = read.Object{
	Name: "linkerd1", Gate: []string{"routers"},
	Recognise: func(_ string, root *tree.Node) bool {
		for _, r := range maps(root.Get("routers")) {
			if r.Get("protocol").String() != "" {
				return true
			}
		}
		return false
	},
	Read: readRouters,
}

func readRouters(in *read.Input, root *tree.Node) []*model.Document {
	r := field.New(in, root, "linkerd1", "linkerd1", "linkerd 1", field.Millis)
	for i, n := range maps(root.Get("routers")) {
		router(r.Section("router", n, n.At), i)
	}
	return r.Documents()
}

// router adds the hop of a router and the services of its servers.
func router(s field.Section, index int) {
	s.At = s.Node.At
	name := s.Field("label").String()
	if name == "" {
		name = s.Field("protocol").String() + " " + strconv.Itoa(index+1)
	}
	service, client := s.Sub("service", "service"), s.Sub("client", "client")
	service.Known("kind", "configs", "totalTimeoutMs", "retries", "responseClassifier")
	h := &model.Hop{
		Name: "router " + name, Layer: model.Sidecar, At: s.At, Total: field.ZeroIsNone(service.Duration("totalTimeoutMs")),
		PerTry: client.Duration("requestAttemptTimeoutMs"),
	}
	pool := client.Sub("hostConnectionPool", "hostConnectionPool")
	h.Pool = model.Pool{Min: pool.Count("minSize"), Max: pool.Count("maxSize"), IdleEvict: pool.Duration("idleTimeMs"), Waiters: pool.Count("maxWaiters")}
	accrual := client.Sub("failureAccrual", "failureAccrual")
	if accrual.Field("failures").Present() {
		h.Breaker.Errors = accrual.Count("failures")
	}
	routerRetries(service, h)
	s.Hop(h)
	for _, n := range maps(s.Field("servers")) {
		server(s.Section("server", n, n.At), name)
	}
}

func routerRetries(service field.Section, h *model.Hop) {
	class := service.Sub("responseClassifier", "responseClassifier")
	kind := class.Text("kind")
	if !kind.IsSet() || !strings.Contains(strings.ToLower(kind.Text), ".retryable") {
		h.Retry = field.NoRetry(h.At, "no retryable responseClassifier: a request that was sent is tried once")
		return
	}
	h.Retry = byBudget(kind)
	h.Retry.On = []model.Condition{{Cause: model.ServerFault, Word: kind.Text, At: kind.At}}
	if strings.Contains(kind.Text, "retryableAll") {
		h.Retry.AllMethods = model.Value{Key: "responseClassifier", Raw: kind.Text, Unit: model.Flag, Amount: 1, Origin: model.Set, At: kind.At}
	}
	retries := service.Sub("retries", "retries")
	retries.Known("budget", "backoff")
	b := retries.Sub("budget", "budget")
	b.Known("minRetriesPerSec", "percentCanRetry", "ttlSecs")
	h.Budget = model.Budget{Scope: model.PerService, Supported: true, Ratio: b.Share("percentCanRetry", false), Floor: b.Count("minRetriesPerSec")}
	h.Budget.Floor.Unit = model.PerSecond
	window := b
	reader := *b.Reader
	reader.Style = field.Seconds
	window.Reader = &reader
	h.Budget.Window = window.Duration("ttlSecs")
	wait := retries.Sub("backoff", "backoff")
	switch wait.Field("kind").String() {
	case "constant":
		h.Backoff = model.Backoff{Base: wait.Duration("ms"), Multiplier: wait.Default("constant_multiplier")}
	case "jittered":
		h.Backoff = model.Backoff{Base: wait.Duration("minMs"), Max: wait.Duration("maxMs"), Multiplier: wait.Default("multiplier"), Jitter: wait.Default("jitter")}
	default:
		h.Backoff.Base = wait.Default("ms")
	}
}

// server adds the service of one listening server of a router.
func server(s field.Section, router string) {
	s.At = s.Node.At
	svc := &model.Service{Name: "server of router " + router, At: s.At}
	svc.Listen.Address = s.Field("ip").String() + ":" + s.Field("port").String()
	if s.Field("timeoutMs").Present() {
		svc.Exec.Total = s.Duration("timeoutMs")
	}
	if s.Field("maxConcurrentRequests").Present() {
		svc.SheddingLimits = append(svc.SheddingLimits, s.Count("maxConcurrentRequests"))
	}
	s.Service(svc)
}
