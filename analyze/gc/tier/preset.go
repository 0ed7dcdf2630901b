package tier

import (
	"slices"
	"strings"
	"time"

	"example.com/kneeline/internal/fault"
)

// Preset is a named choice of window and tiers.
type Preset struct {
	Name string
	// About says what it is for, or what of the system it stands for.
	About  string
	Window time.Duration
	Tiers  List
	// Sources say where the numbers come from.
	Sources []string
}

// presets are ours first. Where a system knows a limit and no period, or samples
// in place of a window, About says what was made of it.
var presets = []Preset{
	{
		Name: "default", Window: DefaultWindow, Tiers: Default(),
		About:   "signals once about 5 s of work have been lost",
		Sources: []string{"docs/methods/gc-overhead.md: thresholds of Elasticsearch, and threshold × period ≈ 5 s"},
	},
	{
		Name: "calm", Window: 30 * time.Second,
		Tiers:   List{{100_000, 150 * time.Second}, {250_000, 60 * time.Second}, {500_000, 30 * time.Second}, {800_000, 15 * time.Second}},
		About:   "signals once about 15 s of work have been lost: for batch work and long timeouts",
		Sources: []string{"docs/methods/gc-overhead.md: threshold × period ≈ 15 s"},
	},
	{
		Name: "sensitive", Window: 10 * time.Second,
		Tiers:   List{{50_000, 40 * time.Second}, {100_000, 20 * time.Second}, {250_000, 8 * time.Second}, {500_000, 4 * time.Second}, {800_000, 2 * time.Second}},
		About:   "signals once about 2 s of work have been lost: for services with timeouts below a second",
		Sources: []string{"docs/methods/gc-overhead.md: threshold × period ≈ 2 s"},
	},
	{
		Name: "elasticsearch", Window: time.Second,
		Tiers:   List{{100_000, time.Second}, {250_000, time.Second}, {500_000, time.Second}},
		About:   "the debug, info and warn levels of its GC overhead monitor, which looks at each interval of 1 s",
		Sources: []string{"Elasticsearch, JvmGcMonitorService: monitor.jvm.gc.overhead.debug 10, .info 25, .warn 50, refresh interval 1s"},
	},
	{
		Name: "teamcity", Window: time.Minute,
		Tiers:   List{{200_000, 5 * time.Minute}, {500_000, time.Minute}},
		About:   "its memory monitor warns of more than 20% for 5 minutes (it also asks for 90% of the heap in use); heavy load from 50%, taken over a minute",
		Sources: []string{"JetBrains TeamCity documentation, memory monitor"},
	},
	{
		Name: "glassfish", Window: 30 * time.Second,
		Tiers:   List{{50_000, 5 * time.Minute}},
		About:   "throughput alert at 5% in ten samples of 30 s",
		Sources: []string{"Sun Java System Application Server documentation, garbage collection alerts"},
	},
	{
		Name: "mrs", Window: time.Minute,
		Tiers:   List{{200_000, 5 * time.Minute}},
		About:   "alarm at 12 s of 60 s, five times in a row",
		Sources: []string{"Huawei MapReduce Service, alarm reference: GC time exceeds the threshold"},
	},
	{
		Name: "hotspot", Window: 30 * time.Second,
		Tiers:   List{{980_000, 10 * time.Second}},
		About:   "the limit at which HotSpot throws OutOfMemoryError, as far as time goes; it also wants less than 2% of the heap freed, in 5 collections in a row",
		Sources: []string{"java -XX:+PrintFlagsFinal of JDK 17 and 25: GCTimeLimit = 98, GCHeapFreeLimit = 2"},
	},
}

// Presets returns all presets.
func Presets() []Preset { return slices.Clone(presets) }

// PresetNames returns their names.
func PresetNames() []string {
	var names []string
	for _, p := range presets {
		names = append(names, p.Name)
	}
	return names
}

// PresetNamed returns a preset, or a usage error that lists the names.
func PresetNamed(name string) (Preset, error) {
	for _, p := range presets {
		if strings.EqualFold(p.Name, name) {
			p.Tiers = slices.Clone(p.Tiers)
			return p, nil
		}
	}
	return Preset{}, fault.Usagef("preset %q: expected one of %s", name, strings.Join(PresetNames(), ", "))
}
