//go:build !unix

package loadgen

import "syscall"

// causeOf names the end of a connection that the system reports. The numbers
// are those of Windows sockets.
func causeOf(errno syscall.Errno) string {
	switch errno {
	case 10061: // WSAECONNREFUSED
		return CauseRefused
	case 10054, 10053, 10058: // WSAECONNRESET, WSAECONNABORTED, WSAESHUTDOWN
		return CauseReset
	case 10060: // WSAETIMEDOUT
		return CauseConnectTime
	case 10051, 10065, 10047: // WSAENETUNREACH, WSAEHOSTUNREACH, WSAEAFNOSUPPORT
		return CauseUnreachable
	case 10048, 10049: // WSAEADDRINUSE, WSAEADDRNOTAVAIL
		return LimitPorts
	case 10024, 10055: // WSAEMFILE, WSAENOBUFS
		return LimitFiles
	}
	return "system error: " + errno.Error()
}
