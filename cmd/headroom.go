package cmd

import (
	"context"
	"errors"
	"net/netip"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"example.com/kneeline/analyze/headroom"
	"example.com/kneeline/internal/fault"
	"example.com/kneeline/internal/slo"
	"example.com/kneeline/internal/units"
	"example.com/kneeline/loadgen"
	"example.com/kneeline/loadgen/target"
)

// headroomOptions are the flags of `kneeline headroom`.
type headroomOptions struct {
	request requestOptions

	demo       string
	demoGiven  bool
	dryRun     bool
	allowHosts []string

	slo     slo.SLO
	timeout units.DurationValue
	workers units.CountValue

	peak   units.RateValue
	zones  units.CountValue
	growth growthValue

	minHeadroom units.ShareValue
	sloAt       units.RateValue
	hold        units.RateValue
	holdFor     units.DurationValue

	overload    bool
	overloadFor units.DurationValue
	recoveryFor units.DurationValue
	budget      units.DurationValue

	maxRate     units.RateValue
	maxRequests units.CountValue
	maxFailed   units.CountValue

	constant   bool
	retries    units.CountValue
	retryAfter units.DurationValue
	seed       seedValue

	keepHistograms bool

	traffic trafficOptions

	// ab is of a comparison side by side.
	ab abOptions

	// signals are of what the service says of itself.
	signals signalOptions

	// cappedByFiles says that the limit on open files set the cap on the rate.
	cappedByFiles bool
}

func newHeadroom(a *app) *cobra.Command {
	o := &headroomOptions{}
	c := &cobra.Command{
		Use:   "headroom [URL]",
		Short: "Find how much load a service takes, and what happens past that",
		Long: `Offers load to a service in an open loop and finds its capacity: the highest rate of
Poisson arrivals at which the objective holds in steady state, with a 95 % interval.
Without a URL it measures a built-in demo service on loopback, past its capacity too.

Load goes to loopback only, unless --allow-host names the host. Before the first
request the plan is printed: rates, requests, duration, and whether it goes past
capacity on purpose.`,
		Example: examples(
			"headroom", "the built-in demo service",
			"headroom --demo queue=400,workers=12", "the demo with other settings",
			"headroom http://127.0.0.1:8080/feed --peak 800/s --slo 'p99<400ms,errors<1%'", "headroom over a peak",
			"headroom http://127.0.0.1:8080/ -X POST -H @headers.txt -d @body.json --dry-run", "the plan alone",
			"headroom http://127.0.0.1:8080/ --hold 900/s --for 60s", "a gate for CI: exit code 0 or 1",
			"headroom http://127.0.0.1:8080 --peak-from access.log --mix-from access.log", "peak and requests of an access log",
			"headroom https://127.0.0.1:8443/ --tls-ca ca.pem --http 2", "HTTP/2 over TLS, with an authority of your own",
			"headroom --ab http://127.0.0.1:8080/ http://127.0.0.1:8081/", "two versions side by side"),
		GroupID: groupMeasure,
		Args:    optionalArg("the URL of the service"),
		RunE: func(c *cobra.Command, args []string) error {
			// An empty variable of a script must not measure something else.
			if len(args) > 0 && strings.TrimSpace(args[0]) == "" {
				return fault.Usagef("expected the URL of the service, found an empty argument")
			}
			o.demoGiven = c.Flags().Changed("demo")
			if err := errors.Join(o.ab.check(c.Flags()), o.check(a, c.Flags(), len(args) == 0 && o.ab.urls == "" && o.traffic.targets == ""),
				o.traffic.check(c.Flags(), &o.request, len(args) > 0)); err != nil {
				return err
			}
			if err := o.signals.check(a); err != nil {
				return err
			}
			if o.dryRun || o.ab.urls != "" {
				if err := refuseFormats(a.out); err != nil {
					return err
				}
			}
			if o.ab.urls != "" {
				return runAB(c.Context(), a, o, args)
			}
			return runHeadroom(c.Context(), a, o, args)
		},
	}
	o.addFlags(c)
	offerFormats(c, headroomFormats...)
	c.AddCommand(newHeadroomCompare(a), newHeadroomMerge(a))
	return c
}

func runHeadroom(ctx context.Context, a *app, o *headroomOptions, args []string) error {
	if len(args) == 1 && o.demoGiven {
		return fault.Usagef("--demo measures the built-in service: expected no URL beside it, found %s", args[0])
	}
	url := ""
	if len(args) == 1 {
		url = args[0]
	}
	t, url, err := o.readTraffic(ctx, a, url)
	if err != nil {
		return err
	}
	service := target.Config{}
	isDemo := url == ""
	if isDemo {
		if service, err = o.demoService(); err != nil {
			return err
		}
	}
	cfg, err := o.config(a, isDemo, service)
	if err != nil {
		return err
	}
	if err := t.readReplay(ctx, a, url, &cfg, time.Duration(o.holdFor)); err != nil {
		return err
	}
	m := &measurement{app: a, opts: o, cfg: cfg, traffic: t}
	if isDemo {
		return m.demo(ctx, service)
	}
	return m.service(ctx, url)
}

// demoService reads --demo. The demo's clients stay on loopback, so it listens
// on a free port there.
func (o *headroomOptions) demoService() (target.Config, error) {
	c, err := target.ParseDemo(o.demo)
	if err != nil {
		return c, err
	}
	if rq := o.request; rq.method != "" || len(rq.headers) > 0 || rq.body != "" || rq.transport.given() {
		return c, fault.Usagef("the demo service is asked in its own way: expected -X, -H, -d and flags of TLS and addresses with a URL only")
	}
	return c, nil
}

// measurement is one run of the command.
type measurement struct {
	*app
	opts *headroomOptions
	cfg  headroom.Config
	live *liveView
	// known is the demo service's own truth and settings; nil for a user's service.
	known *knownService
	// traffic is what was read of real traffic; nil where nothing was.
	traffic *realTraffic
}

// demo measures the built-in service.
func (m *measurement) demo(ctx context.Context, service target.Config) error {
	m.known = &knownService{config: service}
	m.cfg.Target = "the demo service (" + describeService(service) + ")"
	if m.opts.dryRun {
		return m.dryRun("")
	}
	s, err := target.Listen(service)
	if err != nil {
		return err
	}
	serving, stop := context.WithCancel(context.WithoutCancel(ctx))
	ended := make(chan error, 1)
	go func() { ended <- s.Serve(serving) }()
	client, err := m.client("http://" + s.Addr() + "/feed")
	if err == nil {
		err = m.measure(ctx, client, func() {
			if _, exact := target.ExactMissed(service, 1, target.Goal{Threshold: m.cfg.Timeout, Budget: 0.01}); !exact && ctx.Err() == nil {
				m.Notef("working out the demo's true capacity on a virtual clock")
			}
			m.known.learn(ctx, s.Stats(), m.cfg.SLO)
		})
	}
	stop()
	if e := <-ended; err == nil {
		err = e
	}
	return err
}

// service measures the user's service.
func (m *measurement) service(ctx context.Context, url string) error {
	client, err := m.client(url)
	if err != nil {
		return err
	}
	m.cfg.Target = url
	noteRoute(m.app, client)
	if m.opts.dryRun {
		return m.dryRun(string(client.RequestBytes()))
	}
	return m.measure(ctx, client, func() {})
}

func (m *measurement) client(url string) (*loadgen.Client, error) {
	o, err := m.opts.request.options(m.app, url)
	if err != nil {
		return nil, err
	}
	if m.traffic != nil {
		o.Requests = m.traffic.requests
	}
	o.AllowHost = m.allowHost
	o.OnTick = func(s loadgen.Snapshot) { m.live.snapshot(s) }
	return loadgen.New(o)
}

// measure runs the plan and writes the report, whatever the end: an interrupted
// or failed measurement still has trials to show.
func (m *measurement) measure(ctx context.Context, client *loadgen.Client, after func()) error {
	m.announce()
	signals, err := m.opts.signals.open(m.app, m.allowHost)
	if err != nil {
		return err
	}
	running, err := signals.begin(ctx)
	if err != nil {
		return err
	}
	m.live = newLiveView(ctx, m.app)
	m.cfg.Observe = m.live.progress
	started := float64(m.Now().UnixMicro()) / 1e6
	res, err := headroom.Measure(running, client, m.cfg)
	m.live.close()
	signals.end(ctx, res)
	if res == nil {
		return err
	}
	res.StartedUnix = &started
	after()
	if i := interruptedBy(ctx); i != nil {
		err = i
	} else if e := unanswered(res, err); e != nil {
		withdraw(res)
		err = e
	}
	werr := m.out.write(result{JSON: m.document(res), Report: m.report(res, err), Extra: headroomExtra(res)})
	return errors.Join(err, werr, gateError(res))
}

// gateError is the failed gate of a result, if it has one.
func gateError(res *headroom.Result) error {
	v := res.Result.Verdict
	switch {
	case v == nil || v.Pass:
		return nil
	case !gateDecided(&res.Result):
		return fault.WithHint(fault.NoAnswerf("gate %s is undecided: %s, and no higher rate was offered", v.Gate, compareGate(v)),
			"raise --max-rate")
	}
	return fault.Gatef("gate %s failed: %s", v.Gate, compareGate(v))
}

// gateDecided reports whether a gate that did not pass failed. Where the
// objective held at the highest rate offered, what is beyond is not known.
func gateDecided(a *headroom.Answer) bool {
	return a.Verdict.Pass || a.AtLeast == nil || a.Capacity != nil
}

// allowHost lets load go to a host that is not this machine: when --allow-host
// names it, or when the user says so at the terminal.
func (m *measurement) allowHost(host string, addr netip.Addr) bool {
	for _, h := range m.opts.allowHosts {
		if strings.EqualFold(h, host) || h == addr.String() {
			return true
		}
	}
	return m.askHost(host, addr)
}
