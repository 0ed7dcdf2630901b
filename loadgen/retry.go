package loadgen

// again is a request that the client will send once more.
type again struct {
	due     int64
	segment int32
	kind    int32
	attempt uint8
}

// retryQueue holds the retries to come, in the order in which they are due,
// which is the order in which they were asked for since all wait equally long.
// It is a ring that grows to the most that ever waited at once.
type retryQueue struct {
	ring    []again
	head, n int
}

func (q *retryQueue) push(a again) {
	if q.n == len(q.ring) {
		bigger := make([]again, max(64, 2*len(q.ring)))
		for i := range q.n {
			bigger[i] = q.ring[(q.head+i)%len(q.ring)]
		}
		q.ring, q.head = bigger, 0
	}
	q.ring[(q.head+q.n)%len(q.ring)] = a
	q.n++
}

// peek returns the next retry, or nil.
func (q *retryQueue) peek() *again {
	if q.n == 0 {
		return nil
	}
	return &q.ring[q.head]
}

func (q *retryQueue) take() {
	q.head = (q.head + 1) % len(q.ring)
	q.n--
}

func (q *retryQueue) clear() { q.head, q.n = 0, 0 }
