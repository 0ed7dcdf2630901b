package cmd

import (
	"fmt"
	"maps"
	"slices"
	"time"

	"example.com/kneeline/analyze/headroom"
	"example.com/kneeline/analyze/traffic"
	"example.com/kneeline/internal/report"
	"example.com/kneeline/internal/units"
)

// trafficResult is real traffic in the JSON of the command.
type trafficResult struct {
	Peak    *peakResult    `json:"peak,omitempty"`
	Mix     *mixResult     `json:"mix,omitempty"`
	Replay  *replayResult  `json:"replay,omitempty"`
	Targets *targetsResult `json:"targets,omitempty"`
}

type peakResult struct {
	From      string         `json:"from"`
	PerSecond float64        `json:"per_second"`
	Window    float64        `json:"window_seconds,omitempty"`
	Start     string         `json:"start"`
	Windows   []windowResult `json:"windows,omitempty"`
	LogStart  string         `json:"log_start,omitempty"`
	LogEnd    string         `json:"log_end,omitempty"`
	Late      uint64         `json:"late_count,omitempty"`
	Points    int            `json:"points_count,omitempty"`
	Log       *readingResult `json:"log,omitempty"`
}

type windowResult struct {
	Window    float64 `json:"window_seconds"`
	Requests  uint64  `json:"requests_count"`
	PerSecond float64 `json:"per_second"`
	Start     string  `json:"start"`
}

type readingResult struct {
	Files        int               `json:"files"`
	Formats      map[string]int    `json:"formats,omitempty"`
	Lines        uint64            `json:"lines_count"`
	Requests     uint64            `json:"requests_count"`
	Unread       uint64            `json:"unread_count"`
	ByReason     map[string]uint64 `json:"unread_by_reason,omitempty"`
	Examples     []string          `json:"unread_examples,omitempty"`
	Unreadable   []string          `json:"unreadable_files,omitempty"`
	WholeSeconds bool              `json:"whole_seconds,omitempty"`
}

type mixResult struct {
	From         string            `json:"from"`
	Kinds        int               `json:"kinds"`
	Requests     uint64            `json:"requests_count"`
	Covered      uint64            `json:"covered_count"`
	Coverage     float64           `json:"coverage_ratio"`
	OtherMethods map[string]uint64 `json:"other_methods,omitempty"`
	Unsendable   uint64            `json:"unsendable_count,omitempty"`
	Rare         uint64            `json:"rare_count,omitempty"`
	Log          *readingResult    `json:"log,omitempty"`
}

type replayResult struct {
	From          string     `json:"from"`
	Speed         float64    `json:"speed_ratio"`
	Requests      uint64     `json:"requests_count"`
	Drawn         uint64     `json:"drawn_count,omitempty"`
	Seconds       float64    `json:"duration_seconds"`
	PerSecond     float64    `json:"mean_per_second"`
	PeakPerSecond float64    `json:"peak_per_second"`
	Start         string     `json:"start"`
	Spread        bool       `json:"spread_within_seconds,omitempty"`
	Mix           *mixResult `json:"mix,omitempty"`
}

type targetsResult struct {
	From    string         `json:"from"`
	Format  string         `json:"format"`
	Targets int            `json:"targets"`
	Dropped map[string]int `json:"dropped_headers,omitempty"`
	Skipped int            `json:"skipped_count,omitempty"`
}

// atSpeed says how fast a replay was, where that was not the log's own speed.
func (t *realTraffic) atSpeed() string {
	if t == nil || t.opts.speed.factor() == 1 {
		return ""
	}
	return " at " + units.Number(t.opts.speed.factor()) + " times the log's speed"
}

// document is real traffic for the JSON; nil where none was read.
func (t *realTraffic) document() *trafficResult {
	if t == nil || t.peakFrom == "" && t.sentFrom == "" {
		return nil
	}
	res := &trafficResult{Peak: t.peakDocument()}
	if t.mix != nil {
		res.Mix = mixDocument(t.sentFrom, t.mix)
	}
	if r := t.replay; r != nil {
		res.Replay = &replayResult{
			From: t.sentFrom, Speed: t.opts.speed.factor(), Requests: r.Requests, Drawn: r.Drawn,
			Seconds: r.Length.Seconds(), PerSecond: r.PerSecond, PeakPerSecond: r.PeakPerSecond,
			Start: r.From.Format(time.RFC3339), Spread: r.WholeSeconds(), Mix: mixDocument(t.sentFrom, r.Mix),
		}
	}
	if l := t.list; l != nil {
		res.Targets = &targetsResult{From: t.sentFrom, Format: l.Format, Targets: len(l.Targets), Dropped: l.Dropped, Skipped: l.Skipped}
	}
	return res
}

func (t *realTraffic) peakDocument() *peakResult {
	if q := t.query; q != nil {
		return &peakResult{From: t.peakFrom, PerSecond: q.Value, Start: q.At.Format(time.RFC3339), Points: q.Points}
	}
	if t.peaks == nil {
		return nil
	}
	p := &peakResult{
		From: t.peakFrom, PerSecond: t.peak.PerSecond(), Window: t.peak.Window.Seconds(), Start: t.peak.Start.Format(time.RFC3339),
		LogStart: t.peaks.From.Format(time.RFC3339), LogEnd: t.peaks.To.Format(time.RFC3339), Late: t.peaks.Late,
		Log: readingDocument(t.peaks.Reading),
	}
	for _, w := range t.peaks.Windows {
		p.Windows = append(p.Windows, windowResult{w.Window.Seconds(), w.Requests, w.PerSecond(), w.Start.Format(time.RFC3339)})
	}
	return p
}

func mixDocument(from string, m *traffic.Mix) *mixResult {
	return &mixResult{From: from, Kinds: len(m.Kinds), Requests: m.Requests, Covered: m.Covered, Coverage: m.Coverage(),
		OtherMethods: m.OtherMethods, Unsendable: m.Unsendable, Rare: m.Rare, Log: readingDocument(m.Reading)}
}

func readingDocument(r *traffic.Reading) *readingResult {
	d := &readingResult{Files: r.Files, Formats: r.Formats, Lines: r.Loss.Lines, Requests: r.Records,
		Unread: r.Loss.Unread, ByReason: r.Loss.ByReason, WholeSeconds: r.WholeSeconds}
	for _, e := range r.Loss.Examples {
		d.Examples = append(d.Examples, e.String())
	}
	for _, p := range r.Problems {
		d.Unreadable = append(d.Unreadable, p.Error())
	}
	return d
}

// block is real traffic in figures; nil where none was read.
func (t *realTraffic) block() report.Block {
	if t == nil || t.peakFrom == "" && t.sentFrom == "" {
		return nil
	}
	kv := report.KeyValues{Caption: "Real traffic"}
	add := func(key, value, note string) {
		kv.Items = append(kv.Items, report.KeyValue{Key: key, Value: value, Note: note})
	}
	if q := t.query; q != nil {
		add("peak", units.Rate(q.Value), fmt.Sprintf("at %s, the highest of %s of %s", logTime(q.At), countOf(q.Points, "value"), t.peakFrom))
	}
	if p := t.peaks; p != nil {
		for _, w := range p.Windows {
			note := "from " + shortTime(w.Start) + " on"
			if w.Window == t.peak.Window {
				note += "; taken as the peak"
			}
			add("peak over "+units.Duration(w.Window), units.Rate(w.PerSecond()), note)
		}
		add("log", countOf(p.Reading.Records, "request"), fmt.Sprintf("%s to %s", shortTime(p.From), logTime(p.To)))
		if p.Late > 0 {
			add("out of order", countOf(p.Late, "request"), "too far, and in no window")
		}
		unreadRow(p.Reading, add)
	}
	if t.mix != nil {
		mixRows(t.mix, add)
		if t.peaks == nil || t.peakFrom != t.sentFrom {
			unreadRow(t.mix.Reading, add)
		}
	}
	if r := t.replay; r != nil {
		t.replayRows(r, add)
	}
	if l := t.list; l != nil {
		add("targets", units.Count(len(l.Targets)), map[string]string{"http": "vegeta's http format", "json": "vegeta's JSON format", "har": "HAR"}[l.Format])
		if l.Skipped > 0 {
			add("left out", countOf(l.Skipped, "request"), "to other services, or not over HTTP")
		}
		if n := l.Dropped["cookie"]; n > 0 {
			add("left out", countOf(n, "Cookie header"), "--har-cookies sends them")
		}
	}
	return kv
}

func mixRows(m *traffic.Mix, add func(key, value, note string)) {
	add("mix", units.Share(m.Coverage()), "of "+countOf(m.Requests, "request")+", covered by "+countOf(len(m.Kinds), "kind"))
	for _, method := range slices.Sorted(maps.Keys(m.OtherMethods)) {
		add("not sent", method, "× "+units.Count(m.OtherMethods[method])+"; see --mix-methods")
	}
	if m.Rare > 0 {
		add("too rare to send", countOf(m.Rare, "request"), "--mix-top keeps more kinds")
	}
	if m.Unsendable > 0 {
		add("not sendable", countOf(m.Unsendable, "request"), "without a request line, or a path that is none")
	}
}

func (t *realTraffic) replayRows(r *traffic.Replay, add func(key, value, note string)) {
	note := fmt.Sprintf("in %s, with the log's own gaps", units.Duration(r.Length))
	if s := t.opts.speed.factor(); s != 1 {
		note = fmt.Sprintf("in %s, %s times as fast as the log", units.Duration(r.Length), units.Number(s))
	}
	add("replayed", countOf(r.Requests, "request"), note)
	add("log's time", shortTime(r.From), "of the first one")
	add("rate", units.Rate(r.PerSecond), units.Rate(r.PeakPerSecond)+" in the busiest second")
	if r.WholeSeconds() {
		add("within a second", "drawn evenly", "by --seed: the log has whole seconds")
	}
	if r.Drawn > 0 {
		add("drawn", countOf(r.Drawn, "request"), "of kinds too rare to keep: others stand in for them")
	}
	mixRows(r.Mix, add)
	if t.peaks == nil || t.peakFrom != t.sentFrom {
		unreadRow(r.Mix.Reading, add)
	}
}

func unreadRow(r *traffic.Reading, add func(key, value, note string)) {
	if n := r.Loss.Unread; n > 0 {
		reasons := map[string]uint64{}
		for _, reason := range r.Loss.Reasons() {
			reasons[reason] = r.Loss.ByReason[reason]
		}
		add("lines not read", units.Count(n), fmt.Sprintf("of %s: %s", units.Count(r.Loss.Lines), causes(reasons)))
		for _, e := range r.Loss.Examples {
			add("", fmt.Sprintf("%s:%d", e.File, e.Line), fmt.Sprintf("%q", e.Text))
		}
	}
	for _, p := range r.Problems[:min(maxTold, len(r.Problems))] {
		add("log not read", "", p.Error())
	}
}

// shownTargets is how many kinds of requests the text shows; the JSON has more.
const shownTargets = 10

// targetsTable lists the kinds of requests, those with most bad requests and then the
// slowest first.
func targetsTable(res *headroom.Result) report.Block {
	if len(res.Targets) == 0 {
		return nil
	}
	caption := "Requests, the worst and slowest first"
	if n := len(res.Targets); n > shownTargets {
		caption = fmt.Sprintf("Requests, the worst and slowest %d of %d first", shownTargets, n)
	}
	t := report.Table{Caption: caption, Columns: []report.Column{{Title: "request"}, rightColumn("sent"), rightColumn("bad"), rightColumn("p50"), rightColumn("p99"), {Title: "mostly"}}}
	for _, x := range res.Targets[:min(shownTargets, len(res.Targets))] {
		name, p50, p99 := x.Name, "", ""
		if name == "" {
			name = countOf(x.Kinds, "rarer kind") + " together"
		}
		if q := x.Latency; q != nil {
			p50, p99 = units.Seconds(q.P50), units.Seconds(q.P99)
		}
		t.Rows = append(t.Rows, report.Row(name, units.Count(x.Account.Planned), units.Share(x.BadShare), p50, p99, mostly(&x.Account)))
	}
	return t
}

// mostly names the class in which most requests ended that were no full success;
// empty where all were.
func mostly(a *headroom.Account) string {
	name, most := "", uint64(0)
	for _, part := range []struct {
		name string
		n    uint64
	}{{"failed", a.Failed}, {"timed out", a.TimedOut}, {"shed", a.Shed}, {"degraded", a.Degraded}, {"never sent", a.NeverSent}} {
		if part.n > most {
			name, most = part.name, part.n
		}
	}
	return name
}
