package pending

import (
	"testing"
	"time"

	"example.com/kneeline/analyze/pending/pattern"
	"example.com/kneeline/heapdump"
)

// agedOf reads the ages of entries in a heap.
func agedOf(s *store, ids []heapdump.ID) aged {
	h := s.Heap()
	e := entries{n: int64(len(ids)), ids: ids}
	return agesOf(h, calibrated(h), pattern.Builtin(), &e)
}

// moment returns an object that stands for a point of time, as a class has it.
func (s *store) moment(class string, at time.Time) heapdump.ID {
	field := func(name string, t heapdump.Type) heapdump.Field { return heapdump.Field{Name: name, Type: t} }
	of := func(name string, fields ...heapdump.Field) *heapdump.Class {
		if c := s.Named(name); c != nil {
			return c
		}
		return s.Class(name, s.object, fields...)
	}
	local := func(at time.Time) heapdump.ID {
		date := of("java.time.LocalDate", field("year", typeInt), field("month", typeShort), field("day", typeShort))
		clockTime := of("java.time.LocalTime", field("hour", 8), field("minute", 8), field("second", 8), field("nano", typeInt))
		return s.New(of("java.time.LocalDateTime", field("date", typeObject), field("time", typeObject)), map[string]any{
			"date": s.New(date, map[string]any{"year": at.Year(), "month": int(at.Month()), "day": at.Day()}),
			"time": s.New(clockTime, map[string]any{"hour": at.Hour(), "minute": at.Minute(), "second": at.Second(), "nano": at.Nanosecond()}),
		})
	}
	switch class {
	case "java.time.Instant":
		return s.New(of(class, field("seconds", typeLong), field("nanos", typeInt)), map[string]any{"seconds": at.Unix(), "nanos": at.Nanosecond()})
	case "java.util.Date":
		return s.New(of(class, field("fastTime", typeLong)), map[string]any{"fastTime": at.UnixMilli()})
	case "java.lang.Long":
		return s.New(of(class, field("value", typeLong)), map[string]any{"value": at.UnixMicro()})
	case "java.time.OffsetDateTime":
		zone := s.New(of("java.time.ZoneOffset", field("totalSeconds", typeInt)), map[string]any{"totalSeconds": 7200})
		return s.New(of(class, field("dateTime", typeObject), field("offset", typeObject)), map[string]any{"dateTime": local(at.Add(2 * time.Hour)), "offset": zone})
	}
	return local(at)
}

// TestMoments reads ages off the points of time of the Java library.
func TestMoments(t *testing.T) {
	for _, tt := range []struct {
		class string
		zone  *int // seconds east of the VM's default zone
		want  bool
	}{
		{"java.time.Instant", nil, true}, {"java.util.Date", nil, true}, {"java.lang.Long", nil, true}, {"java.time.OffsetDateTime", nil, true},
		{"java.time.LocalDateTime", nil, false}, {"java.time.LocalDateTime", new(int), true},
	} {
		s := newStore()
		call := s.Class("shop.Call", s.object, heapdump.Field{Name: "since", Type: typeObject})
		var ids []heapdump.ID
		for i := range 600 {
			ids = append(ids, s.New(call, map[string]any{"since": s.moment(tt.class, shapeTaken.Add(-time.Duration(600-i)*100*time.Millisecond))}))
		}
		if tt.zone != nil {
			info := s.Class("sun.util.calendar.ZoneInfo", s.object, heapdump.Field{Name: "rawOffset", Type: typeInt}, heapdump.Field{Name: "dstSavings", Type: typeInt})
			zone := s.Class("java.util.TimeZone", s.object)
			zone.Statics = append(zone.Statics, heapdump.Static{Name: "defaultTimeZone", Type: typeObject,
				Value: uint64(s.New(info, map[string]any{"rawOffset": *tt.zone * 1000, "dstSavings": 0}))})
		}
		a := agedOf(s, ids).age()
		if !tt.want {
			if a != nil {
				t.Errorf("%s without a zone: %+v", tt.class, a)
			}
			continue
		}
		if a == nil || a.Source != "shop.Call#since" || a.Head < 59.9 || a.Head > 60.1 || a.Clock != ClockEpoch {
			t.Errorf("%s: %+v", tt.class, a)
		}
	}
}

// TestStampTwoHopsAway has tasks that hold what holds the order.
func TestStampTwoHopsAway(t *testing.T) {
	s := newStore()
	task := s.Class("shop.Task", s.object, heapdump.Field{Name: "step", Type: typeObject}, heapdump.Field{Name: "owner", Type: typeObject})
	step := s.Class("shop.Step", s.object, heapdump.Field{Name: "order", Type: typeObject})
	server := s.Class("shop.Server", s.object, heapdump.Field{Name: "startedAt", Type: typeLong})
	shared := s.New(server, map[string]any{"startedAt": shapeTaken.Add(-time.Hour).UnixMilli()})
	var ids []heapdump.ID
	for _, order := range s.orders(1_000, 20*time.Second, time.Second) {
		ids = append(ids, s.New(task, map[string]any{"step": s.New(step, map[string]any{"order": order}), "owner": shared}))
	}
	a := agedOf(s, ids).age()
	if a == nil || a.Source != "shop.Order#createdAt" || a.Head < 19.9 || a.Head > 20.1 {
		t.Errorf("%+v", a)
	}
}

// TestNanoInHeap reads a counter by the pairs of another class, and by the
// collector's clock where there are none.
func TestNanoInHeap(t *testing.T) {
	for _, paired := range []bool{true, false} {
		s := newStore()
		job := s.Class("shop.Job", s.object, heapdump.Field{Name: "queuedNanos", Type: typeLong}, heapdump.Field{Name: "id", Type: typeLong})
		boot := shapeTaken.Add(-5 * 24 * time.Hour)
		var ids []heapdump.ID
		for i := range 2_000 {
			at := shapeTaken.Add(-time.Duration(40_000-20*i+i*i%7) * time.Millisecond)
			ids = append(ids, s.New(job, map[string]any{"queuedNanos": int64(at.Sub(boot)), "id": i}))
		}
		if paired {
			end := s.Class("shop.EndPoint", s.object, heapdump.Field{Name: "created", Type: typeLong}, heapdump.Field{Name: "idle", Type: typeLong})
			for i := range 300 {
				at := shapeTaken.Add(-time.Duration(300-i) * time.Second)
				s.New(end, map[string]any{"created": at.UnixMilli(), "idle": int64(at.Add(3 * time.Millisecond).Sub(boot))})
			}
		} else {
			soft := s.Class("java.lang.ref.SoftReference", s.object)
			soft.Statics = append(soft.Statics, heapdump.Static{Name: "clock", Type: typeLong, Value: uint64(shapeTaken.Add(-30 * time.Millisecond).Sub(boot).Milliseconds())})
		}
		a := agedOf(s, ids).age()
		if a == nil || a.Clock != ClockNano || a.Source != "shop.Job#queuedNanos" || a.Head < 39.9 || a.Head > 40.1 {
			t.Errorf("paired %v: %+v", paired, a)
		}
	}
}

// TestClockDoubt has a dump that was made from a core an hour after the process
// ended: the collector's clock ends with it, the head's does not.
func TestClockDoubt(t *testing.T) {
	for _, late := range []time.Duration{0, time.Hour} {
		s := newStore()
		ended := shapeTaken.Add(-late)
		boot := ended.Add(-24 * time.Hour)
		end := s.Class("shop.EndPoint", s.object, heapdump.Field{Name: "created", Type: typeLong}, heapdump.Field{Name: "idle", Type: typeLong})
		for i := range 300 {
			at := ended.Add(-time.Duration(300-i) * time.Second)
			s.New(end, map[string]any{"created": at.UnixMilli(), "idle": int64(at.Sub(boot))})
		}
		soft := s.Class("java.lang.ref.SoftReference", s.object)
		soft.Statics = append(soft.Statics, heapdump.Static{Name: "clock", Type: typeLong, Value: uint64(ended.Add(-5 * time.Second).Sub(boot).Milliseconds())})
		cfg := calibrated(s.Heap())
		if got := clockDoubt(cfg) != ""; got != (late > 0) {
			t.Errorf("dumped %v late: doubt %v, %+v", late, got, cfg.Calibration)
		}
	}
}

// TestAgesOfASample reads a long queue of which every fourth entry is kept.
func TestAgesOfASample(t *testing.T) {
	s := newStore()
	e := entries{max: 1_000}
	for _, id := range s.orders(3_500, time.Minute, 10*time.Second) {
		e.add(id)
	}
	h := s.Heap()
	a := agesOf(h, calibrated(h), nil, &e).age()
	if a == nil || a.Head < 59.9 || a.Head > 60.1 || a.Tail < 9.9 || a.Tail > 10.1 {
		t.Errorf("%+v with %d of %d kept", a, len(e.ids), e.n)
	}
}

// TestNoAgesOfCounters has what synthetic and real heaps have: numbers in long
// fields.
func TestNoAgesOfCounters(t *testing.T) {
	s := newStore()
	req := s.Class("bench.Req", s.object, heapdump.Field{Name: "enqueued", Type: typeLong}, heapdump.Field{Name: "session", Type: typeObject})
	session := s.Class("bench.Session", s.object, heapdump.Field{Name: "last", Type: typeLong})
	soft := s.Class("java.lang.ref.SoftReference", s.object)
	soft.Statics = append(soft.Statics, heapdump.Static{Name: "clock", Type: typeLong, Value: uint64((400 * time.Hour).Milliseconds())})
	var ids []heapdump.ID
	for i := range 3_000 {
		ids = append(ids, s.New(req, map[string]any{"enqueued": 1000 * i, "session": s.New(session, map[string]any{"last": i})}))
	}
	if a := agedOf(s, ids).age(); a != nil {
		t.Errorf("%+v", a)
	}
}

// TestKeptAlive has connections of a Jetty that were opened an hour ago in the
// order in which their requests wait now, all of them or at the head alone. When
// they were opened says nothing of the requests, unless they are new.
func TestKeptAlive(t *testing.T) {
	boot := shapeTaken.Add(-48 * time.Hour)
	for _, tt := range []struct {
		name          string
		opened, used  time.Duration // before the dump, the first of them
		jitter        time.Duration // of the last use
		endpoints     int           // of 2,000 entries
		want, partial bool
	}{
		{"new", time.Minute, time.Minute - time.Second, time.Millisecond, 2_000, true, false},
		{"used again", time.Hour, 2 * time.Minute, time.Second, 2_000, false, false},
		{"new at the head", time.Minute, time.Minute - time.Second, time.Millisecond, 40, true, true},
		{"used again at the head", time.Hour, 2 * time.Minute, time.Second, 40, false, false},
	} {
		s := newStore()
		field := func(name string, t heapdump.Type) heapdump.Field { return heapdump.Field{Name: name, Type: t} }
		idle := s.Class("org.eclipse.jetty.io.IdleTimeout", s.object, field("_idleTimestamp", typeLong))
		base := s.Class("org.eclipse.jetty.io.AbstractEndPoint", idle, field("_created", typeLong))
		end := s.Class("org.eclipse.jetty.io.SocketChannelEndPoint", base)
		fill := s.Class("org.eclipse.jetty.io.ChannelEndPoint$1", s.object, field("this$0", typeObject))
		accept := s.Class("org.eclipse.jetty.io.ManagedSelector$Accept", s.object, field("channel", typeObject))
		soft := s.Class("java.lang.ref.SoftReference", s.object)
		soft.Statics = append(soft.Statics, heapdump.Static{Name: "clock", Type: typeLong, Value: uint64(shapeTaken.Sub(boot).Milliseconds())})
		// New endpoints, by which the counter is calibrated where they are not too few.
		for i := range 100 {
			at := shapeTaken.Add(-time.Duration(3*i+1) * time.Second)
			s.New(end, map[string]any{"_created": at.UnixMilli(), "_idleTimestamp": int64(at.Sub(boot))})
		}
		var ids []heapdump.ID
		for i := range 2_000 {
			if i >= tt.endpoints {
				ids = append(ids, s.New(accept, nil))
				continue
			}
			later := time.Duration(i*20+i*i%11) * time.Millisecond
			ids = append(ids, s.New(fill, map[string]any{"this$0": s.New(end, map[string]any{
				"_created":       shapeTaken.Add(later - tt.opened).UnixMilli(),
				"_idleTimestamp": int64(shapeTaken.Add(later - tt.used + time.Duration(i*i%37)*tt.jitter).Sub(boot)),
			})}))
		}
		a := agedOf(s, ids).age()
		if !tt.want {
			if a != nil {
				t.Errorf("%s: %+v", tt.name, a)
			}
			continue
		}
		if a == nil || a.Head < 59.9 || a.Head > 60.1 || a.HeadOnly != tt.partial || a.Source != "org.eclipse.jetty.io.AbstractEndPoint#_created" {
			t.Errorf("%s: %+v", tt.name, a)
		}
	}
}
