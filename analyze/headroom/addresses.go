package headroom

import (
	"fmt"
	"math"
	"time"

	"example.com/kneeline/analyze/headroom/stat"
	"example.com/kneeline/internal/finding"
	"example.com/kneeline/internal/units"
	"example.com/kneeline/loadgen"
)

// routes gathers where the requests of all runs went, and over which connections.
type routes struct {
	all     []loadgen.AddressAccount
	session loadgen.Session
	opened  uint64
	busiest ConnSecond
}

// add takes a run that began at an instant of the load.
func (g *routes) add(r *loadgen.Result, began time.Duration) {
	for i := range r.Addresses {
		g.merge(&r.Addresses[i])
	}
	for i, n := range r.ConnsPerSecond {
		g.opened += n
		if n > g.busiest.Opened {
			g.busiest.Opened, g.busiest.At = n, began.Seconds()+float64(i)
		}
	}
	s := &g.session
	if s.TLS == "" {
		s.Protocol, s.TLS = r.Session.Protocol, r.Session.TLS
	}
	s.Handshakes += r.Session.Handshakes
	s.Resumed += r.Session.Resumed
	s.Insecure = s.Insecure || r.Session.Insecure
}

// merge adds the account of an address. Its seconds come after those of the runs
// before.
func (g *routes) merge(a *loadgen.AddressAccount) {
	i := 0
	for i < len(g.all) && g.all[i].Address != a.Address {
		i++
	}
	if i == len(g.all) {
		g.all = append(g.all, loadgen.AddressAccount{Address: a.Address})
	}
	had := g.all[i].Seconds
	g.all[i].Seconds = nil
	g.all[i].Merge(a)
	g.all[i].Seconds = append(had, a.Seconds...)
}

// tell adds what is known of the connections to the generator's health.
func (g *routes) tell(h *Generator) {
	if g.busiest.Opened > 0 && h.LoadSeconds > 0 {
		b := g.busiest
		b.Mean = float64(g.opened) / math.Max(1, h.LoadSeconds)
		h.ConnsBusiest = &b
	}
	if s := g.session; s.Protocol != "" {
		h.Session = &Session{Protocol: s.Protocol, TLS: s.TLS, Handshakes: s.Handshakes, Resumed: s.Resumed, Insecure: s.Insecure}
	}
}

// addresses is the account by address, with the outliers named; nil where all
// requests went to one.
func (g *routes) addresses() []Address {
	var used []*loadgen.AddressAccount
	for i := range g.all {
		if g.all[i].Counts.Planned > 0 {
			used = append(used, &g.all[i])
		}
	}
	if len(used) < 2 {
		return nil
	}
	out := make([]Address, len(used))
	for i, a := range used {
		out[i] = Address{Address: a.Address, Account: account(a.Counts, a.Causes), Conns: a.Conns, Outlier: findOutlier(used, i)}
		if a.Latency.Count() > 0 {
			q := quantiles(&a.Latency)
			out[i].Latency, out[i].MeanSeconds = &q, ptr(a.Latency.Mean()/1e9)
		}
	}
	return out
}

const (
	// outlierChance bounds the share of measurements of hosts that are alike in
	// which one of them is called worse.
	outlierChance = 0.001
	// An outlier is worse by as much as somebody would act on.
	outlierBadRatio, outlierBadMore = 2.0, 0.001
	outlierMeanRatio                = 1.25
	// aliveBad is the share of bad requests at the others up to which a host that
	// answers none of its own rightly is dead, and they are not: it is then more than
	// the chance of each of its requests to be bad, were all alike.
	aliveBad = 0.5
)

// byBadShare is what makes an address worse that answers fewer requests rightly.
const byBadShare = "bad share"

// measures of an address in one second; none where it says nothing.
var measures = []struct {
	by   string
	mean func(bad, planned, sum float64) (float64, bool)
	far  func(value, others float64) bool
}{
	{byBadShare, func(bad, planned, _ float64) (float64, bool) { return bad / planned, planned > 0 },
		func(v, o float64) bool { return v >= outlierBadRatio*o && v-o >= outlierBadMore }},
	{"latency", func(bad, planned, sum float64) (float64, bool) { return sum / (planned - bad), planned > bad },
		func(v, o float64) bool { return v >= outlierMeanRatio*o }},
}

// findOutlier says in what address i is worse than the others; nil when it is not.
//
// All addresses have the same share of each second's requests. If their hosts are
// alike, which of them is the worst of a second is a draw; a second in which all
// have the same tells nothing.
func findOutlier(used []*loadgen.AddressAccount, i int) *Outlier {
	k := float64(len(used))
	for _, m := range measures {
		worst, seconds := worstSeconds(used, i, m.mean)
		chance := math.Min(1, stat.BinomialTail(worst, seconds, 1/k)*k*float64(len(measures)))
		var mine, rest loadgen.AddressSecond
		for j, a := range used {
			to := &rest
			if j == i {
				to = &mine
			}
			for _, s := range a.Seconds {
				to.Planned += s.Planned
				to.Bad += s.Bad
				to.LatencySum += s.LatencySum
			}
		}
		value, ok1 := m.mean(float64(mine.Bad), float64(mine.Planned), mine.LatencySum)
		others, ok2 := m.mean(float64(rest.Bad), float64(rest.Planned), rest.LatencySum)
		if m.by == byBadShare && value == 1 && others <= aliveBad {
			// Such a host can end the load before there are seconds to compare.
			chance = math.Min(chance, k*float64(len(measures))*math.Pow(aliveBad, float64(mine.Planned)))
		}
		if ok1 && ok2 && chance < outlierChance && m.far(value, others) {
			return &Outlier{By: m.by, Value: value, Others: others, Worst: worst, Seconds: seconds, Chance: chance}
		}
	}
	return nil
}

// worstSeconds counts the seconds in which address i alone is the worst, and those
// in which the addresses differ.
func worstSeconds(used []*loadgen.AddressAccount, i int, mean func(bad, planned, sum float64) (float64, bool)) (worst, seconds int) {
	for t := range used[i].Seconds {
		most, least, mine, at := math.Inf(-1), math.Inf(1), 0.0, 0
		for j, a := range used {
			if t >= len(a.Seconds) {
				break
			}
			s := a.Seconds[t]
			v, ok := mean(float64(s.Bad), float64(s.Planned), s.LatencySum)
			if !ok {
				break
			}
			at++
			if j == i {
				mine = v
			} else {
				most = math.Max(most, v)
			}
			least = math.Min(least, v)
		}
		if at < len(used) || math.Max(most, mine) == least {
			continue
		}
		seconds++
		if mine > most {
			worst++
		}
	}
	return worst, seconds
}

// addressFindings names the addresses that are worse than the others.
func (s *search) addressFindings() (fs []finding.Finding) {
	for _, a := range s.res.Addresses {
		o := a.Outlier
		if o == nil {
			continue
		}
		what := share(o.Value) + " bad, the others " + share(o.Others)
		if o.By == "latency" {
			what = "mean response time " + seconds(o.Value) + ", the others " + seconds(o.Others)
		}
		message := fmt.Sprintf("%s was the worst of %d addresses in %s of %s seconds: %s", a.Address, len(s.res.Addresses),
			units.Count(o.Worst), units.Count(o.Seconds), what)
		if o.By == byBadShare && o.Value == 1 {
			message = fmt.Sprintf("%s answered none of its %s requests rightly: %s", a.Address, units.Count(a.Account.Planned), what)
		}
		f := outlierRule.Found(finding.Location{Object: a.Address}, outlierRule.Name,
			message)
		f.Remediation = "take " + a.Address + " out of service or repair its host, then measure again"
		fs = append(fs, f)
	}
	return fs
}
