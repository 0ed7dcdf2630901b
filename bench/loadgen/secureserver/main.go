//go:build linux

// Command secureserver is Go's HTTP server behind TLS, or in HTTP/2 without TLS, for
// measuring load generators: it answers every request at once with the same 200.
//
//	secureserver -http 2 -addr 127.0.0.1:18443 -for 5m
//
// Its certificate is made at its start and signed by nobody. On SIGTERM or at its
// end it prints as JSON how many requests and connections it had.
package main

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"flag"
	"fmt"
	"math/big"
	"net"
	"net/http"
	"os"
	"os/signal"
	"sync/atomic"
	"syscall"
	"time"
)

func main() {
	addr := flag.String("addr", "127.0.0.1:18443", "loopback address to listen on")
	version := flag.String("http", "1.1", "1.1 or 2, over TLS, or h2c")
	life := flag.Duration("for", time.Minute, "end after this time")
	flag.Parse()
	if err := run(*addr, *version, *life); err != nil {
		fmt.Fprintln(os.Stderr, "secureserver:", err)
		os.Exit(1)
	}
}

func run(addr, version string, life time.Duration) error {
	var requests, conns atomic.Uint64
	body := []byte("ok\n")
	srv := &http.Server{
		Protocols: new(http.Protocols),
		Handler: http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			requests.Add(1)
			_, _ = w.Write(body)
		}),
		ConnState: func(_ net.Conn, s http.ConnState) {
			if s == http.StateNew {
				conns.Add(1)
			}
		},
	}
	switch version {
	case "1.1":
		srv.Protocols.SetHTTP1(true)
	case "2":
		srv.Protocols.SetHTTP2(true)
	case "h2c":
		srv.Protocols.SetUnencryptedHTTP2(true)
	default:
		return fmt.Errorf("expected 1.1, 2 or h2c, found %q", version)
	}
	ln, err := net.Listen("tcp4", addr)
	if err != nil {
		return err
	}
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM, syscall.SIGINT)
	defer stop()
	ctx, cancel := context.WithTimeout(ctx, life)
	defer cancel()
	context.AfterFunc(ctx, func() { srv.Close() })
	if version == "h2c" {
		err = srv.Serve(ln)
	} else if srv.TLSConfig, err = certificate(); err == nil {
		err = srv.ServeTLS(ln, "", "")
	}
	if err != http.ErrServerClosed {
		return err
	}
	return json.NewEncoder(os.Stdout).Encode(map[string]uint64{"requests": requests.Load(), "connections": conns.Load()})
}

func certificate() (*tls.Config, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, err
	}
	tmpl := &x509.Certificate{SerialNumber: big.NewInt(1), NotAfter: time.Now().Add(24 * time.Hour),
		IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}}
	der, err := x509.CreateCertificate(rand.Reader, tmpl, tmpl, &key.PublicKey, key)
	if err != nil {
		return nil, err
	}
	return &tls.Config{Certificates: []tls.Certificate{{Certificate: [][]byte{der}, PrivateKey: key}}}, nil
}
