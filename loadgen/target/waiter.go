package target

import "math"

// waiter is a request of [Server] that the model has not answered yet. The
// station owns it from arrival to delivery, its handler only the channel.
type waiter struct {
	answer chan delivery // room for one
	id     uint64        // index in waiters
	pinned []byte
	// gone is when the client left, never while it waits.
	gone int64
	// answered is set when the answer has been put into the channel.
	answered bool
}

// never is an instant later than any other.
const never = int64(math.MaxInt64)

// delivery is an answer with the instant it was planned for.
type delivery struct {
	Answer
	at int64
}

// waiters hands out ids, which are indices, and reuses them; so looking up the
// waiter of an answer costs an index, and memory follows what is pending.
type waiters struct {
	all  []*waiter
	idle []*waiter
}

func (w *waiters) take(pin int64) *waiter {
	var x *waiter
	if n := len(w.idle); n > 0 {
		x = w.idle[n-1]
		w.idle = w.idle[:n-1]
	} else {
		x = &waiter{answer: make(chan delivery, 1), id: uint64(len(w.all))}
		w.all = append(w.all, x)
	}
	x.gone, x.answered = never, false
	if pin > 0 {
		x.pinned = pinned(pin)
	}
	return x
}

// release takes back a waiter whose answer has been received, or will not be.
func (w *waiters) release(x *waiter) {
	w.idle = append(w.idle, x)
}

// pinned returns memory that is resident, not merely reserved.
func pinned(n int64) []byte {
	const page = 4096
	b := make([]byte, n)
	for i := int64(0); i < n; i += page {
		b[i] = 1
	}
	return b
}
