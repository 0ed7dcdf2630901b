//go:build linux && (amd64 || arm64)

package loadgen

import (
	"errors"
	"fmt"
	"math"
	"net/netip"
	"syscall"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"
)

// This file is the system calls of the epoll engine. Calls that cannot block
// bypass the Go scheduler's book-keeping; calls that wait do not.

// dialSocket makes a non-blocking socket and begins to connect it. errno is
// EINPROGRESS when that goes on.
func dialSocket(to address) (fd int, errno syscall.Errno) {
	family, sa := socketAddress(to.ip)
	if to.unix != "" {
		family, sa = unix.AF_UNIX, &unix.SockaddrUnix{Name: to.unix}
	}
	fd, err := unix.Socket(family, unix.SOCK_STREAM|unix.SOCK_CLOEXEC|unix.SOCK_NONBLOCK, 0)
	if err != nil {
		return 0, errnoOf(err)
	}
	// A close resets the connection, so that no port is held for a minute.
	reset := unix.Linger{Onoff: 1}
	err = unix.SetsockoptLinger(fd, unix.SOL_SOCKET, unix.SO_LINGER, &reset)
	if err == nil && family != unix.AF_UNIX {
		err = unix.SetsockoptInt(fd, unix.IPPROTO_TCP, unix.TCP_NODELAY, 1)
	}
	if err == nil {
		err = unix.Connect(fd, sa)
	}
	return fd, errnoOf(err)
}

func socketAddress(to netip.AddrPort) (family int, sa unix.Sockaddr) {
	if to.Addr().Is4() {
		return unix.AF_INET, &unix.SockaddrInet4{Port: int(to.Port()), Addr: to.Addr().As4()}
	}
	return unix.AF_INET6, &unix.SockaddrInet6{Port: int(to.Port()), Addr: to.Addr().As16()}
}

func send(fd int, b []byte) (int, syscall.Errno) {
	n, _, errno := syscall.RawSyscall6(unix.SYS_SENDTO, uintptr(fd), uintptr(unsafe.Pointer(unsafe.SliceData(b))), uintptr(len(b)), unix.MSG_NOSIGNAL, 0, 0)
	return int(n), errno
}

func recv(fd int, b []byte) (int, syscall.Errno) {
	n, _, errno := syscall.RawSyscall6(unix.SYS_RECVFROM, uintptr(fd), uintptr(unsafe.Pointer(unsafe.SliceData(b))), uintptr(len(b)), 0, 0, 0)
	return int(n), errno
}

// epollPwait2 waits at most ns.
func epollPwait2(ep int, events []unix.EpollEvent, ns int64) (int, syscall.Errno) {
	ts := unix.NsecToTimespec(min(ns, int64(time.Hour)))
	n, _, errno := syscall.Syscall6(unix.SYS_EPOLL_PWAIT2, uintptr(ep), uintptr(unsafe.Pointer(unsafe.SliceData(events))), uintptr(len(events)), uintptr(unsafe.Pointer(&ts)), 0, 0)
	if errno != 0 {
		return 0, errno
	}
	return int(n), 0
}

// pollNow asks for events without waiting.
func pollNow(ep int, events []unix.EpollEvent) int {
	n, _, errno := syscall.RawSyscall6(unix.SYS_EPOLL_PWAIT, uintptr(ep), uintptr(unsafe.Pointer(unsafe.SliceData(events))), uintptr(len(events)), 0, 0, 0)
	if errno != 0 {
		return 0
	}
	return int(n)
}

// pollFor waits for an event on ep at most ns, where epoll_pwait2 is missing.
func pollFor(ep int, ns int64) {
	fds := []unix.PollFd{{Fd: int32(ep), Events: unix.POLLIN}}
	ts := unix.NsecToTimespec(min(ns, int64(time.Hour)))
	_, _ = unix.Ppoll(fds, &ts, nil)
}

func socketError(fd int) syscall.Errno {
	n, err := unix.GetsockoptInt(fd, unix.SOL_SOCKET, unix.SO_ERROR)
	if err != nil {
		return errnoOf(err)
	}
	if n == 0 {
		return unix.ECONNRESET
	}
	return syscall.Errno(n)
}

// threadCPU returns the CPU time of a thread of this process, or of the
// calling one when tid is 0; 0 when it is gone.
func threadCPU(tid int) time.Duration {
	clockID := int32(unix.CLOCK_THREAD_CPUTIME_ID)
	if tid != 0 {
		// The kernel's encoding of a thread's scheduler clock:
		// CPUCLOCK_PERTHREAD_MASK | CPUCLOCK_SCHED, include/linux/posix-timers.h.
		clockID = int32(^tid<<3) | 4 | 2
	}
	var ts unix.Timespec
	if err := unix.ClockGettime(clockID, &ts); err != nil {
		return 0
	}
	return time.Duration(ts.Nano())
}

func errnoOf(err error) syscall.Errno {
	var errno syscall.Errno
	switch {
	case err == nil:
		return 0
	case errors.As(err, &errno):
		return errno
	}
	return math.MaxInt32
}

func systemError(what string, err error) error {
	return fmt.Errorf("cannot set up the event loop: %s: %w", what, err)
}
