package compare

import (
	"cmp"
	"slices"
	"strings"

	"example.com/kneeline/analyze/pending"
)

// keys are by what a queue is known again, the surest first: who holds it, what it is
// and its address, which changes when the collector moves things; the same without the
// address; and its name alone, for one that another object holds now.
func keys(q *pending.Queue) [3]string {
	held := strings.Join([]string{q.Owner, q.OwnerField, q.OwnerName, q.Class, q.Name}, "|")
	return [3]string{held + "|" + q.Address, held, q.Name}
}

// queues joins the queues of the two: of several that are alike, in their order.
func (c *comparison) queues() {
	pairs := make([]*pending.Queue, len(c.after.Queues))
	taken := make([]bool, len(c.before.Queues))
	for level := range 3 {
		free := map[string][]int{}
		for i := range c.before.Queues {
			if !taken[i] {
				key := keys(&c.before.Queues[i])[level]
				free[key] = append(free[key], i)
			}
		}
		for i := range c.after.Queues {
			key := keys(&c.after.Queues[i])[level]
			if rest := free[key]; pairs[i] == nil && len(rest) > 0 {
				pairs[i], taken[rest[0]] = &c.before.Queues[rest[0]], true
				free[key] = rest[1:]
			}
		}
	}
	for i := range c.after.Queues {
		c.res.Queues = append(c.res.Queues, c.queue(pairs[i], &c.after.Queues[i]))
	}
	for i := range c.before.Queues {
		if !taken[i] {
			c.res.Queues = append(c.res.Queues, c.queue(&c.before.Queues[i], nil))
		}
	}
	slices.SortStableFunc(c.res.Queues, func(a, b Queue) int {
		return cmp.Or(cmp.Compare(rank(a), rank(b)), cmp.Compare(b.Change, a.Change), cmp.Compare(b.After, a.After), cmp.Compare(a.Name, b.Name))
	})
}

// rank puts queues of requests before others, and these before timers.
func rank(q Queue) int {
	switch {
	case q.Requests:
		return 0
	case q.Role == pending.RoleTimers:
		return 2
	}
	return 1
}

// queue compares one queue; it is nil where it is not among those of one of the two,
// which tell of queues with enough entries alone.
func (c *comparison) queue(before, after *pending.Queue) Queue {
	one := after
	if one == nil {
		one = before
	}
	q := Queue{Name: one.Name, Role: one.Role, Requests: one.Requests, Capacity: one.Capacity}
	if before != nil {
		q.Before, q.BytesBefore, q.HeadBefore = before.Entries, before.Bytes, head(before)
	} else {
		q.BeforeUnder = under(c.before)
	}
	if after != nil {
		q.After, q.BytesAfter, q.HeadAfter = after.Entries, after.Bytes, head(after)
	} else {
		q.AfterUnder = under(c.after)
	}
	q.Change = q.After - q.Before
	q.Rate = c.rate(float64(q.Change))
	if q.Capacity != nil {
		q.Full = fullIn(float64(*q.Capacity-q.After), q.Rate)
	}
	switch {
	case after == nil:
	case known(before) && known(after):
		c.exactFlow(&q, before.IDs, after.IDs)
	default:
		c.flow(&q, after)
	}
	return q
}

// under is how many entries a queue has not that is not told of.
func under(r *pending.Result) *int64 {
	n := max(r.Settings.MinEntries, 1)
	return &n
}

func head(q *pending.Queue) *float64 {
	if q.Age == nil {
		return nil
	}
	v := q.Age.Head
	return &v
}

// known says whether the entries of a queue can be known again.
func known(q *pending.Queue) bool {
	return q != nil && len(q.IDs) > 0 && int64(len(q.IDs)) == q.Entries && !slices.Contains(q.IDs, 0)
}

// exactFlow tells which entries are in both of the two.
func (c *comparison) exactFlow(q *Queue, before, after []uint32) {
	was := make(map[uint32]bool, len(before))
	for _, id := range before {
		was[id] = true
	}
	stayed := int64(0)
	for _, id := range after {
		if was[id] {
			stayed++
		}
	}
	arrived, left := int64(len(after))-stayed, int64(len(before))-stayed
	q.Arrived, q.Left = &arrived, &left
	q.ArrivalRate, q.LeaveRate = c.rate(float64(arrived)), c.rate(float64(left))
}

// flow tells by the ages of the entries how many came since the first of the two was
// taken, and so how many of those that were there then are gone.
func (c *comparison) flow(q *Queue, after *pending.Queue) {
	if c.seconds <= 0 || after.Age == nil {
		return
	}
	share, ok := younger(after.Age, c.seconds)
	if !ok {
		return
	}
	arrived := int64(share*float64(q.After) + 0.5)
	// There cannot be more old ones than there were.
	arrived = max(arrived, q.After-q.Before)
	left := q.Before + arrived - q.After
	q.Arrived, q.Left = &arrived, &left
	q.ArrivalRate, q.LeaveRate = c.rate(float64(arrived)), c.rate(float64(left))
}

// younger is the share of entries that are younger than an age, between those whose ages
// are known: in a saved result the head, the median and the tail alone.
func younger(a *pending.Age, age float64) (share float64, ok bool) {
	switch {
	case a.Oldest <= age && a.Head <= age:
		return 1, true
	case a.HeadOnly:
		return 0, false
	case a.Tail >= age:
		return 0, true
	case len(a.Steps) > 1:
		i, _ := slices.BinarySearch(a.Steps, age)
		if i == 0 || i == len(a.Steps) {
			return float64(i) / float64(len(a.Steps)), true
		}
		return (float64(i-1) + between(a.Steps[i-1], a.Steps[i], age)) / float64(len(a.Steps)-1), true
	case a.Median >= age:
		return 0.5 * between(a.Tail, a.Median, age), true
	}
	return 0.5 + 0.5*between(a.Median, a.Head, age), true
}

// between is how far a value lies from one to another, 0 to 1.
func between(from, to, v float64) float64 {
	if to <= from {
		return 1
	}
	return min(max((v-from)/(to-from), 0), 1)
}
