//go:build !(linux && (amd64 || arm64))

package loadgen

// newEngine returns the best engine of the platform for l.
func newEngine(l *loop, _ bool) (engine, error) { return newGoEngine(l), nil }
