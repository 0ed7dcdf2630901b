package cmd

import (
	"strings"
	"testing"
)

func TestAsVetTool(t *testing.T) {
	for args, want := range map[string]bool{
		"-V=full": true, "-flags": true, "/tmp/vet.cfg": true, "-clientlimit -json /tmp/vet.cfg": true,
		"": false, "lint haproxy.cfg": false, "--color never lint haproxy.cfg": false, "-h": false, "version": false,
	} {
		if got := asVetTool(strings.Fields(args)); got != want {
			t.Errorf("%q: %v", args, got)
		}
	}
}
