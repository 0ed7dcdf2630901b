package tier

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"example.com/kneeline/internal/fault"
	"example.com/kneeline/internal/units"
)

// Whole is a share of 1. Shares are integers of millionths of it.
const Whole = 1_000_000

// Tier is a level of the share and how long it may last.
type Tier struct {
	// Threshold is the share from which the tier is occupied, in millionths.
	Threshold int64
	// Period is how long it may be occupied before that is a violation.
	Period time.Duration
}

// Ratio returns the threshold as a ratio.
func (t Tier) Ratio() float64 { return float64(t.Threshold) / Whole }

// String returns the tier as [Parse] reads it, such as "25%:20s".
func (t Tier) String() string {
	return units.ExactShare(t.Ratio()) + ":" + units.ExactDuration(t.Period)
}

// List is a set of tiers, the lowest first.
type List []Tier

// limits of a List.
const (
	maxTiers  = 16
	maxPeriod = 24 * time.Hour
)

// Default returns the tiers that hold where the user sets none. Each signals once
// about five seconds of work have been lost at its level: threshold × period is
// 6, 5, 5 and 4 s. The first three thresholds are those of Elasticsearch's
// monitor of GC overhead.
func Default() List {
	return List{{100_000, 60 * time.Second}, {250_000, 20 * time.Second}, {500_000, 10 * time.Second}, {800_000, 5 * time.Second}}
}

// DefaultWindow is the window that belongs to [Default].
const DefaultWindow = 30 * time.Second

// String returns the list as [Parse] reads it.
func (l List) String() string {
	parts := make([]string, len(l))
	for i, t := range l {
		parts[i] = t.String()
	}
	return strings.Join(parts, ",")
}

// Set makes *List the value of a command-line flag.
func (l *List) Set(text string) error {
	v, err := Parse(text)
	if err == nil {
		*l = v
	}
	return err
}

// Type returns the word that stands for the value in help.
func (*List) Type() string { return "tiers" }

// Parse reads tiers, in any order:
//
//	tiers = tier { "," tier } .
//	tier  = percent [ "%" ] ":" duration .
//
// such as "10:60s,25%:20s". A percent is over 0, at most 100, and has at most four
// decimals. A higher tier has no longer period than a lower one: it would never
// be violated first.
func Parse(text string) (List, error) {
	var l List
	for part := range strings.SplitSeq(text, ",") {
		t, err := parseTier(part)
		if err != nil {
			return nil, err
		}
		l = append(l, t)
	}
	slices.SortFunc(l, func(a, b Tier) int { return cmp.Compare(a.Threshold, b.Threshold) })
	return l, l.Validate()
}

func parseTier(text string) (Tier, error) {
	share, period, ok := strings.Cut(strings.TrimSpace(text), ":")
	if !ok {
		return Tier{}, fault.Usagef("tier %q: expected PERCENT:DURATION such as 25:20s, found no colon", text)
	}
	threshold, err := parsePercent(strings.TrimSuffix(strings.TrimSpace(share), "%"))
	if err != nil {
		return Tier{}, fault.Usagef("tier %q: %w", text, err)
	}
	d, err := units.ParseDuration(period)
	if err != nil {
		return Tier{}, fault.Usagef("tier %q: %w", text, err)
	}
	return Tier{threshold, d}, nil
}

// parsePercent reads a decimal number of percent into millionths without a
// detour over floating point.
func parsePercent(text string) (int64, error) {
	refuse := fault.Usagef("expected a percentage over 0, at most 100, with at most 4 decimals, found %q", text)
	text = strings.TrimSpace(text)
	whole, frac, _ := strings.Cut(text, ".")
	if whole == "" || len(whole) > 3 || len(frac) > 4 || strings.HasSuffix(text, ".") {
		return 0, refuse
	}
	var v int64
	for _, c := range whole + (frac + "0000")[:4] {
		if c < '0' || c > '9' {
			return 0, refuse
		}
		v = 10*v + int64(c-'0')
	}
	if v == 0 || v > Whole {
		return 0, refuse
	}
	return v, nil
}

// Validate returns a usage error for a list that makes no sense.
func (l List) Validate() error {
	switch {
	case len(l) == 0:
		return fault.Usagef("tiers: expected at least one, found none")
	case len(l) > maxTiers:
		return fault.Usagef("tiers: expected at most %d, found %d", maxTiers, len(l))
	}
	for i, t := range l {
		switch {
		case t.Threshold <= 0 || t.Threshold > Whole:
			return fault.Usagef("tier %s: expected a threshold over 0, at most 100%%", t)
		case t.Period <= 0 || t.Period > maxPeriod:
			return fault.Usagef("tier %s: expected a period over 0, at most %s", t, units.ExactDuration(maxPeriod))
		case i > 0 && t.Threshold == l[i-1].Threshold:
			return fault.Usagef("tiers: expected different thresholds, found %s twice", units.ExactShare(t.Ratio()))
		case i > 0 && t.Threshold < l[i-1].Threshold:
			return fault.Usagef("tiers: expected the lowest first, found %s after %s", t, l[i-1])
		case i > 0 && t.Period > l[i-1].Period:
			return fault.Usagef("tier %s: expected no longer period than the lower tier's %s: it would never be violated first", t, units.ExactDuration(l[i-1].Period))
		}
	}
	return nil
}
