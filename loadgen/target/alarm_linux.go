package target

import (
	"runtime"
	"sync"
	"time"

	"golang.org/x/sys/unix"
)

// alarm wakes one goroutine at an instant, or earlier when it is rung.
//
// The runtime's timers go through epoll_wait, whose timeout counts in whole
// milliseconds: answers would come half a millisecond late on average, a
// twentieth of the default service time. This one waits in ppoll, which counts
// in ns, on a thread of its own with the least timer slack.
type alarm struct {
	mu    sync.Mutex // keeps ring from a descriptor that is somebody else's by now
	event int        // an eventfd, -1 once closed
}

func newAlarm() (*alarm, error) {
	fd, err := unix.Eventfd(0, unix.EFD_CLOEXEC|unix.EFD_NONBLOCK)
	return &alarm{event: fd}, err
}

// prepare is called once by the goroutine that will sleep.
func (a *alarm) prepare() {
	runtime.LockOSThread()
	// Without it the kernel may be 50 µs late to save wake-ups; if it is
	// refused, that is all that is lost.
	unix.Prctl(unix.PR_SET_TIMERSLACK, 1, 0, 0, 0)
}

// close is called by the goroutine that slept, when it will no more.
func (a *alarm) close() {
	a.mu.Lock()
	defer a.mu.Unlock()
	unix.Close(a.event)
	a.event = -1
}

// ring ends the current sleep, or the next one at once.
func (a *alarm) ring() {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.event >= 0 {
		one := [8]byte{1}
		unix.Write(a.event, one[:]) // it can only fail when it is rung already
	}
}

// sleep waits for ns, or until the alarm is rung.
func (a *alarm) sleep(ns int64) {
	if ns <= 0 {
		return
	}
	// An hour at a time, within any kernel's range; the caller sleeps again.
	timeout := unix.NsecToTimespec(min(ns, int64(time.Hour)))
	fds := [1]unix.PollFd{{Fd: int32(a.event), Events: unix.POLLIN}}
	if n, _ := unix.Ppoll(fds[:], &timeout, nil); n > 0 {
		var count [8]byte
		unix.Read(a.event, count[:])
	}
}
