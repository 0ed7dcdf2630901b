package hostile_test

import (
	"flag"
	"os"
	"testing"
)

// TestMain plays many behaviours at once: they wait most of the time.
func TestMain(m *testing.M) {
	flag.Parse()
	if err := flag.Set("test.parallel", "24"); err != nil {
		panic(err)
	}
	os.Exit(m.Run())
}
