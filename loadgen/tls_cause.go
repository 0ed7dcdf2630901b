package loadgen

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"io"
	"net"
	"strings"
	"syscall"
)

// Causes of class failed that only TLS knows. An alert of the service has the
// cause "TLS alert from the service: " and its name.
const (
	CauseCertExpired   = "TLS: certificate expired or not yet valid"
	CauseCertAuthority = "TLS: certificate of an unknown authority"
	CauseCertName      = "TLS: certificate for another name"
	CauseCertBad       = "TLS: certificate not valid"
	CauseNotTLS        = "TLS: the service does not speak TLS"
	CauseTLSProtocol   = "TLS: protocol error"
	CauseTLSClosed     = "TLS: closed in the handshake"
	CauseTLSReset      = "TLS: reset in the handshake"
	CauseNoH2          = "TLS: the service does not agree on HTTP/2"
	// CauseNoNotify is an answer without a length on a connection that ended
	// without close_notify: whoever cuts the connection can cut the answer.
	CauseNoNotify = "closed mid-answer: TLS without close_notify"

	alertCause = "TLS alert from the service: "
)

// handshakeCause names the error of a handshake.
func handshakeCause(err error) string {
	var (
		invalid x509.CertificateInvalidError
		unknown x509.UnknownAuthorityError
		name    x509.HostnameError
		verify  *tls.CertificateVerificationError
		errno   syscall.Errno
		ne      net.Error
	)
	switch {
	case errors.As(err, &invalid) && invalid.Reason == x509.Expired:
		return CauseCertExpired
	case errors.As(err, &unknown):
		return CauseCertAuthority
	case errors.As(err, &name):
		return CauseCertName
	case errors.As(err, &verify), errors.As(err, &invalid):
		return CauseCertBad
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return CauseTLSClosed
	case errors.As(err, &errno):
		if cause := causeOf(errno); cause != CauseReset {
			return cause
		}
		return CauseTLSReset
	}
	var header tls.RecordHeaderError
	if errors.As(err, &header) {
		return CauseNotTLS
	}
	if cause := recordCause(err); cause != CauseTLSProtocol {
		return cause
	}
	if errors.As(err, &ne) && ne.Timeout() {
		return CauseHandshakeTime
	}
	return CauseTLSProtocol
}

// recordCause names an error that TLS itself found. Alerts have few names, so that
// a service that sends all of them costs no memory.
func recordCause(err error) string {
	var oe *net.OpError
	if errors.As(err, &oe) && oe.Op == "remote error" {
		return alertCause + strings.TrimPrefix(oe.Err.Error(), "tls: ")
	}
	return CauseTLSProtocol
}
