package cmd

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"example.com/kneeline/analyze/traffic"
	"example.com/kneeline/internal/accesslog"
	"example.com/kneeline/internal/fault"
	"example.com/kneeline/internal/input"
	"example.com/kneeline/internal/units"
)

// trafficOptions are the flags by which real traffic says what is offered.
type trafficOptions struct {
	peakFrom   []string
	peakWindow units.DurationValue

	mixFrom    []string
	mixMethods []string
	stripQuery bool
	mixTop     units.CountValue
	zeroBodies bool

	targets    string
	harCookies bool

	replay []string
	speed  speedValue

	format    string
	logFormat string
}

// prometheusSource begins a source that is a query and no log.
const prometheusSource = "prometheus:"

// anyLog is the value of --input-format by which logs are recognised.
const anyLog = "auto"

// defaultPeakWindow is the window of the peak that headroom refers to. A second has
// chance in it (at 800/s the busiest second of a day is 15 % over the mean by chance
// alone), and a minute averages away bursts that last longer than any client waits.
const defaultPeakWindow = 10 * time.Second

func (o *trafficOptions) addFlags(c *cobra.Command, f *pflag.FlagSet) {
	f.StringArrayVar(&o.peakFrom, "peak-from", nil, "take the peak from access logs (`LOG`[,LOG…], directory, glob or -), or from a query: prometheus:URL?query=…")
	f.Var(&o.peakWindow, "peak-window", "window of the peak of --peak-from (default 10s)")
	f.StringArrayVar(&o.mixFrom, "mix-from", nil, "send the mix of requests of these access logs, `LOG`[,LOG…], to the origin of URL; may be repeated")
	f.StringSliceVar(&o.mixMethods, "mix-methods", nil, "`METHODS` of a log that are sent (default GET,HEAD)")
	f.BoolVar(&o.stripQuery, "mix-strip-query", false, "leave out the queries of a log's paths")
	f.Var(&o.mixTop, "mix-top", "send the `N` most frequent kinds of requests of a log (default 1000; 20000 for --replay)")
	f.BoolVar(&o.zeroBodies, "mix-zero-bodies", false, "give a log's POST, PUT and PATCH requests bodies of zeros, as long as the log says")
	f.StringVar(&o.targets, "targets", "", "send the requests of this `FILE`: vegeta's http or JSON format, or HAR")
	f.BoolVar(&o.harCookies, "har-cookies", false, "send the cookies of a HAR file")
	f.StringArrayVar(&o.replay, "replay", nil, "send the requests of access logs at their own instants, `LOG`[,LOG…]; a gate: fail unless the objective holds; may be repeated")
	f.Var(&o.speed, "speed", "with --replay: so many times as fast as the log (default 1)")
	enumVar(c, f, &o.format, "input-format", anyLog, "format of access logs, where their content does not tell", append([]string{anyLog}, accesslog.Formats...)...)
	f.StringVar(&o.logFormat, "log-format", "", "`FORMAT` of access logs as a log_format of nginx or a LogFormat of Apache")
	notFromProject(f, "peak-from", "mix-from", "targets", "replay")
}

// speedValue is a factor over 0.
type speedValue float64

func (s *speedValue) Set(text string) error {
	v, err := strconv.ParseFloat(strings.TrimSuffix(strings.TrimSpace(text), "x"), 64)
	if err != nil || !(v >= 0.001 && v <= 1000) {
		return fmt.Errorf("expected a factor of 0.001 to 1000, found %q", text)
	}
	*s = speedValue(v)
	return nil
}

func (s *speedValue) String() string {
	if *s == 0 {
		return ""
	}
	return strconv.FormatFloat(float64(*s), 'g', -1, 64)
}

func (s *speedValue) Type() string { return "factor" }

func (s *speedValue) factor() float64 {
	if *s == 0 {
		return 1
	}
	return float64(*s)
}

// sources takes lists apart at commas; a query is one source whatever it has in it.
func sources(values []string) []string {
	var out []string
	for _, v := range values {
		if strings.HasPrefix(v, prometheusSource) {
			out = append(out, v)
			continue
		}
		out = append(out, strings.Split(v, ",")...)
	}
	return out
}

// kinds says which flag says what is sent, of those that do.
func (o *trafficOptions) kinds() []string {
	var set []string
	for name, given := range map[string]bool{"mix-from": len(o.mixFrom) > 0, "targets": o.targets != "", "replay": len(o.replay) > 0} {
		if given {
			set = append(set, "--"+name)
		}
	}
	slices.Sort(set)
	return set
}

// trafficNeeds are flags that say nothing without one of others.
var trafficNeeds = []struct {
	flag   string
	others []string
}{
	{"peak-window", []string{"peak-from"}},
	{"mix-methods", []string{"mix-from", "replay"}},
	{"mix-strip-query", []string{"mix-from", "replay"}},
	{"mix-top", []string{"mix-from", "replay"}},
	{"mix-zero-bodies", []string{"mix-from", "replay"}},
	{"har-cookies", []string{"targets"}},
	{"speed", []string{"replay"}},
	{"input-format", []string{"peak-from", "mix-from", "replay"}},
	{"log-format", []string{"peak-from", "mix-from", "replay"}},
}

// check refuses flags that contradict each other or would be passed over.
func (o *trafficOptions) check(f *pflag.FlagSet, rq *requestOptions, hasURL bool) error {
	for _, n := range trafficNeeds {
		if f.Changed(n.flag) && !slices.ContainsFunc(n.others, f.Changed) {
			return fault.Usagef("--%s: expected --%s beside it, found none", n.flag, strings.Join(n.others, " or --"))
		}
	}
	set := o.kinds()
	switch {
	case f.Changed("peak") && f.Changed("peak-from"):
		return fault.Usagef("--peak and --peak-from both give the peak: expected one of them")
	case len(set) > 1:
		return fault.Usagef("%s each say what is sent: expected one of them", strings.Join(set, " and "))
	case len(set) == 1 && (rq.method != "" || rq.body != ""):
		return fault.Usagef("%s has methods and bodies of its own: expected no -X and no -d beside it", set[0])
	case f.Changed("ab") && (len(set) == 1 || f.Changed("peak-from")):
		return fault.Usagef("--ab offers one rate of one request to two services: expected no %s beside it", append(set, "--peak-from")[0])
	case len(set) == 1 && f.Changed("demo"):
		return fault.Usagef("--demo is asked in its own way: expected no %s beside it", set[0])
	case len(set) == 1 && set[0] != "--targets" && !hasURL:
		return fault.Usagef("%s says what is sent, and not where to: expected the URL of the service, such as http://127.0.0.1:8080, found none", set[0])
	}
	for _, m := range o.mixMethods {
		if m != strings.ToUpper(m) || m == "" || m == "CONNECT" {
			return fault.Usagef("--mix-methods: expected methods in capitals such as GET,POST, found %q", m)
		}
	}
	if w := time.Duration(o.peakWindow); w != 0 && (w < time.Second || w > traffic.MaxWindow || w%time.Second != 0) {
		return fault.Usagef("--peak-window: expected whole seconds of 1s to %s, found %s", units.Duration(traffic.MaxWindow), w)
	}
	if len(o.replay) > 0 {
		for _, name := range []string{"overload", "overload-for", "recovery-for", "budget", "constant"} {
			if f.Changed(name) {
				return fault.Usagef("--replay offers a log's own arrivals and nothing else: expected no --%s beside it", name)
			}
		}
	}
	if err := o.logOptions().Check(); err != nil {
		return fault.Usagef("--log-format: %w", err)
	}
	return o.checkSources(rq)
}

// checkSources looks at the names of sources before any is read.
func (o *trafficOptions) checkSources(rq *requestOptions) error {
	stdins := 0
	for _, text := range append([]string{rq.body}, rq.headers...) {
		if text == "@"+input.Stdin {
			stdins++
		}
	}
	if o.targets == input.Stdin {
		stdins++
	}
	for flag, values := range map[string][]string{"peak-from": o.peakFrom, "mix-from": o.mixFrom, "replay": o.replay} {
		list := sources(values)
		for _, s := range list {
			switch {
			case s == "":
				return fault.Usagef("--%s: expected the path of a log, found an empty one", flag)
			case s == input.Stdin:
				stdins++
			case !strings.HasPrefix(s, prometheusSource):
			case flag != "peak-from":
				return fault.Usagef("--%s: expected access logs, found a query, which tells no requests", flag)
			case len(list) > 1:
				return fault.Usagef("--peak-from: expected one query or access logs, found both or several")
			}
		}
	}
	if stdins > 1 {
		return fault.Usagef("stdin can be read once: expected one - among inputs, found %d", stdins)
	}
	return nil
}

func (o *trafficOptions) logOptions() accesslog.Options {
	lo := accesslog.Options{Format: o.format, LogFormat: o.logFormat}
	if lo.Format == anyLog {
		lo.Format = ""
	}
	return lo
}

func (o *trafficOptions) mixOptions() traffic.MixOptions {
	return traffic.MixOptions{Methods: o.mixMethods, StripQuery: o.stripQuery, Top: int(o.mixTop)}
}

// originOf checks that a URL names an origin and no more: the paths come from
// elsewhere.
func originOf(flag, url string) error {
	rest := url
	if _, after, ok := strings.Cut(url, "://"); ok {
		rest = after
	} else {
		return nil // a socket, or no URL at all: the client says so
	}
	if i := strings.IndexAny(rest, "/?#"); i >= 0 && rest[i:] != "/" {
		return fault.Usagef("%s has paths of its own: expected the origin alone, found %s", flag, url)
	}
	return nil
}
