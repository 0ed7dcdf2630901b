package gcparse

import (
	"context"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"example.com/kneeline/internal/input"
)

// Streams puts the files of rotated sets together: files of one directory whose
// names differ only in what rotation adds, which is numbers, dates and process
// numbers. Each set is ordered by the times in its files and not by their names,
// since HotSpot writes its numbers round and round; see [order]. Numbers before the
// extension may be those of hosts; see [divide].
//
// Streams are in the order of their first source.
func Streams(ctx context.Context, sources []input.Source) []Stream {
	var sets []Stream
	index := map[string]int{}
	for _, s := range sources {
		name := s.Name
		if s.Path != input.Stdin {
			name = filepath.Join(filepath.Dir(s.Path), stem(filepath.Base(s.Path)))
		}
		i, ok := index[name]
		if !ok {
			i = len(sets)
			index[name] = i
			sets = append(sets, Stream{Name: name})
		}
		sets[i].Sources = append(sets[i].Sources, s)
	}
	var streams []Stream
	for _, set := range sets {
		if len(set.Sources) == 1 {
			streams = append(streams, Stream{Name: set.Sources[0].Name, Sources: set.Sources})
			continue
		}
		streams = append(streams, divide(ctx, set)...)
	}
	return streams
}

// stem is a file's name without what rotation and compression add.
func stem(name string) string {
	for _, suffix := range []string{".gz", ".zst", ".zstd"} {
		name = strings.TrimSuffix(name, suffix)
	}
	name = strings.TrimSuffix(name, ".current")
	parts := strings.FieldsFunc(name, func(r rune) bool { return r == '.' || r == '-' || r == '_' })
	kept := parts[:0]
	for _, p := range parts {
		if !rotates(p) {
			kept = append(kept, p)
		}
	}
	if len(kept) == 0 {
		return name
	}
	return strings.Join(kept, ".")
}

// rotates reports whether a part of a name is a number, a date or time, or the
// number of a process.
func rotates(part string) bool {
	part = strings.TrimPrefix(part, "pid")
	if part == "" {
		return false
	}
	for _, c := range part {
		if (c < '0' || c > '9') && c != 'T' && c != 'Z' && c != ':' {
			return false
		}
	}
	return part[0] >= '0' && part[0] <= '9'
}

// piece is a file of a set and the times in it.
type piece struct {
	source      input.Source
	first, last Stamp
	modified    int64
	newest      bool // by its name it is the one being written
	number      string
}

// order puts the files of a set in the order of their times. Wall-clock times
// decide if all files have them. Uptimes begin again with each run, and files of
// an earlier run may stay beside those of a later one: then files are chained,
// each to the one that ended just before it, and the chains ordered by when they
// were last written. Files without times are ordered by that, and by their
// names.
func order(pieces []piece) []input.Source {
	wall, uptime := clocks(pieces)
	slices.SortStableFunc(pieces, byName)
	switch {
	case wall:
		slices.SortStableFunc(pieces, func(a, b piece) int { return compare(a.first.Wall, b.first.Wall) })
	case uptime:
		pieces = chain(pieces)
	default:
		slices.SortStableFunc(pieces, func(a, b piece) int { return compare(a.modified, b.modified) })
	}
	ordered := make([]input.Source, len(pieces))
	for i, p := range pieces {
		ordered[i] = p.source
	}
	return ordered
}

// clocks tells which times all pieces have.
func clocks(pieces []piece) (wall, uptime bool) {
	wall, uptime = true, true
	for _, p := range pieces {
		wall = wall && p.first.HasWall
		uptime = uptime && p.first.HasUptime
	}
	return wall, uptime
}

func compare(a, b int64) int {
	switch {
	case a < b:
		return -1
	case a > b:
		return 1
	}
	return 0
}

// byName puts the file being written last and the others by falling number, as
// most rotation does.
func byName(a, b piece) int {
	switch {
	case a.newest != b.newest && a.newest:
		return 1
	case a.newest != b.newest:
		return -1
	case len(a.number) != len(b.number):
		return len(b.number) - len(a.number)
	}
	return strings.Compare(b.number, a.number)
}

// chain orders files by their uptimes.
func chain(pieces []piece) []piece {
	slices.SortStableFunc(pieces, func(a, b piece) int { return compare(a.first.Uptime, b.first.Uptime) })
	var chains [][]piece
	for _, p := range pieces {
		best := -1
		for i, c := range chains {
			end := c[len(c)-1].last.Uptime
			if end <= p.first.Uptime+1e9 && (best < 0 || end > chains[best][len(chains[best])-1].last.Uptime) {
				best = i
			}
		}
		if best < 0 {
			chains = append(chains, nil)
			best = len(chains) - 1
		}
		chains[best] = append(chains[best], p)
	}
	slices.SortStableFunc(chains, func(a, b []piece) int {
		x, y := a[len(a)-1], b[len(b)-1]
		if x.newest != y.newest {
			return byName(x, y)
		}
		return compare(x.modified, y.modified)
	})
	return slices.Concat(chains...)
}

// lookSize is how much of the beginning and the end of a file is read to find
// out about its times.
const lookSize = 128 << 10

// look finds the first and last times of a file. What cannot be read has none;
// reading it later says why.
func look(ctx context.Context, s input.Source) piece {
	base := filepath.Base(s.Path)
	p := piece{source: s, number: lastNumber(base)}
	p.newest = p.number == "" || strings.HasSuffix(base, ".current")
	if info, err := os.Stat(s.Path); err == nil {
		p.modified = info.ModTime().UnixNano()
	}
	src, err := s.Open(nil)
	if err != nil {
		return p
	}
	defer src.Close()
	p.first, p.last = times(ctx, s, decode(io.LimitReader(src, lookSize)))
	if src.Compression != input.None {
		return p
	}
	f, err := os.Open(s.Path)
	if err != nil {
		return p
	}
	defer f.Close()
	if size, err := f.Seek(0, io.SeekEnd); err == nil && size > lookSize {
		if _, err := f.Seek(-lookSize, io.SeekEnd); err == nil {
			if _, last := times(ctx, s, decode(f)); !last.Zero() {
				p.last = last
			}
		}
	}
	return p
}

// times reads a piece of a log for the times in it.
func times(ctx context.Context, s input.Source, src io.Reader) (first, last Stamp) {
	r := newReader(Stream{Name: s.Name, Sources: []input.Source{s}}, func(*Event) {})
	_ = r.serial(ctx, src, 0) // what is damaged is reported when it is read
	runs := r.finish().Runs
	if len(runs) == 0 {
		return first, last
	}
	return runs[0].First, runs[len(runs)-1].Last
}

// lastNumber is the last part of a name that rotation made.
func lastNumber(name string) string {
	name = strings.TrimSuffix(strings.TrimSuffix(strings.TrimSuffix(name, ".gz"), ".zst"), ".current")
	parts := strings.FieldsFunc(name, func(r rune) bool { return r == '.' || r == '-' || r == '_' })
	for i := len(parts) - 1; i > 0; i-- {
		if rotates(parts[i]) {
			return parts[i]
		}
	}
	return ""
}
