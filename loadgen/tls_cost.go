package loadgen

import "runtime"

// shakeCost is what a TLS handshake costs this machine.
type shakeCost struct {
	clock clock
	cpu   func() int64 // CPU time of the calling thread, in ns
	began int64
	// waited is the time in which there was nothing to do but to wait for the service;
	// last is when bytes came after that.
	waited, last int64
	used, since  int64 // CPU time; of the present stretch of work
}

// work begins a stretch of work. The thread is held, so that its CPU time is that of
// the stretch.
func (k *shakeCost) work() {
	runtime.LockOSThread()
	k.since = k.cpu()
}

// rest ends a stretch of work.
func (k *shakeCost) rest() {
	k.used += k.cpu() - k.since
	runtime.UnlockOSThread()
}

// came is called when the service has sent something; first says that the handshake
// had nothing else to work on.
func (k *shakeCost) came(first bool) {
	if first {
		k.last = k.clock()
	}
}
