//go:build !race

package gcparse

// raceEnabled tells that the race detector slows everything down.
const raceEnabled = false
