package gcparse

import (
	"context"
	"path/filepath"
	"slices"
	"strings"
)

// bundle is files that surely are one log, for their names differ only in what
// stands behind the extension: gc.log, gc.log.0, gc.log.1.current.
type bundle struct {
	pieces      []piece
	first, last Stamp
	dated       bool
}

// divide finds out which files of a set are one log. Numbers behind the extension
// are those of a rotation. Others may be dates (gc-2026-11-28.log) or hosts
// (web-01.log): such files are one log if one begins where the other ends, and
// several if they tell of the same time.
func divide(ctx context.Context, set Stream) []Stream {
	var bundles []*bundle
	index := map[string]*bundle{}
	for _, s := range set.Sources {
		base := filepath.Base(s.Path)
		key := sureStem(base)
		b, ok := index[key]
		if !ok {
			b = &bundle{dated: dated(base)}
			index[key] = b
			bundles = append(bundles, b)
		}
		p := look(ctx, s)
		earliest(&b.first, &p.first)
		latest(&b.last, &p.last)
		b.pieces = append(b.pieces, p)
	}
	var streams []Stream
	for _, pieces := range join(bundles) {
		s := Stream{Sources: order(pieces)}
		s.Name = s.Sources[len(s.Sources)-1].Name
		if one := sureStem(filepath.Base(s.Name)); len(pieces) > 1 && !slices.ContainsFunc(pieces, func(p piece) bool { return sureStem(filepath.Base(p.source.Path)) != one }) {
			s.Name = filepath.Join(filepath.Dir(s.Name), one)
		}
		streams = append(streams, s)
	}
	return streams
}

// joint is how much, in nanoseconds, a file may begin before the one it continues
// ends: logs are written a little out of order.
const joint = int64(1e9)

// join puts bundles together that continue one another.
func join(bundles []*bundle) [][]piece {
	var all []piece
	for _, b := range bundles {
		all = append(all, b.pieces...)
	}
	if len(bundles) == 1 {
		return [][]piece{all}
	}
	wall, uptime := clocks(all)
	if !wall && !slices.ContainsFunc(bundles, func(b *bundle) bool { return !b.dated }) {
		return [][]piece{all} // dates order them, whatever the uptime says
	}
	at := func(s Stamp) int64 { return s.Wall }
	if !wall {
		at = func(s Stamp) int64 { return s.Uptime }
	}
	inTime := slices.Clone(bundles)
	if wall || uptime {
		slices.SortStableFunc(inTime, func(a, b *bundle) int { return compare(at(a.first), at(b.first)) })
	}
	var chains [][]*bundle
	for _, b := range inTime {
		best := -1
		for i, c := range chains {
			end := at(c[len(c)-1].last)
			if (wall || uptime) && end <= at(b.first)+joint && (best < 0 || end > at(chains[best][len(chains[best])-1].last)) {
				best = i
			}
		}
		if best < 0 {
			chains = append(chains, nil)
			best = len(chains) - 1
		}
		chains[best] = append(chains[best], b)
	}
	out := make([][]piece, len(chains))
	for i, c := range chains {
		for _, b := range c {
			out[i] = append(out[i], b.pieces...)
		}
	}
	return out
}

// sureStem is a file's name without what rotation adds behind the extension, and
// without that of compression.
func sureStem(name string) string {
	for _, suffix := range []string{".gz", ".zst", ".zstd", ".current"} {
		name = strings.TrimSuffix(name, suffix)
	}
	for {
		i := strings.LastIndexAny(name, ".-_")
		if i <= 0 || !rotates(name[i+1:]) {
			return name
		}
		name = name[:i]
	}
}

// dated reports whether a name has a date in it: a year and a month at least.
func dated(name string) bool {
	digits := 0
	for _, p := range strings.FieldsFunc(name, func(r rune) bool { return r == '.' || r == '-' || r == '_' }) {
		if rotates(p) && !strings.HasPrefix(p, "pid") {
			digits += len(p)
		}
	}
	return digits >= 6
}
