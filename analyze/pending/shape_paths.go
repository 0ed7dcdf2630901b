package pending

import (
	"strings"

	"example.com/kneeline/analyze/pending/clock"
	"example.com/kneeline/heapdump"
)

// stepsOf cuts a path of the table into steps.
func stepsOf(path string) []pathStep {
	var steps []pathStep
	for _, field := range strings.Split(path, ".") {
		steps = append(steps, pathStep{field: field})
	}
	return steps
}

// pathQueue is the objects that one path leads to from the probed entries.
type pathQueue struct {
	steps []pathStep
	ids   []heapdump.ID
}

// paths returns the ways from the probed entries to fields that may hold a stamp,
// nearest first.
func (r *stampReader) paths(probe []heapdump.ID) []stampPath {
	var out []stampPath
	level := []pathQueue{{ids: probe}}
	for hops := 0; hops <= maxStampHops && len(level) > 0; hops++ {
		var next []pathQueue
		for _, at := range level {
			found, further := r.fields(at, hops)
			out = append(out, found...)
			next = append(next, further...)
			if len(out) > maxStampPaths || len(next) > maxStampPaths {
				return out[:min(len(out), maxStampPaths)]
			}
		}
		level = next
	}
	return out
}

// fields returns the paths that end in a field of the objects of one path, and
// those that lead on. Objects that most entries share are not followed: what they
// hold is not of one entry.
func (r *stampReader) fields(at pathQueue, hops int) (found []stampPath, further []pathQueue) {
	byField := make(map[string][]heapdump.ID)
	var order []string
	seen := make(map[*heapdump.Class]bool)
	distinct := make(map[heapdump.ID]bool)
	for _, id := range at.ids {
		in, ok := r.h.Instance(id)
		if !ok || distinct[id] {
			continue
		}
		distinct[id] = true
		for i, col := range in.Class.Columns {
			name := col.Class + "#" + col.Name
			switch {
			case col.Type == typeObject:
				if _, ok := byField[name]; !ok {
					order = append(order, name)
				}
				byField[name] = append(byField[name], heapdump.ID(in.At(i)))
			case col.Type == typeLong && !seen[in.Class]:
				found = append(found, stampPath{steps: with(at.steps, name), source: name, hops: hops})
			}
		}
		seen[in.Class] = true
	}
	if 2*len(distinct) < len(at.ids) {
		return nil, nil
	}
	for _, name := range order {
		targets := byField[name]
		steps := with(at.steps, name)
		if r.moments(targets) {
			found = append(found, stampPath{steps: steps, source: name, hops: hops})
		} else {
			further = append(further, pathQueue{steps: steps, ids: targets})
		}
	}
	return dedupe(found), further
}

func with(steps []pathStep, field string) []pathStep {
	out := make([]pathStep, len(steps), len(steps)+1)
	for i := range steps {
		out[i] = pathStep{field: steps[i].field}
	}
	return append(out, pathStep{field: field})
}

// dedupe drops paths that are there twice because two classes of entries inherit
// one field.
func dedupe(paths []stampPath) []stampPath {
	seen := make(map[string]bool)
	out := paths[:0]
	for _, p := range paths {
		if !seen[p.source] {
			seen[p.source] = true
			out = append(out, p)
		}
	}
	return out
}

// moments reports whether most of the objects stand for points of time.
func (r *stampReader) moments(ids []heapdump.ID) bool {
	n, all := 0, 0
	for _, id := range ids {
		if id == 0 {
			continue
		}
		all++
		if _, _, _, ok := r.moment(id); ok {
			n++
		}
	}
	return all > 0 && 2*n > all
}

// moment returns the point of time that an object of the Java library stands
// for. Field names are those of OpenJDK 8 to 21.
func (r *stampReader) moment(id heapdump.ID) (value int64, holder heapdump.ID, unit clock.Unit, ok bool) {
	in, found := r.h.Instance(id)
	if !found {
		return 0, 0, 0, false
	}
	long := func(field string) int64 { v, found := in.Long(field); ok = ok && found; return v }
	ok = true
	switch in.Class.Name {
	case "java.time.Instant":
		at := long("seconds")*1e9 + long("nanos")
		return at, id, clock.EpochNanos, ok
	case "java.util.Date", "java.sql.Timestamp":
		return long("fastTime"), id, clock.EpochMillis, ok
	case "java.util.GregorianCalendar":
		return long("time"), id, clock.EpochMillis, ok
	case "java.lang.Long":
		return long("value"), id, clock.UnitUnknown, ok
	case "java.time.LocalDateTime":
		at, found := r.local(in)
		return at - r.zone*1e9, id, clock.EpochNanos, found && r.zoned
	case "java.time.OffsetDateTime", "java.time.ZonedDateTime":
		at, found := r.offsetDateTime(in)
		return at, id, clock.EpochNanos, found
	}
	return 0, 0, 0, false
}

// offsetDateTime returns the nanoseconds of a date with its offset.
func (r *stampReader) offsetDateTime(in heapdump.Instance) (int64, bool) {
	date, _ := in.Ref("dateTime")
	offset, _ := in.Ref("offset")
	local, ok := r.h.Instance(date)
	zone, zoned := r.h.Instance(offset)
	if !ok || !zoned {
		return 0, false
	}
	at, ok := r.local(local)
	east, zoned := zone.Long("totalSeconds")
	return at - east*1e9, ok && zoned
}

// local returns the nanoseconds of a date as if it were in UTC.
func (r *stampReader) local(in heapdump.Instance) (int64, bool) {
	dateID, _ := in.Ref("date")
	timeID, _ := in.Ref("time")
	date, ok := r.h.Instance(dateID)
	clockTime, found := r.h.Instance(timeID)
	if !ok || !found {
		return 0, false
	}
	var parts [7]int64
	for i, field := range []string{"year", "month", "day", "hour", "minute", "second", "nano"} {
		of := date
		if i > 2 {
			of = clockTime
		}
		if parts[i], ok = of.Long(field); !ok {
			return 0, false
		}
	}
	return utc(parts), true
}
