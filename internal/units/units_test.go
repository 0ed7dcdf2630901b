package units

import (
	"math"
	"strings"
	"testing"
	"time"
)

// parsed is what a parser gave, in one shape for all of them.
type parsed struct {
	value float64
	err   error
}

var parsers = map[string]func(string) parsed{
	"rate":     func(s string) parsed { v, err := ParseRate(s); return parsed{v, err} },
	"duration": func(s string) parsed { v, err := ParseDuration(s); return parsed{float64(v), err} },
	"size":     func(s string) parsed { v, err := ParseSize(s); return parsed{float64(v), err} },
	"share":    func(s string) parsed { v, err := ParseShare(s); return parsed{v, err} },
	"count":    func(s string) parsed { v, err := ParseCount(s); return parsed{float64(v), err} },
}

var good = []struct {
	kind, text string
	want       float64
}{
	{"rate", "1200/s", 1200},
	{"rate", "1200rps", 1200},
	{"rate", "1.2k/s", 1200},
	{"rate", "1.2krps", 1200},
	{"rate", "1200", 1200},
	{"rate", "72000/min", 1200},
	{"rate", "3600/h", 1},
	{"rate", " 1,188.5 / s ", 1188.5},
	{"rate", "0.5/s", 0.5},
	{"rate", ".5/s", 0.5},
	{"rate", "2M/s", 2e6},
	{"rate", "1e3/s", 1000},
	{"duration", "400ms", 4e8},
	{"duration", "1m20s", 80e9},
	{"duration", "0", 0},
	{"duration", "2h", 7200e9},
	{"size", "7.5GiB", 7.5 * (1 << 30)},
	{"size", "15KiB", 15360},
	{"size", "100MB", 1e8},
	{"size", "123B", 123},
	{"size", "0", 0},
	{"size", "1 kB", 1000},
	{"size", "0.1KiB", 102},
	{"share", "2.5%", 0.025},
	{"share", "0.025", 0.025},
	{"share", "99.9%", 0.999},
	{"share", "7 %", 0.07},
	{"share", "150%", 1.5},
	{"share", "1", 1},
	{"share", "1e1%", 0.1},
	{"count", "5000", 5000},
	{"count", "5,000", 5000},
	{"count", "5k", 5000},
	{"count", "1.5M", 1500000},
	{"count", "0", 0},
}

func TestParse(t *testing.T) {
	for _, c := range good {
		got := parsers[c.kind](c.text)
		if got.err != nil || got.value != c.want {
			t.Errorf("%s %q = %v, %v; want %v", c.kind, c.text, got.value, got.err, c.want)
		}
	}
	if n, err := ParseSize("9007199254740993B"); err != nil || n != 9007199254740993 {
		t.Errorf("sizes over 2^53 lose bytes: %d, %v", n, err)
	}
}

var bad = []struct{ kind, text, found string }{
	{"rate", "", "found nothing"},
	{"rate", "0", "found 0"},
	{"rate", "0/s", "found 0"},
	{"rate", "-5/s", "found a negative number"},
	{"rate", "fast", "found no number"},
	{"rate", "NaN", "found no number"},
	{"rate", "Inf/s", "found no number"},
	{"rate", "5/day", `found the unit "/day"`},
	{"rate", "5m/s", `found the unit "m/s"`},
	{"rate", "5ms", `found the unit "ms"`},
	{"rate", "1e400/s", "out of range"},
	{"rate", "1e308G/s", "out of range"},
	{"rate", "1,2/s", "comma"},
	{"rate", "1,20,000/s", "comma"},
	{"rate", "1200,000/s", "comma"},
	{"rate", "5./s", `found the unit "./s"`},
	{"duration", "400", "found no unit; write 400ms for milliseconds or 400s for seconds"},
	{"duration", "", "found nothing"},
	{"duration", "-1s", "found a negative one"},
	{"duration", "soon", "found neither"},
	{"duration", "5d", "found neither"},
	{"duration", "9999999h", "out of range"},
	{"size", "123", "found no unit; write 123B for bytes or 123MiB for mebibytes"},
	{"size", "5g", `found the unit "g"`},
	{"size", "5Mb", `found the unit "Mb"`},
	{"size", "99999PiB", "out of range"},
	{"share", "30", "over 1 without %; write 30%"},
	{"share", "1.01", "over 1 without %"},
	{"share", "-1%", "found a negative number"},
	{"share", "5 per cent", `found the unit "per cent"`},
	{"count", "1.5", "found a fraction"},
	{"count", "-3", "found a negative number"},
	{"count", "5 apples", `found the unit "apples"`},
	{"count", "1e30", "out of range"},
	{"count", strings.Repeat("1", 70), "no quantity needs more than 64"},
}

func TestParseRefuses(t *testing.T) {
	for _, c := range bad {
		got := parsers[c.kind](c.text)
		if got.err == nil {
			t.Errorf("%s %q = %v, want an error", c.kind, c.text, got.value)
			continue
		}
		for _, want := range []string{c.kind, "expected ", c.found} {
			if !strings.Contains(got.err.Error(), want) {
				t.Errorf("%s %q: error %q does not say %q", c.kind, c.text, got.err, want)
			}
		}
	}
}

func TestFormat(t *testing.T) {
	inf, nan := math.Inf(1), math.NaN()
	for _, c := range []struct{ got, want string }{
		{Rate(1188.3), "1,188/s"}, {Rate(88.5), "88.5/s"}, {Rate(0.42), "0.42/s"},
		{Rate(0), "0/s"}, {Rate(99.96), "100/s"}, {Rate(999.6), "1,000/s"}, {Rate(1234567), "1,234,567/s"},
		{Rate(inf), "unbounded"}, {Rate(nan), "n/a"}, {Rate(-inf), "n/a"}, {Rate(3e17), "3e+17/s"},
		{Number(-0.0000000001), "-1e-10"}, {Number(-1234.5), "-1,234"}, {Number(1.5), "1.5"},
		{Duration(400 * time.Millisecond), "400ms"}, {Duration(402345678), "402ms"},
		{Duration(2341 * time.Millisecond), "2.34s"}, {Duration(13840 * time.Millisecond), "13.8s"},
		{Duration(80 * time.Second), "1m20s"}, {Duration(2 * time.Minute), "2m"}, {Duration(time.Hour), "1h"},
		{Duration(59960 * time.Millisecond), "1m"}, {Duration(59955 * time.Millisecond), "1m"},
		{Duration(59949 * time.Millisecond), "59.9s"}, {Duration(59*time.Minute + 35*time.Second), "1h"},
		{Duration(59*time.Minute + 29*time.Second), "59m29s"}, {Duration(999700 * time.Microsecond), "1s"},
		{Duration(65*time.Minute + 20*time.Second), "1h5m"}, {Duration(0), "0s"}, {Duration(1234), "1.23µs"},
		{Duration(-2341 * time.Millisecond), "-2.34s"}, {Duration(math.MaxInt64), "2562047h47m"},
		{Duration(10 * time.Minute), "10m"}, {Duration(20 * time.Hour), "20h"},
		{ExactDuration(61500 * time.Millisecond), "1m1.5s"}, {ExactDuration(10 * time.Second), "10s"},
		{Seconds(0.402), "402ms"}, {Seconds(nan), "n/a"}, {Seconds(inf), "unbounded"}, {Seconds(1e12), "over 292 years"},
		{Seconds(1e-11), "0.01ns"}, {Seconds(-1e300), "n/a"}, {Seconds(0), "0s"},
		{Share(0.0123), "1.23%"}, {Share(0.5), "50%"}, {Share(1), "100%"}, {Share(0), "0%"}, {Share(2.3), "230%"},
		{Share(0.9996), "99.96%"}, {Share(0.99996), "99.996%"}, {Share(0.9999), "99.99%"}, {Share(0.999999), "99.9999%"},
		{Share(0.9999999), ">99.9999%"}, {Share(0.99949), "99.9%"}, {Share(1e-9), "<0.0001%"}, {Share(-1e-9), ">-0.0001%"},
		{Share(nan), "n/a"}, {Share(inf), "unbounded"}, {Share(12.345), "1,234%"},
		{SignedShare(0.34), "+34%"}, {SignedShare(-0.06), "-6%"}, {SignedShare(0), "0%"}, {SignedShare(inf), "unbounded"},
		{SignedShare(nan), "n/a"},
		{Size(15 << 29), "7.5GiB"}, {Size(123), "123B"}, {Size(uint64(15360)), "15KiB"}, {Size(1<<20 - 1), "1MiB"},
		{Size(1023), "1023B"}, {Size(1000 << 10), "1000KiB"}, {Size(int64(math.MaxInt64)), "8EiB"},
		{Count(5000), "5,000"}, {Count(uint64(math.MaxUint64)), "18,446,744,073,709,551,615"}, {Count(-1234), "-1,234"},
		{Count(int64(math.MinInt64)), "-9,223,372,036,854,775,808"}, {Count(7), "7"},
		{ExactShare(0.07), "7%"}, {ExactShare(0.999), "99.9%"}, {ExactShare(1), "100%"}, {ExactShare(0), "0%"},
		{ExactShare(0.0000125), "0.00125%"}, {ExactShare(-0.5), "-50%"}, {ExactShare(nan), "n/a"},
		{ExactRate(0.1), "0.1/s"}, {ExactRate(1188.25), "1188.25/s"}, {ExactRate(inf), "unbounded"},
	} {
		if c.got != c.want {
			t.Errorf("got %s, want %s", c.got, c.want)
		}
	}
}

func TestFlagValues(t *testing.T) {
	type value interface {
		String() string
		Set(string) error
		Type() string
	}
	for _, c := range []struct {
		v                 value
		zero, text, shown string
		kind              string
	}{
		{new(RateValue), "", "72000/min", "1200/s", "rate"},
		{new(DurationValue), "0", "90s", "1m30s", "duration"},
		{new(ShareValue), "0", "0.025", "2.5%", "share"},
		{new(SizeValue), "0", "2048MiB", "2GiB", "size"},
		{new(CountValue), "0", "5k", "5000", "count"},
	} {
		if got := c.v.String(); got != c.zero {
			t.Errorf("%s: unset reads %q, want %q", c.kind, got, c.zero)
		}
		if err := c.v.Set(c.text); err != nil || c.v.String() != c.shown || c.v.Type() != c.kind {
			t.Errorf("%s: Set(%q) gave %v and reads %q (%s), want %q", c.kind, c.text, err, c.v.String(), c.v.Type(), c.shown)
		}
		if err := c.v.Set("x"); err == nil || c.v.String() != c.shown {
			t.Errorf("%s: a wrong text gave %v and changed the value to %q", c.kind, err, c.v.String())
		}
	}
}
