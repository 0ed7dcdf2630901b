package gc

import (
	"fmt"

	"example.com/kneeline/internal/finding"
	"example.com/kneeline/internal/units"
)

// habits finds what programs do that makes collecting dear.
func (f *finder) habits() {
	f.metaspace()
	f.explicit()
	f.humongous()
	f.promotion()
	f.allocation()
	if g := &f.a.signs[signRemark]; g.count >= remarkTimes {
		f.seen(remarkRule, remarkRule.Severity, g, fmt.Sprintf("%s took up to %s", many(g.count, "remark pause"), long(g.longest)),
			f.remarkFix(),
			"%s took 200ms or more, up to %s", many(g.count, "remark pause"), long(g.longest))
	}
}

const (
	remarkTimes    = 3
	metaspaceTimes = 3
	humongousTimes = 5
	humongousShare = 0.1
	// explicitShare and explicitLong are from where explicit collections are worth
	// a change.
	explicitShare = 0.01
	explicitLong  = int64(1e9)
)

func (f *finder) metaspace() {
	g, last := &f.a.signs[signMetaspace], &f.a.signs[signLastResort]
	if g.count < metaspaceTimes {
		return
	}
	severity := metaspaceRule.Severity
	if last.count > 0 {
		severity = finding.Error
	}
	f.seen(metaspaceRule, severity, g, fmt.Sprintf("class metadata set off %s", many(g.count, "collection")),
		f.metaspaceFix(),
		"class metadata set off %s more than 5 minutes after the start", many(g.count, "collection"))
}

func (f *finder) explicit() {
	g := &f.a.signs[signExplicit]
	if g.count == 0 {
		return
	}
	severity := explicitRule.Severity
	stops := f.platform() != goRuntime // whose program runs while it is collected
	if stops && g.longest >= explicitLong || f.log.Observed > 0 && seconds(g.ns) >= explicitShare*f.log.Observed {
		severity = finding.Warning
	}
	f.seen(explicitRule, severity, g, fmt.Sprintf("the program asked for %s", many(g.count, "full collection")), f.explicitFix(),
		"the program asked for %s, which took %s, up to %s each", many(g.count, "full collection"), long(g.ns), long(g.longest))
}

func (f *finder) humongous() {
	g := &f.a.signs[signHumongous]
	if g.count < humongousTimes || float64(g.count) < humongousShare*float64(f.log.Pauses.Stops) {
		return
	}
	f.seen(humongousRule, humongousRule.Severity, g, fmt.Sprintf("large objects set off %s", many(g.count, "collection")), f.humongousFix(),
		"large objects set off %s of %s", units.Count(g.count), many(f.log.Pauses.Stops, "pause"))
}

func (f *finder) promotion() {
	p := f.a.promotion
	if p == nil {
		return
	}
	f.add(promotionRule, promotionRule.Severity, spot{run: p.run, at: p.firstAt}, spot{run: p.run, at: p.endAt},
		"short-lived objects reach the old generation", f.promotionFix(),
		[]finding.Evidence{
			{Name: "full collections", Value: units.Count(p.collections)},
			{Name: "one every", Value: units.Seconds(p.every)},
			{Name: "freed of the old generation", Value: percent(p.freed)},
			{Name: "promotion rate", Value: units.Size(int64(p.perSecond)) + "/s"},
		},
		"a full collection every %s frees %s of the old generation, which fills again at %s/s",
		units.Seconds(p.every), percent(p.freed), units.Size(int64(p.perSecond)))
}

const (
	youngPerSecond = 1.0
	youngShare     = 0.05
	youngSpan      = 60.0
)

// allocation looks at what young collections cost together.
func (f *finder) allocation() {
	rate := f.log.Rates.Allocation
	young := f.log.Pauses.Stops - f.log.Pauses.Full
	lost := f.log.Pauses.Total - f.log.Pauses.FullTotal
	if rate == nil || f.log.Observed < youngSpan || float64(young) < youngPerSecond*f.log.Observed || lost < youngShare*f.log.Observed {
		return
	}
	f.always(allocationRule, fmt.Sprintf("the program allocates %s/s", units.Size(int64(*rate))), f.allocationFix(),
		[]finding.Evidence{
			{Name: "allocation rate", Value: units.Size(int64(*rate)) + "/s"},
			{Name: "young collections", Value: fmt.Sprintf("%s, %s", units.Count(young), units.Rate(float64(young)/f.log.Observed))},
			{Name: "their share of time", Value: percent(lost / f.log.Observed)},
		},
		"at %s/s of allocation young collections come %s a second and take %s of the time",
		units.Size(int64(*rate)), units.Number(float64(young)/f.log.Observed), percent(lost/f.log.Observed))
}
