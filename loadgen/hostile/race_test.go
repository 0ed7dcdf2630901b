//go:build race

package hostile_test

const underRace = true
