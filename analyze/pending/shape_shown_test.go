package pending

import "testing"

// The field that ages follow from is named as its class is elsewhere.
func TestShownSource(t *testing.T) {
	for source, want := range map[string]string{
		"shop.Order#createdAt":                         "shop.Order#createdAt",
		"shop.Main$$Lambda$2+0x00007f785c000c28#arg$1": "shop.Main$$Lambda#arg$1",
		"nothing": "nothing",
	} {
		if got := shown(source); got != want {
			t.Errorf("%s: %s, not %s", source, got, want)
		}
	}
}
