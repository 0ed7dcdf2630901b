package tier

import (
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"example.com/kneeline/internal/units"
)

const page = "../../../docs/methods/gc-overhead.md"

// The table of presets on the page is the one of the code.
func TestPageListsThePresets(t *testing.T) {
	data, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range Presets() {
		line := fmt.Sprintf("| `%s` | %s | %s |", p.Name, units.ExactDuration(p.Window), strings.ReplaceAll(p.Tiers.String(), ",", " "))
		if !strings.Contains(string(data), line) {
			t.Errorf("%s lacks the line %q", page, line)
		}
	}
}

// The page says how long a single pause must last to enter and to violate.
func TestSinglePauses(t *testing.T) {
	violates := func(k int, length time.Duration) (entered, violated bool) {
		all, _ := play(t, Config{}, 600*sec, func(add func(from, to int64)) { add(100*sec, 100*sec+int64(length)) })
		for _, s := range all {
			entered = entered || s.Tier == k
			violated = violated || s.Tier == k && s.Violated
		}
		return entered, violated
	}
	const moment = time.Millisecond
	if in, _ := violates(0, 3*time.Second-moment); in {
		t.Error("a pause of less than 3 s enters a tier")
	}
	if in, _ := violates(0, 3*time.Second+moment); !in {
		t.Error("a pause of 3 s enters no tier")
	}
	for k, length := range map[int]time.Duration{1: 7500 * time.Millisecond, 2: 15 * time.Second, 3: 24 * time.Second} {
		if _, v := violates(k, length-moment); v {
			t.Errorf("%v is violated by less than %v", Default()[k], length)
		}
		if _, v := violates(k, length+moment); !v {
			t.Errorf("%v is not violated by %v", Default()[k], length)
		}
	}
}
