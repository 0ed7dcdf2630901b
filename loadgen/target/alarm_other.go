//go:build !linux

package target

import "time"

// alarm wakes one goroutine at an instant, or earlier when it is rung.
type alarm struct {
	rung  chan struct{}
	timer *time.Timer
}

func newAlarm() (*alarm, error) {
	t := time.NewTimer(time.Hour)
	t.Stop()
	return &alarm{rung: make(chan struct{}, 1), timer: t}, nil
}

// prepare is called once by the goroutine that will sleep.
func (a *alarm) prepare() {}

// close is called by the goroutine that slept, when it will no more.
func (a *alarm) close() { a.timer.Stop() }

// ring ends the current sleep, or the next one at once.
func (a *alarm) ring() {
	select {
	case a.rung <- struct{}{}:
	default:
	}
}

// sleep waits for ns, or until the alarm is rung.
func (a *alarm) sleep(ns int64) {
	if ns <= 0 {
		return
	}
	a.timer.Reset(time.Duration(ns))
	select {
	case <-a.rung:
		a.timer.Stop()
	case <-a.timer.C:
	}
}
