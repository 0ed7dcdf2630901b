package loadgen

import "time"

// hintDates are the dates of a refusal that says by a date when to come back. Only
// the difference to the answer's own Date means something: both are by the
// service's clock, which need not be the client's. RFC 9110 (section 6.6.1) has
// whoever has a clock send a Date; without one the hint is none.
type hintDates struct{ date, retry int64 } // seconds since 1970; 0 when absent

// retryAfterValue reads Retry-After, in seconds or as a date.
func (r *reader) retryAfterValue(value []byte) {
	if n, ok := decimal(value); ok {
		r.retryAfter, r.hasRetryAfter = n, true
		return
	}
	r.hintDates.retry = httpDate(value)
	r.hintByDate()
}

// dateValue reads the Date of a refusal.
func (r *reader) dateValue(value []byte) {
	r.hintDates.date = httpDate(value)
	r.hintByDate()
}

func (r *reader) hintByDate() {
	if d := &r.hintDates; d.date != 0 && d.retry != 0 {
		r.retryAfter, r.hasRetryAfter = max(0, d.retry-d.date), true
	}
}

// maxDate bounds a date: the longest form has 33 bytes.
const maxDate = 40

// httpDate reads a date in one of the three forms of RFC 9110, section 5.6.7, as
// seconds since 1970; 0 when it is none.
func httpDate(value []byte) int64 {
	if len(value) > maxDate {
		return 0
	}
	for _, form := range [...]string{"Mon, 02 Jan 2006 15:04:05 GMT", time.RFC850, time.ANSIC} {
		if t, err := time.Parse(form, string(value)); err == nil {
			return max(0, t.Unix())
		}
	}
	return 0
}
