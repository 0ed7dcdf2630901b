package pending

import (
	"time"

	"example.com/kneeline/analyze/pending/clock"
	"example.com/kneeline/heapdump"
	"example.com/kneeline/internal/units"
)

// Limits of reading stamps.
const (
	// maxCalibrationObjects is how many objects of a class are read to calibrate:
	// ten thousand pairs tell the offset as well as a million.
	maxCalibrationObjects = 10_000
	// minCalibrationObjects is below what package clock takes for a calibration.
	minCalibrationObjects = 20
	// maxCalibrationColumns bounds the pairs of fields of one class.
	maxCalibrationColumns = 12
)

// calibrated returns the settings by which all ages of a heap are read: the
// time of the dump, and the counter of nanoseconds tied to it where the heap
// tells how.
func calibrated(h *heapdump.Heap) clock.Config {
	cfg := clock.Config{Now: h.Taken}
	bound, bounded := cfg.ByCollector(collectorClock(h))
	cal, ok := cfg.Calibrate(calibrationSamples(h))
	switch {
	case ok && bounded:
		cal = cal.Bounded(bound)
		cfg.Calibration = &cal
	case ok:
		cfg.Calibration = &cal
	case bounded:
		cfg.Calibration = &bound
	}
	return cfg
}

// maxBehind is how long a heap may go without a collection before the time of
// its dump is doubted.
const maxBehind = 10 * time.Minute

// clockDoubt says that the time in the dump's head may not be that of its
// objects; empty when there is no reason to think so.
func clockDoubt(cfg clock.Config) string {
	if cfg.Calibration == nil || cfg.Calibration.Behind < maxBehind {
		return ""
	}
	behind := units.Seconds(seconds(cfg.Calibration.Behind))
	return "the last collection was " + behind + " before the time in the head of the dump: " +
		"if the dump was made from the core of a process, all ages are up to " + behind + " too long"
}

// collectorClock returns the milliseconds of the last collection by the VM's own
// counter, 0 when the dump does not tell.
func collectorClock(h *heapdump.Heap) int64 {
	for _, index := range h.ClassNamed("java.lang.ref.SoftReference") {
		for _, s := range h.Class(index).Statics {
			if s.Name == "clock" && s.Type == typeLong {
				return int64(s.Value)
			}
		}
	}
	return 0
}

// Types of fields, by HPROF's numbers.
const (
	typeObject heapdump.Type = 2
	typeInt    heapdump.Type = 10
	typeLong   heapdump.Type = 11
)

// calibrationSamples reads the classes that may have two stamps: those with two
// fields of 64 bits whose objects are kept.
func calibrationSamples(h *heapdump.Heap) []clock.Sample {
	var out []clock.Sample
	for _, c := range h.Classes {
		if c.Kept < minCalibrationObjects {
			continue
		}
		var columns []int
		for i, col := range c.Columns {
			if col.Type == typeLong && len(columns) < maxCalibrationColumns {
				columns = append(columns, i)
			}
		}
		if len(columns) < 2 || !mayCalibrate(h, c, columns) {
			continue
		}
		out = append(out, readSample(h, c, columns, maxCalibrationObjects))
	}
	return out
}

// mayCalibrate looks at a few objects before all are read: one field must hold
// wall-clock time.
func mayCalibrate(h *heapdump.Heap, c *heapdump.Class, columns []int) bool {
	cfg := clock.Config{Now: h.Taken, MinKnown: 0.5}
	s := readSample(h, c, columns, minCalibrationObjects)
	for i := range s.Columns {
		if cfg.IsEpoch(&s.Columns[i]) {
			return true
		}
	}
	return false
}

func readSample(h *heapdump.Heap, c *heapdump.Class, columns []int, limit int) clock.Sample {
	s := clock.Sample{Class: c.Name, Columns: make([]clock.Column, len(columns))}
	for k, i := range columns {
		s.Columns[k].Source = c.Columns[i].Class + "#" + c.Columns[i].Name
	}
	n := 0
	for in := range h.Instances(c.Index) {
		for k, i := range columns {
			s.Columns[k].Values = append(s.Columns[k].Values, int64(in.At(i)))
		}
		if n++; n >= limit {
			break
		}
	}
	return s
}

// seconds returns a duration as results have it.
func seconds(d time.Duration) float64 { return d.Seconds() }
