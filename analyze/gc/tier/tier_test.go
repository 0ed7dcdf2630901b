package tier

import (
	"strings"
	"testing"
	"time"

	"example.com/kneeline/internal/fault"
)

func TestParse(t *testing.T) {
	for text, want := range map[string]string{
		"10:60s":                       "10%:1m",
		"10:60s,25:20s,50:10s,80:5s":   "10%:1m,25%:20s,50%:10s,80%:5s",
		"80%:5s, 10% : 1m , 0.0001:1h": "0.0001%:1h,10%:1m,80%:5s",
		"100:1ms":                      "100%:1ms",
		"2.5:3s":                       "2.5%:3s",
	} {
		got, err := Parse(text)
		if err != nil || got.String() != want {
			t.Errorf("%q: got %q, %v; want %q", text, got, err, want)
		}
		if again, err := Parse(got.String()); err != nil || again.String() != want {
			t.Errorf("%q does not read back: %v", got, err)
		}
	}
}

func TestParseRefuses(t *testing.T) {
	for text, want := range map[string]string{
		"":                    "no colon",
		"10":                  "no colon",
		"10:":                 "duration",
		"0:5s":                "percentage over 0",
		"101:5s":              "at most 100",
		"-5:5s":               "percentage",
		"1e1:5s":              "percentage",
		"10.00001:5s":         "4 decimals",
		"10.:5s":              "percentage",
		"10:0s":               "period over 0",
		"10:-5s":              "duration",
		"10:5s,10:4s":         "twice",
		"10:5s,25:6s":         "no longer period",
		"10:48h":              "at most 24h",
		"9999999999999999:1s": "percentage",
	} {
		got, err := Parse(text)
		if err == nil {
			t.Errorf("%q: got %v", text, got)
			continue
		}
		if !strings.Contains(err.Error(), want) && !(want == "duration" && strings.Contains(err.Error(), "expected")) {
			t.Errorf("%q: %v, want %q in it", text, err, want)
		}
		if fault.KindOf(err) != fault.Usage {
			t.Errorf("%q: not a usage error: %v", text, err)
		}
	}
}

func FuzzParse(f *testing.F) {
	for _, s := range []string{"10:60s,25:20s", "10%:1m", "100:1ms", "0.5:", ":", ",,", "5:5s:5s"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		l, err := Parse(text)
		if err != nil {
			return
		}
		again, err := Parse(l.String())
		if err != nil || again.String() != l.String() {
			t.Errorf("%q gives %q, which reads as %q, %v", text, l, again, err)
		}
	})
}

func TestPresets(t *testing.T) {
	for _, p := range Presets() {
		if err := (Config{Window: p.Window, Tiers: p.Tiers}).Validate(); err != nil {
			t.Errorf("%s: %v", p.Name, err)
		}
		if p.About == "" || len(p.Sources) == 0 {
			t.Errorf("%s: no text or no source", p.Name)
		}
		if got, err := PresetNamed(strings.ToUpper(p.Name)); err != nil || got.Name != p.Name {
			t.Errorf("%s: %v, %v", p.Name, got.Name, err)
		}
	}
	if _, err := PresetNamed("none"); err == nil || !strings.Contains(err.Error(), "calm") {
		t.Errorf("unknown preset: %v", err)
	}
}

// Each default signals once about as much work has been lost as its text says.
func TestPeriodsFollowTheRule(t *testing.T) {
	for name, lost := range map[string][2]time.Duration{
		"default": {4 * time.Second, 6 * time.Second}, "calm": {12 * time.Second, 15 * time.Second},
		"sensitive": {1600 * time.Millisecond, 2 * time.Second},
	} {
		p, err := PresetNamed(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, x := range p.Tiers {
			if got := time.Duration(x.Ratio() * float64(x.Period)); got < lost[0] || got > lost[1] {
				t.Errorf("%s: %v loses %v", name, x, got)
			}
		}
	}
}

func TestConfigRefuses(t *testing.T) {
	for _, c := range []Config{
		{Window: time.Microsecond}, {Window: 2 * time.Hour}, {Exit: 2 * Whole}, {Warm: time.Minute},
		{Lag: -1}, {Tiers: List{}}, {Tiers: List{{Whole + 1, time.Second}}}, {Tiers: List{{5, 0}}},
		{Tiers: List{{50, time.Second}, {20, time.Second}}},
	} {
		if _, err := New[int](c, nobody[int]{}); fault.KindOf(err) != fault.Usage || err == nil {
			t.Errorf("%+v: %v", c, err)
		}
	}
}
