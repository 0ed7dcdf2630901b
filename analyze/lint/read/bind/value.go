package bind

import (
	"math"
	"strconv"

	"example.com/kneeline/analyze/lint/model"
)

// Or returns a value, or where it is absent the other one.
func Or(v, other model.Value) model.Value {
	if v.Present() {
		return v
	}
	return other
}

// NoLimitBelow returns a duration or number as no limit where it is negative.
func NoLimitBelow(v model.Value) model.Value {
	if v.Known() && v.Amount < 0 {
		v.Amount = math.Inf(1)
	}
	return v
}

// NoLimitAtMost returns a duration or number as no limit where it is 0 or negative.
func NoLimitAtMost(v model.Value) model.Value {
	if v.Known() && v.Amount <= 0 {
		v.Amount = math.Inf(1)
	}
	return v
}

// maxInt is the largest number of 32 bits, by which Java programs say that there is no
// limit.
const maxInt = math.MaxInt32

// NoLimitFromInt returns a number as no limit where it is the largest of 32 bits or
// more.
func NoLimitFromInt(v model.Value) model.Value {
	if v.Known() && v.Amount >= maxInt {
		v.Amount = math.Inf(1)
	}
	return v
}

// ExtraTries fills in how many tries follow the first one.
func ExtraTries(r *model.Retry, extra model.Value) {
	r.Written, r.Dialect, r.Tries = extra, model.ExtraTries, extra
	if extra.Known() {
		r.Tries.Amount = max(extra.Amount, 0) + 1
	}
}

// TotalTries fills in how many tries there are in all.
func TotalTries(r *model.Retry, total model.Value) {
	r.Written, r.Dialect, r.Tries = total, model.TotalTries, total
	if total.Known() {
		r.Tries.Amount = max(total.Amount, 1)
	}
}

// Set puts a value into a hop's or service's settings that only rules of its format
// read, under the setting's key.
func Set(extra *map[string]model.Value, v model.Value) {
	if !v.Present() {
		return
	}
	if *extra == nil {
		*extra = map[string]model.Value{}
	}
	(*extra)[v.Key] = v
}

// number writes a number without an exponent, rounded to what a person would write.
func number(f float64) string {
	return strconv.FormatFloat(math.Round(f*1e6)/1e6, 'f', -1, 64)
}

func quoted(text string) string {
	const most = 60
	if len(text) > most {
		text = text[:most] + "…"
	}
	return strconv.Quote(text)
}
