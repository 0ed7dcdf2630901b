//go:build linux

// Command stallserver is an HTTP/1.1 service with one serving thread for measuring load
// generators: it answers every request at once with the same 200, and can freeze
// wholly at planned times, as a long garbage collection would make it.
//
// It is not a model of a real service: requests carry no body, and a request
// must arrive in one piece.
//
//	stallserver -addr 127.0.0.1:18080 -stall 1s -every 10s -for 60s
//
// On SIGTERM or at its end it prints what it did as JSON: requests, connections,
// the busy time of one request, and each freeze and (with -log) each answer on
// the monotonic clock.
package main

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"net/netip"
	"os"
	"os/signal"
	"runtime"
	"sync/atomic"
	"syscall"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"
)

var answer = []byte("HTTP/1.1 200 OK\r\nServer: stallserver\r\nContent-Type: text/plain\r\nContent-Length: 3\r\n\r\nok\n")

type report struct {
	Requests    uint64     `json:"requests"`
	Connections uint64     `json:"connections"`
	BusyNs      float64    `json:"busy_ns_per_request"`
	Freezes     [][2]int64 `json:"freezes_monotonic_ns"`
	Answers     []int64    `json:"answers_monotonic_ns,omitempty"`
}

type server struct {
	ep, ln int
	report report
	conns  atomic.Uint64
	busy   int64
	buf    []byte
	out    []byte

	stall, every, next int64
	log                bool
}

func main() {
	addr := flag.String("addr", "127.0.0.1:18080", "loopback address to listen on")
	stall := flag.Duration("stall", 0, "length of a freeze")
	every := flag.Duration("every", 10*time.Second, "time from one freeze to the next; the first comes after half of it, counted from the first request")
	logged := flag.Bool("log", false, "report the instant of every answer")
	life := flag.Duration("for", time.Minute, "end after this time")
	flag.Parse()
	if err := run(*addr, int64(*stall), int64(*every), *logged, *life); err != nil {
		fmt.Fprintln(os.Stderr, "stallserver:", err)
		os.Exit(1)
	}
}

func run(addr string, stall, every int64, logged bool, life time.Duration) error {
	ap, err := netip.ParseAddrPort(addr)
	if err != nil || !ap.Addr().Is4() || !ap.Addr().IsLoopback() {
		return fmt.Errorf("expected a loopback IPv4 address with a port, found %q", addr)
	}
	var stop atomic.Bool
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, syscall.SIGTERM, syscall.SIGINT)
	go func() {
		select {
		case <-signals:
		case <-time.After(life):
		}
		stop.Store(true)
	}()
	runtime.LockOSThread()
	s := &server{buf: make([]byte, 64<<10), out: bytes.Repeat(answer, 64), stall: stall, every: every, log: logged}
	if err := s.listen(ap); err != nil {
		return err
	}
	go s.accept()
	s.loop(&stop)
	s.report.Connections = s.conns.Load()
	s.report.BusyNs = float64(s.busy) / float64(max(1, s.report.Requests))
	return json.NewEncoder(os.Stdout).Encode(s.report)
}

func (s *server) listen(ap netip.AddrPort) error {
	var err error
	if s.ln, err = unix.Socket(unix.AF_INET, unix.SOCK_STREAM, 0); err != nil {
		return err
	}
	if err = unix.SetsockoptInt(s.ln, unix.SOL_SOCKET, unix.SO_REUSEADDR, 1); err != nil {
		return err
	}
	if err = unix.Bind(s.ln, &unix.SockaddrInet4{Port: int(ap.Port()), Addr: ap.Addr().As4()}); err != nil {
		return err
	}
	if err = unix.Listen(s.ln, 65535); err != nil {
		return err
	}
	s.ep, err = unix.EpollCreate1(0)
	return err
}

func (s *server) watch(fd int) error {
	ev := unix.EpollEvent{Events: unix.EPOLLIN, Fd: int32(fd)}
	return unix.EpollCtl(s.ep, unix.EPOLL_CTL_ADD, fd, &ev)
}

func now() int64 {
	var ts unix.Timespec
	_ = unix.ClockGettime(unix.CLOCK_MONOTONIC, &ts)
	return ts.Nano()
}

func (s *server) loop(stop *atomic.Bool) {
	events := make([]unix.EpollEvent, 256)
	for !stop.Load() {
		n, err := unix.EpollWait(s.ep, events, 100)
		if err != nil {
			continue
		}
		began := now()
		s.freezeIfDue(began)
		if n > 0 {
			began = now()
		}
		for i := range events[:n] {
			s.serve(int(events[i].Fd))
		}
		if n > 0 {
			s.busy += now() - began
		}
	}
}

// freezeIfDue stops everything for the length of a freeze.
func (s *server) freezeIfDue(t int64) {
	if s.stall == 0 || s.next == 0 || t < s.next {
		return
	}
	time.Sleep(time.Duration(s.stall))
	s.report.Freezes = append(s.report.Freezes, [2]int64{t, now()})
	for s.next <= now() {
		s.next += s.every
	}
}

// accept takes connections on a thread of its own, also during a freeze: the
// kernel drops handshakes when more than net.core.somaxconn connections wait
// (4096 by default), and a client tries again only a second later.
func (s *server) accept() {
	for {
		fd, _, err := unix.Accept4(s.ln, unix.SOCK_NONBLOCK)
		if err != nil {
			return
		}
		s.conns.Add(1)
		if unix.SetsockoptInt(fd, unix.IPPROTO_TCP, unix.TCP_NODELAY, 1) != nil || s.watch(fd) != nil {
			unix.Close(fd)
		}
	}
}

func (s *server) serve(fd int) {
	n, _, errno := syscall.RawSyscall6(unix.SYS_RECVFROM, uintptr(fd), uintptr(unsafe.Pointer(&s.buf[0])), uintptr(len(s.buf)), 0, 0, 0)
	if errno == unix.EAGAIN {
		return
	}
	if errno != 0 || n == 0 {
		unix.Close(fd)
		return
	}
	if s.next == 0 {
		s.next = now() + s.every/2
	}
	k := min(bytes.Count(s.buf[:n], []byte("\r\n\r\n")), len(s.out)/len(answer))
	s.report.Requests += uint64(k)
	if k == 0 {
		return
	}
	_, _, errno = syscall.RawSyscall6(unix.SYS_SENDTO, uintptr(fd), uintptr(unsafe.Pointer(&s.out[0])), uintptr(k*len(answer)), unix.MSG_NOSIGNAL, 0, 0)
	if errno != 0 {
		unix.Close(fd)
	}
	for t := now(); s.log && k > 0; k-- {
		s.report.Answers = append(s.report.Answers, t)
	}
}
