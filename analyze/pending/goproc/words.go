package goproc

import (
	"fmt"

	"example.com/kneeline/heapdump/goroutines"
	"example.com/kneeline/internal/units"
)

// counted is a number of things, with separators.
func counted(n int64, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return units.Count(n) + " " + many
}

// bytesWords is a mean size.
func bytesWords(b float64) string { return units.Size(int64(b + 0.5)) }

// waitsFor says what a wait is for, in words that follow "wait for".
func waitsFor(row *Row, how, state string) string {
	if row != nil {
		return row.Name
	}
	switch how {
	case howLock:
		return "a lock"
	case howLimit:
		return "room in a channel"
	case howJoin:
		return "goroutines of its own"
	}
	switch state {
	case goroutines.StateChanReceive:
		return "a value from a channel"
	case goroutines.StateSelect:
		return "one of several channels"
	case goroutines.StateCond:
		return "a condition"
	case goroutines.StateForever:
		return "nothing that can come"
	case goroutines.StateIO:
		return "the network"
	case goroutines.StateSleep:
		return "time to pass"
	case goroutines.StateSyscall:
		return "the operating system"
	case goroutines.StateGCAssist:
		return "the garbage collector"
	}
	return ""
}

// seatWords says what goroutines of a seat are or wait for.
func (s *seat) seatWords() string {
	switch s.role() {
	case roleIdle, roleReading, roleConnection, roleCompanion, roleSelf, roleStream:
		return s.serve.Name
	}
	return waitsFor(s.wait, s.how, s.stack.State)
}

// turn says what the requests at a place wait for, as part of a sentence.
func (p *place) turn() string {
	limit := p.limit()
	switch {
	case p.pool != nil:
		return fmt.Sprintf("for %s of %s, all busy", counted(p.pool.total, "goroutine", "goroutines"), p.pool.root)
	case p.how == howLimit && p.pastHigh == 1:
		return "for the only slot in each process"
	case p.how == howLimit && limit > 0 && p.pastHigh > 0:
		return fmt.Sprintf("for one of %s", p.perProcess("slot", "slots"))
	case p.how == howLimit && limit == 1:
		return "for the only slot"
	case p.how == howLimit && limit > 0:
		return fmt.Sprintf("for one of %s", counted(limit, "slot", "slots"))
	case p.how == howPool && limit > 0:
		return fmt.Sprintf("for %s, of which %s in use", p.wait.Name, areAtLeast(limit))
	case p.how == howUnclear && p.admits && p.pastHigh > 0:
		return fmt.Sprintf("(%s) while %s", stateName(p.state), p.perProcess("is past", "are past"))
	case p.how == howUnclear && p.admits:
		return fmt.Sprintf("(%s) while %s past", stateName(p.state), isAre(p.past))
	case p.how == howUnclear:
		return "(" + stateName(p.state) + ")"
	}
	return "for " + waitsFor(p.wait, p.how, p.state)
}

// perProcess is how many are past in each of several processes.
func (p *place) perProcess(one, many string) string {
	if p.pastLow == p.pastHigh {
		return counted(p.pastLow, one, many) + " in each process"
	}
	return fmt.Sprintf("%s to %s in each process", units.Count(p.pastLow), counted(p.pastHigh, one, many))
}

func isAre(n int64) string {
	if n == 1 {
		return "1 is"
	}
	return units.Count(n) + " are"
}

func areAtLeast(n int64) string {
	if n == 1 {
		return "at least 1 is"
	}
	return fmt.Sprintf("at least %s are", units.Count(n))
}
