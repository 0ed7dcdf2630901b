package worst

import (
	"math"

	"example.com/kneeline/analyze/lint/model"
	"example.com/kneeline/internal/units"
)

// Try is how long one try of a hop takes at most.
type Try struct {
	// Seconds is +Inf for no limit.
	Seconds float64
	// Gap says that only gaps between reads are bounded: a callee that answers nothing
	// is given up after Seconds, one that trickles is not.
	Gap bool
	// From are the values that make it up.
	From []model.Value
}

// OneTry returns the limit of one try: the one that is kept for tries, else connecting
// and then waiting for the first byte. It reports false where nothing is known of it or
// a value is a hole.
func OneTry(h *model.Hop) (Try, bool) {
	if h.PerTry.IsHole() || h.Connect.IsHole() && h.GapRead.Known() || h.GapRead.IsHole() {
		return Try{}, false
	}
	switch {
	case h.PerTry.Known():
		return Try{Seconds: h.PerTry.Amount, From: []model.Value{h.PerTry}}, !math.IsNaN(h.PerTry.Amount)
	case h.GapRead.Known():
		t := Try{Seconds: h.GapRead.Amount, Gap: true, From: []model.Value{h.GapRead}}
		if h.Connect.Known() {
			t.Seconds += h.Connect.Amount
			t.From = []model.Value{h.Connect, h.GapRead}
		}
		return t, !math.IsNaN(t.Seconds)
	}
	return Try{}, false
}

// Tries returns how many tries one call takes at most, 1 where a hop says nothing of
// further ones. Where every server may be tried it is as many as the file lists, or
// +Inf. It reports false for a hole.
func Tries(h *model.Hop) (float64, bool) {
	v := h.Retry.Tries
	switch {
	case v.IsHole() || v.Known() && math.IsNaN(v.Amount):
		return 0, false
	case !v.Known():
		return 1, true
	case v.Unlimited() && h.Retry.Servers > 0:
		return float64(h.Retry.Servers), true
	}
	return max(v.Amount, 1), true
}

// TriesText is the number of tries of one call in a sentence, before "tries" or "times".
func TriesText(h *model.Hop) string {
	n, ok := Tries(h)
	switch {
	case !ok || !h.Retry.Tries.Known():
		return h.Retry.Tries.String()
	case math.IsInf(n, 1):
		return "any number of"
	}
	return units.Number(n)
}

// Started returns the most tries that can begin before a call's limit has passed, if
// each takes as long as it may and the waits between them are the shortest: what the
// further tries can ever be good for against a slow callee. All in seconds; it is at
// least 1 and at most tries.
func Started(limit, try float64, b model.Backoff, tries float64) float64 {
	tries = math.Floor(tries) // no part of a try begins, and the search below is one of whole numbers
	if math.IsInf(limit, 1) || !(tries > 1) {
		return max(tries, 1)
	}
	begins := func(n float64) float64 {
		if n <= 1 {
			return 0
		}
		return (n-1)*try + LeastWaits(b, n)
	}
	// The start of the n-th try only grows with n.
	lo, hi := 1.0, 2.0
	for ; begins(hi) < limit; lo, hi = hi, hi*2 {
		if hi >= tries || hi > most {
			return tries
		}
	}
	hi = min(hi, tries+1)
	for hi-lo > 1 {
		mid := math.Floor((lo + hi) / 2)
		if begins(mid) < limit {
			lo = mid
		} else {
			hi = mid
		}
	}
	return lo
}

// most is how many tries are counted one by one; more is as good as no limit.
const most = 1 << 40

// Call is how long a call with all of its tries takes at most.
type Call struct {
	// Seconds is +Inf for no limit.
	Seconds float64
	// Sum is what the tries and the waits between them add up to, without the limit of
	// the whole.
	Sum   float64
	Tries float64
	Try   Try
	Waits float64
	// Connecting says that only a failed connection is tried again, so that one try at
	// most waits for an answer.
	Connecting bool
	// Limit is what cuts the tries short: the limit of the whole or the one after which
	// no further try begins. It is absent where neither is known.
	Limit model.Value
	// From are the values that the figure rests on.
	From []model.Value
}

// Whole returns the longest that a call of the hop can take, min(T, A*P + waits), as
// far as the file and the defaults tell. It reports false where one of the values is a
// hole, or neither a limit of the whole nor one of a try is known.
func Whole(h *model.Hop) (Call, bool) {
	if h.Total.IsHole() || h.StartTry.IsHole() || h.Backoff.Base.IsHole() || h.Backoff.Max.IsHole() || h.Backoff.Multiplier.IsHole() {
		return Call{}, false
	}
	tries, ok := Tries(h)
	if !ok {
		return Call{}, false
	}
	c := Call{Tries: tries, Seconds: math.Inf(1), Sum: math.Inf(1)}
	try, bounded := OneTry(h)
	c.Waits = betweenTries(h, try, tries)
	if bounded {
		c.Try = try
		c.From = append(c.From, try.From...)
		c.Sum = Product(tries, try.Seconds) + c.Waits
		if c.Connecting = try.Gap && h.Connect.Known() && OnlyConnects(h.Retry); c.Connecting {
			c.Sum = Product(tries, h.Connect.Amount) + h.GapRead.Amount + c.Waits
		}
		c.Seconds = c.Sum
	}
	if v := h.Retry.Tries; v.Known() {
		if v.Key == h.Retry.Written.Key && v.Amount != h.Retry.Written.Amount {
			v.Key = "tries in all" // the setting counts otherwise
		}
		c.From = append(c.From, v)
	}
	if c.Waits > 0 {
		c.From = append(c.From, h.Backoff.Base)
	}
	if h.StartTry.Finite() && bounded && h.StartTry.Amount+try.Seconds < c.Seconds {
		c.Seconds, c.Limit = h.StartTry.Amount+try.Seconds, h.StartTry
	}
	if h.Total.Finite() && h.Total.Amount < c.Seconds {
		c.Seconds, c.Limit = h.Total.Amount, h.Total
	}
	if c.Limit.Present() {
		c.From = append(c.From, c.Limit)
	}
	return c, bounded || h.Total.Known()
}

// betweenTries are the waits that come on top of tries that take as long as they may.
// Where only a refused connection is waited after, a try takes its limit to answer or
// ends in the wait: what counts is by how much the wait is longer.
func betweenTries(h *model.Hop, try Try, tries float64) float64 {
	waits := Waits(h.Backoff, tries)
	if !h.Backoff.Refused || !try.Gap || OnlyConnects(h.Retry) || !h.GapRead.Known() {
		return waits
	}
	return max(0, waits-Product(tries-1, h.GapRead.Amount))
}

// Formula returns what the tries add up to with the numbers put in, such as
// "4 tries × 2s + 75ms waits = 8.075s".
func (c Call) Formula() string {
	text := plural(c.Tries) + " × " + Text(c.Try.Seconds)
	if c.Connecting {
		text = plural(c.Tries) + " × " + Text(c.Try.From[0].Amount) + " to connect + " + Text(c.Try.From[1].Amount) + " for the answer"
	}
	if c.Waits > 0 {
		text += " + " + Text(c.Waits) + " waits"
	}
	return text + " = " + Text(c.Sum)
}

func plural(tries float64) string {
	if tries == 1 {
		return "1 try"
	}
	return units.Number(tries) + " tries"
}

// OnlyConnects reports whether a call is tried again only where nothing has been sent.
func OnlyConnects(r model.Retry) bool {
	for _, c := range r.On {
		if c.Cause != model.ConnectFailure && c.Cause != model.Refused {
			return false
		}
	}
	return len(r.On) > 0
}
