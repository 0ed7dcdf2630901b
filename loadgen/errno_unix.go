//go:build unix

package loadgen

import "syscall"

// causeOf names the end of a connection that the system reports.
func causeOf(errno syscall.Errno) string {
	switch errno {
	case syscall.ECONNREFUSED, syscall.ENOENT: // of a unix socket: its file is not there
		return CauseRefused
	case syscall.ECONNRESET, syscall.EPIPE, syscall.ECONNABORTED, syscall.ENOTCONN:
		return CauseReset
	case syscall.ETIMEDOUT:
		return CauseConnectTime
	case syscall.EHOSTUNREACH, syscall.ENETUNREACH, syscall.EAFNOSUPPORT, syscall.ENETDOWN, syscall.EHOSTDOWN:
		return CauseUnreachable
	case syscall.EADDRNOTAVAIL, syscall.EADDRINUSE:
		return LimitPorts
	case syscall.EMFILE, syscall.ENFILE, syscall.ENOBUFS, syscall.ENOMEM:
		return LimitFiles
	}
	return "system error: " + errno.Error()
}
