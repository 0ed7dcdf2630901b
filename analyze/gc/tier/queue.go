package tier

import "slices"

// queue is a row of values that mostly come at its end and go at its front. What has
// gone keeps its place until it is as much as what stays, so that a value is moved
// down about once however often some are dropped.
type queue[E any] struct {
	values []E
	head   int
}

// all returns the values, which may be changed in place until the next insert.
func (q *queue[E]) all() []E { return q.values[q.head:] }

func (q *queue[E]) len() int { return len(q.values) - q.head }

// insert puts a value before the one at i.
func (q *queue[E]) insert(i int, v E) {
	i += q.head
	q.values = append(q.values, v)
	if n := len(q.values) - 1; i < n {
		copy(q.values[i+1:], q.values[i:n])
		q.values[i] = v
	}
}

// drop removes the first n values.
func (q *queue[E]) drop(n int) {
	q.head += n
	if q.head <= q.len() {
		return
	}
	kept := copy(q.values, q.values[q.head:])
	clear(q.values[kept:])
	q.values, q.head = q.values[:kept], 0
}

func (q *queue[E]) clone() queue[E] { return queue[E]{values: slices.Clone(q.all())} }
