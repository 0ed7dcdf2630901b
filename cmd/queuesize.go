package cmd

import (
	"time"

	"github.com/spf13/cobra"

	"example.com/kneeline/analyze/queue"
	"example.com/kneeline/analyze/queue/server"
	"example.com/kneeline/internal/fault"
	"example.com/kneeline/internal/finding"
	"example.com/kneeline/internal/units"
)

// queuesizeOptions are the flags of `kneeline queuesize`.
type queuesizeOptions struct {
	from string

	capacity    intervalValue
	timeout     units.DurationValue
	serviceTime units.DurationValue
	serviceP99  units.DurationValue
	workers     units.CountValue

	queue       lengthValue
	acceptQueue units.CountValue
	somaxconn   units.CountValue
	acceptPause units.DurationValue

	hedgeAfter units.DurationValue
	retries    units.CountValue
	retryAfter units.DurationValue
	budget     units.ShareValue
	budgetOver units.CountValue
	peak       units.RateValue
	bytes      units.SizeValue
	clients    units.CountValue
	pool       units.CountValue

	server  string
	whatIf  string
	explain bool
	failOn  string
}

// noGate is the value of --fail-on without which nothing fails.
const noGate = "none"

func newQueuesize(a *app) *cobra.Command {
	o := &queuesizeOptions{}
	c := &cobra.Command{
		Use:   "queuesize",
		Short: "Find how long a queue is still useful, and what today's settings cost",
		Long: `Clients wait for so long; a server finishes so many requests in that time. Requests
behind them are answered after their clients have left. From capacity and timeout alone
this tells the queue to set; with more it tells workers, accept queue, pools, rate limit
and retry budget, and judges today's values.

A queue is counted in waiting positions, as servers set it; requests that run come on top.`,
		Example: examples(
			"queuesize --capacity 1200/s --timeout 400ms", "all it takes",
			"queuesize --capacity 1200/s --timeout 400ms --queue 5000 --accept-queue 2000", "what today's settings cost",
			"queuesize --from headroom.json --server jetty", "from a measurement, written for a server",
			"queuesize --capacity 1171..1203/s --timeout 400ms --workers 12 --hedge-after 150ms", "an uncertain capacity, clients that hedge",
			"queuesize --capacity 1200/s --timeout 400ms --service-time 10ms --workers 12 --retries 2 --retry-after 150ms --peak 950/s --bytes-per-request 15KiB", "retries, memory, recovery",
			"queuesize --capacity 1200/s --timeout 400ms --what-if queue=500..5000 -o markdown", "a table for a review"),
		GroupID: groupMeasure,
		Args:    noArgs,
		RunE:    func(c *cobra.Command, _ []string) error { return runQueuesize(a, o, c) },
	}
	o.addFlags(c)
	return c
}

func (o *queuesizeOptions) addFlags(c *cobra.Command) {
	f := c.Flags()
	f.SortFlags = false
	f.Var(&o.capacity, "capacity", "the `RATE` the server sustains, or its interval: 1200/s, 1171..1203/s")
	f.Var(&o.timeout, "timeout", "how long clients wait for an answer")
	f.StringVar(&o.from, "from", "", "take capacity, timeout, workers and more from `FILE`, a result of headroom (-o json); flags win")
	f.Var(&o.serviceTime, "service-time", "mean time a request takes without queueing")
	f.Var(&o.serviceP99, "service-p99", "99th percentile of the service time")
	f.Var(&o.workers, "workers", "requests the server runs at once (default by Little's law from --service-time)")

	f.Var(&o.queue, "queue", "today's request queue in waiting positions, or unbounded")
	f.Var(&o.acceptQueue, "accept-queue", "today's accept queue (listen backlog), in connections")
	f.Var(&o.somaxconn, "somaxconn", "net.core.somaxconn, the kernel's limit on listen backlogs")
	f.Var(&o.acceptPause, "accept-pause", "the longest time without accepting, such as a pause of the garbage collector")

	f.Var(&o.hedgeAfter, "hedge-after", "after how long clients send a second attempt while they wait for the first")
	f.Var(&o.retries, "retries", "how often clients send a failed request again")
	f.Var(&o.retryAfter, "retry-after", "how long after a failure clients send again")
	f.Var(&o.budget, "budget", "the share of their requests that clients may send again")
	f.Var(&o.budgetOver, "budget-over", "destinations that share one such budget (default 1: each has its own)")
	f.Var(&o.peak, "peak", "the highest `RATE` of real traffic")
	f.Var(&o.bytes, "bytes-per-request", "memory that a waiting request pins")
	f.Var(&o.clients, "clients", "processes that call the server")
	f.Var(&o.pool, "pool", "connections that each client may open to the server")

	enumVar(c, f, &o.server, "server", "", "write the settings for this server", server.Names()...)
	f.StringVar(&o.whatIf, "what-if", "", "vary one input, as `INPUT=VALUES`: queue=500..5000, timeout=100ms..1s, capacity=900..1300/s, workers=8,12,16")
	f.BoolVar(&o.explain, "explain", false, "show each formula with the numbers put in")
	enumVar(c, f, &o.failOn, "fail-on", noGate, "gate: fail on a finding of this severity or worse", "note", "warning", "error", noGate)
	onlyByHand(f, "from")
}

func runQueuesize(a *app, o *queuesizeOptions, c *cobra.Command) error {
	given := c.Flags().Changed
	cfg, err := o.config(given)
	if err != nil {
		return err
	}
	var notes []string
	if o.from != "" {
		known, err := readHeadroom(o.from, a.Stdin)
		if err != nil {
			return err
		}
		if notes, err = known.fill(&cfg, given); err != nil {
			return err
		}
	}
	res, err := queue.Audit(cfg)
	if err != nil {
		return err
	}
	res.Warnings = append(notes, res.Warnings...)
	if err := a.out.write(result{JSON: res, Report: queuesizeReport(&res)}); err != nil {
		return err
	}
	return o.gate(res.Findings)
}

// config puts the flags into the analysis's terms. given says which were set,
// since 0 is a value for some.
func (o *queuesizeOptions) config(given func(string) bool) (queue.Config, error) {
	if err := o.refuseZero(given); err != nil {
		return queue.Config{}, err
	}
	cfg := queue.Config{
		Capacity: o.capacity.interval, Timeout: time.Duration(o.timeout),
		ServiceTime: time.Duration(o.serviceTime), ServiceP99: time.Duration(o.serviceP99),
		HedgeAfter: time.Duration(o.hedgeAfter), RetryAfter: time.Duration(o.retryAfter),
		AcceptPause: time.Duration(o.acceptPause),
		Peak:        float64(o.peak), BytesPerRequest: int64(o.bytes),
		Clients: int64(o.clients), Pool: int64(o.pool), BudgetOver: int64(o.budgetOver),
		Server: o.server, Explain: o.explain,
	}
	var err error
	if cfg.Workers, err = toInt("workers", o.workers); err != nil {
		return cfg, err
	}
	if given("retries") {
		n, err := toInt("retries", o.retries)
		if err != nil {
			return cfg, err
		}
		cfg.Retries = &n
	}
	if given("budget") {
		v := float64(o.budget)
		cfg.RetryBudget = &v
	}
	if given("queue") {
		cfg.Queue = &o.queue.length
	}
	if given("accept-queue") {
		cfg.AcceptQueue = (*int64)(&o.acceptQueue)
	}
	if given("somaxconn") {
		cfg.Somaxconn = (*int64)(&o.somaxconn)
	}
	if o.whatIf != "" {
		if cfg.WhatIf, err = queue.ParseWhatIf(o.whatIf); err != nil {
			return cfg, err
		}
	}
	return cfg, nil
}

// refuseZero refuses 0 where it would be taken for not known.
func (o *queuesizeOptions) refuseZero(given func(string) bool) error {
	for _, f := range []struct {
		flag string
		zero bool
		why  string
	}{
		{"timeout", o.timeout == 0, "clients that do not wait get no answer; where they wait without limit, give the time after which their users leave"},
		{"service-time", o.serviceTime == 0, "no request takes no time; leave it out when it is not known"},
		{"service-p99", o.serviceP99 == 0, "no request takes no time; leave it out when it is not known"},
		{"workers", o.workers == 0, "nothing would be served; leave it out when it is not known"},
		{"hedge-after", o.hedgeAfter == 0, "every request would be sent twice; halve --capacity for that"},
		{"bytes-per-request", o.bytes == 0, "a request pins some memory; leave it out when it is not known"},
		{"budget-over", o.budgetOver == 0, "leave it out where each destination has its own budget"},
		{"clients", o.clients == 0, "nobody would call; leave it out when it is not known"},
		{"pool", o.pool == 0, "nobody could call; leave it out when it is not known"},
	} {
		if given(f.flag) && f.zero {
			return fault.Usagef("--%s: expected more than 0, found 0: %s", f.flag, f.why)
		}
	}
	return nil
}

func toInt(flag string, v units.CountValue) (int, error) {
	if int64(int(v)) != int64(v) {
		return 0, fault.Usagef("--%s: %s is out of range", flag, units.Count(int64(v)))
	}
	return int(v), nil
}

// gate fails on findings of the severity asked for.
func (o *queuesizeOptions) gate(findings []finding.Finding) error {
	if o.failOn == noGate {
		return nil
	}
	least, err := finding.ParseSeverity(o.failOn)
	if err != nil {
		return err
	}
	n := 0
	for _, f := range findings {
		if f.Severity >= least {
			n++
		}
	}
	switch n {
	case 0:
		return nil
	case 1:
		return fault.Gatef("--fail-on %s: 1 finding", o.failOn)
	}
	return fault.Gatef("--fail-on %s: %d findings", o.failOn, n)
}
