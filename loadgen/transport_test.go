package loadgen

import (
	"bytes"
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"fmt"
	"io"
	"math/big"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"example.com/kneeline/internal/outcome"
)

// authority signs certificates in memory.
type authority struct {
	cert *x509.Certificate
	key  *ecdsa.PrivateKey
	pem  []byte
}

func newAuthority(t testing.TB) *authority {
	t.Helper()
	a := &authority{}
	tmpl := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "test authority"}, IsCA: true, BasicConstraintsValid: true,
		NotBefore: time.Unix(0, 0), NotAfter: time.Unix(1<<33, 0), KeyUsage: x509.KeyUsageCertSign,
	}
	var der []byte
	a.key, der = sign(t, tmpl, nil, nil)
	var err error
	if a.cert, err = x509.ParseCertificate(der); err != nil {
		t.Fatal(err)
	}
	a.pem = pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der})
	return a
}

func sign(t testing.TB, tmpl, parent *x509.Certificate, by *ecdsa.PrivateKey) (*ecdsa.PrivateKey, []byte) {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	if parent == nil {
		parent, by = tmpl, key
	}
	der, err := x509.CreateCertificate(rand.Reader, tmpl, parent, &key.PublicKey, by)
	if err != nil {
		t.Fatal(err)
	}
	return key, der
}

// issue makes a certificate for a name and 127.0.0.1, as PEM too.
func (a *authority) issue(t testing.TB, name string, until time.Time) (pair tls.Certificate, certPEM, keyPEM []byte) {
	t.Helper()
	tmpl := &x509.Certificate{
		SerialNumber: big.NewInt(2), Subject: pkix.Name{CommonName: name}, DNSNames: []string{name},
		IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}, NotBefore: time.Unix(0, 0), NotAfter: until,
		ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth, x509.ExtKeyUsageClientAuth},
	}
	if name == "elsewhere.test" {
		tmpl.IPAddresses = nil
	}
	key, der := sign(t, tmpl, a.cert, a.key)
	keyDER, err := x509.MarshalECPrivateKey(key)
	if err != nil {
		t.Fatal(err)
	}
	certPEM = pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der})
	keyPEM = pem.EncodeToMemory(&pem.Block{Type: "EC PRIVATE KEY", Bytes: keyDER})
	if pair, err = tls.X509KeyPair(certPEM, keyPEM); err != nil {
		t.Fatal(err)
	}
	return pair, certPEM, keyPEM
}

var farAway = time.Unix(1<<33, 0)

// atLeast offers a rate until so many requests are planned as half of d is due, and
// d at the least: a machine that stands still makes a run longer and not empty.
func atLeast(rate float64, d time.Duration) Pilot {
	return PilotFunc(func(tl *Timeline) Step {
		planned, _ := tl.Sum(0, tl.Now)
		return Step{Rate: rate, Stop: tl.Now >= d && float64(planned.Planned) >= rate*d.Seconds()/2}
	})
}

// secureServer is net/http behind TLS.
func secureServer(t testing.TB, conf *tls.Config, h2 bool, h http.HandlerFunc) (srv *httptest.Server, hits *atomic.Int64) {
	t.Helper()
	hits = new(atomic.Int64)
	srv = httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		hits.Add(1)
		h(w, r)
	}))
	srv.TLS, srv.EnableHTTP2 = conf, h2
	srv.Config.ErrorLog = quietLog
	srv.StartTLS()
	t.Cleanup(srv.Close)
	return srv, hits
}

// TestTLS guards requests over TLS 1.2 and 1.3 in HTTP/1.1 and HTTP/2 on both
// engines: name, client certificate, resumption, the count of the service.
func TestTLS(t *testing.T) {
	ca := newAuthority(t)
	pair, certPEM, keyPEM := ca.issue(t, "shop.test", farAway)
	for _, version := range []uint16{tls.VersionTLS12, tls.VersionTLS13} {
		for _, h2 := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s h2=%v", tls.VersionName(version), h2), func(t *testing.T) {
				bothEngines(t, func(t *testing.T, portable bool) {
					var peers, names atomic.Int64
					pool := x509.NewCertPool()
					pool.AddCert(ca.cert)
					srv, hits := secureServer(t, &tls.Config{
						Certificates: []tls.Certificate{pair}, MaxVersion: version,
						ClientAuth: tls.RequireAndVerifyClientCert, ClientCAs: pool,
					}, h2, func(w http.ResponseWriter, r *http.Request) {
						if r.TLS.PeerCertificates[0].Subject.CommonName == "shop.test" {
							peers.Add(1)
						}
						if r.TLS.ServerName == "shop.test" && r.Host == r.Header.Get("X-Host") {
							names.Add(1)
						}
						body, _ := io.ReadAll(r.Body)
						_, _ = w.Write(body)
					})
					res := mustOffer(t, Options{
						URL: srv.URL, ForceGoroutineEngine: portable, Method: "POST", Body: bytes.Repeat([]byte("x"), 3000),
						Headers: []Header{{"X-Host", strings.TrimPrefix(srv.URL, "https://")}},
						TLS:     TLSOptions{CA: ca.pem, ServerName: "shop.test", Cert: certPEM, Key: keyPEM},
					}, Offer{Timeout: 30 * time.Second, PeakRate: 100}, atLeast(100, 200*time.Millisecond))
					n := int64(res.Segments[0].Counts.Planned)
					if full := int64(res.Segments[0].Counts.By[outcome.Full]); full != n || hits.Load() != n || peers.Load() != n || names.Load() != n {
						t.Errorf("%d planned, %d full, %d served, %d certificates, %d names, causes %v",
							n, full, hits.Load(), peers.Load(), names.Load(), res.Segments[0].Causes)
					}
					want := "HTTP/1.1"
					if h2 {
						want = "HTTP/2"
					}
					if s := res.Session; s.Protocol != want || s.TLS != tls.VersionName(version) || s.Handshakes == 0 || s.Insecure {
						t.Errorf("%+v", s)
					}
					if h2 && res.Conns > 2 {
						t.Errorf("%d connections for %d requests", res.Conns, n)
					}
				})
			})
		}
	}
}

// TestResumption guards that a new connection goes on from an earlier session.
func TestResumption(t *testing.T) {
	bothEngines(t, func(t *testing.T, portable bool) {
		bestOf(t, 5, func() error { // a machine that pauses makes requests overlap, and a ticket serves once
			srv, hits := secureServer(t, nil, false, func(w http.ResponseWriter, _ *http.Request) { w.Header().Set("Connection", "close") })
			res := mustOffer(t, Options{URL: srv.URL, HTTP: Version1, ForceGoroutineEngine: portable, TLS: TLSOptions{Insecure: true}},
				Offer{Timeout: 30 * time.Second, PeakRate: 25, Arrivals: Constant}, atLeast(25, 400*time.Millisecond))
			s := res.Session
			if n := res.Segments[0].Counts.By[outcome.Full]; n != uint64(hits.Load()) || s.Handshakes != n || s.Resumed < n/2 || !s.Insecure {
				return fmt.Errorf("%d full, %d served, %+v", n, hits.Load(), s)
			}
			return nil
		})
	})
}

// TestAskInTime guards that a service which says nothing does not hold up the run for
// longer than its requests may wait, and is offered HTTP/1.1 then.
func TestAskInTime(t *testing.T) {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer ln.Close()
	c, err := New(Options{URL: "https://" + ln.Addr().String() + "/", TLS: TLSOptions{Insecure: true}})
	if err != nil {
		t.Fatal(err)
	}
	began := time.Now()
	if v := c.version(context.Background(), 50*time.Millisecond); v != Version1 || c.agreed != VersionAuto {
		t.Errorf("version %v, agreed %v", v, c.agreed)
	}
	if took := time.Since(began); took > agreeLimit/2 {
		t.Errorf("the service was waited for %v", took)
	}
}

// TestHandshakeCost guards that what handshakes cost this machine is counted, and that
// waiting for the service is no part of it: requests that wait for a service which is
// slow to shake hands make nothing void.
func TestHandshakeCost(t *testing.T) {
	bestOf(t, 5, func() error {
		slow := &tls.Config{GetConfigForClient: func(*tls.ClientHelloInfo) (*tls.Config, error) {
			time.Sleep(150 * time.Millisecond)
			return nil, nil
		}}
		srv, _ := secureServer(t, slow, false, func(w http.ResponseWriter, _ *http.Request) { w.Header().Set("Connection", "close") })
		c, err := New(Options{URL: srv.URL, HTTP: Version1, TLS: TLSOptions{Insecure: true}})
		if err != nil {
			t.Fatal(err)
		}
		o := Offer{Timeout: time.Second, PeakRate: 50, Arrivals: Constant}
		r, err := newRun(c, &o, atLeast(20, 400*time.Millisecond), Version1)
		if err != nil {
			t.Fatal(err)
		}
		res, err := r.offer(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		if !r.engines[0].ownsThread() {
			t.Skip("no event loop here, and the portable engine measures no CPU time")
		}
		s := &res.Segments[0]
		used := r.shakeCPU() / time.Duration(max(1, res.Session.Handshakes))
		if s.Void != "" || used < 10*time.Microsecond || used > 100*time.Millisecond || s.Latency[outcome.Full].Quantile(0.5) < int64(150*time.Millisecond) {
			return fmt.Errorf("%v of CPU for each of %d handshakes, void %q, %+v", used, res.Session.Handshakes, s.Void, s.Counts)
		}
		return nil
	})
}

// TestTLSCauses guards that every way in which a handshake fails has its name.
func TestTLSCauses(t *testing.T) {
	ca, other := newAuthority(t), newAuthority(t)
	good, _, _ := ca.issue(t, "shop.test", farAway)
	old, _, _ := ca.issue(t, "shop.test", time.Unix(86400, 0))
	elsewhere, _, _ := ca.issue(t, "elsewhere.test", farAway)
	pool := x509.NewCertPool()
	pool.AddCert(ca.cert)
	for _, c := range []struct {
		name string
		pair tls.Certificate
		conf *tls.Config
		opts Options
		want string
	}{
		{"expired", old, &tls.Config{}, Options{}, CauseCertExpired},
		{"authority", good, &tls.Config{}, Options{TLS: TLSOptions{CA: other.pem}}, CauseCertAuthority},
		{"name", elsewhere, &tls.Config{}, Options{}, CauseCertName},
		{"no client certificate", good, &tls.Config{ClientAuth: tls.RequireAndVerifyClientCert, ClientCAs: pool, MaxVersion: tls.VersionTLS12}, Options{}, alertCause},
		{"no HTTP/2", good, &tls.Config{NextProtos: []string{"other"}}, Options{HTTP: Version2}, "TLS"},
		{"HTTP/2 not agreed", good, &tls.Config{}, Options{HTTP: Version2}, CauseNoH2},
	} {
		t.Run(c.name, func(t *testing.T) {
			bothEngines(t, func(t *testing.T, portable bool) {
				conf, opts := c.conf.Clone(), c.opts
				conf.Certificates = []tls.Certificate{c.pair}
				ln, err := tls.Listen("tcp4", "127.0.0.1:0", conf)
				if err != nil {
					t.Fatal(err)
				}
				serveTLS(t, ln)
				opts.URL, opts.ForceGoroutineEngine = "https://"+ln.Addr().String(), portable
				if opts.TLS.CA == nil {
					opts.TLS.CA = ca.pem
				}
				res := mustOffer(t, opts, Offer{Timeout: 30 * time.Second, PeakRate: 50}, atLeast(50, 100*time.Millisecond))
				s := &res.Segments[0]
				named := uint64(0)
				for cause, n := range s.Causes {
					if strings.HasPrefix(cause, c.want) {
						named += n
					}
				}
				if s.Counts.Planned == 0 || named != s.Counts.Planned {
					t.Errorf("%+v, causes %v", s.Counts, s.Causes)
				}
			})
		})
	}
}

// serveTLS does handshakes and closes what comes after.
func serveTLS(t testing.TB, ln net.Listener) {
	go func() {
		for {
			c, err := ln.Accept()
			if err != nil {
				return
			}
			go func() {
				_, _ = c.Read(make([]byte, 1))
				c.Close()
			}()
		}
	}()
	t.Cleanup(func() { ln.Close() })
}

// TestNotTLS guards services that end the handshake in ways of their own.
func TestNotTLS(t *testing.T) {
	for _, c := range []struct {
		want string
		play func(net.Conn)
	}{
		{CauseNotTLS, func(c net.Conn) { fmt.Fprint(c, "HTTP/1.1 400 Bad Request\r\n\r\n"); _, _ = io.Copy(io.Discard, c) }},
		{CauseTLSClosed, func(c net.Conn) { _, _ = c.Read(make([]byte, 4096)) }},
		{CauseTLSReset, func(c net.Conn) { _, _ = c.Read(make([]byte, 1)); _ = c.(*net.TCPConn).SetLinger(0) }},
		{CauseHandshakeTime, func(c net.Conn) { _, _ = io.Copy(io.Discard, c) }},
	} {
		t.Run(c.want, func(t *testing.T) {
			bothEngines(t, func(t *testing.T, portable bool) {
				ln := rawServer(t, c.play)
				res := mustOffer(t, Options{URL: "https://" + ln.Addr().String(), HTTP: Version1, ForceGoroutineEngine: portable},
					Offer{Timeout: 300 * time.Millisecond, PeakRate: 50}, atLeast(50, 100*time.Millisecond))
				s := &res.Segments[0]
				if s.Counts.Planned == 0 || s.Causes[c.want] != s.Counts.Planned {
					t.Errorf("%+v, causes %v", s.Counts, s.Causes)
				}
			})
		})
	}
}

// rawServer plays one connection after its making.
func rawServer(t testing.TB, play func(net.Conn)) net.Listener {
	t.Helper()
	ln, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	go func() {
		for {
			c, err := ln.Accept()
			if err != nil {
				return
			}
			go func() {
				defer c.Close()
				play(c)
			}()
		}
	}()
	t.Cleanup(func() { ln.Close() })
	return ln
}

// TestCloseNotify guards that an answer without a length is whole only when TLS
// said so, and that others do not need it.
func TestCloseNotify(t *testing.T) {
	ca := newAuthority(t)
	pair, _, _ := ca.issue(t, "shop.test", farAway)
	for _, c := range []struct {
		name, answer string
		notify       bool
		want         string
	}{
		{"cut off", "HTTP/1.1 200 OK\r\n\r\nhalf", false, CauseNoNotify},
		{"ended", "HTTP/1.1 200 OK\r\n\r\nwhole", true, ""},
		{"length", "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok", false, ""},
		{"mid-answer", "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nok", false, CauseCutOff},
	} {
		t.Run(c.name, func(t *testing.T) {
			bothEngines(t, func(t *testing.T, portable bool) {
				ln := rawServer(t, func(nc net.Conn) {
					s := tls.Server(nc, &tls.Config{Certificates: []tls.Certificate{pair}})
					if _, err := s.Read(make([]byte, 4096)); err != nil {
						return
					}
					fmt.Fprint(s, c.answer)
					if c.notify {
						_ = s.CloseWrite()
					}
				})
				res := mustOffer(t, Options{URL: "https://" + ln.Addr().String(), HTTP: Version1, TLS: TLSOptions{CA: ca.pem}, ForceGoroutineEngine: portable},
					Offer{Timeout: 30 * time.Second, PeakRate: 50}, atLeast(50, 100*time.Millisecond))
				s := &res.Segments[0]
				got := s.Counts.By[outcome.Full]
				if c.want != "" {
					got = s.Causes[c.want]
				}
				if s.Counts.Planned == 0 || got != s.Counts.Planned {
					t.Errorf("%+v, causes %v", s.Counts, s.Causes)
				}
			})
		})
	}
}

// TestLargeOverTLS guards bodies of many records and frames in both directions.
func TestLargeOverTLS(t *testing.T) {
	for _, h2 := range []bool{false, true} {
		t.Run(fmt.Sprintf("h2=%v", h2), func(t *testing.T) {
			bothEngines(t, func(t *testing.T, portable bool) {
				var up atomic.Int64
				srv, hits := secureServer(t, nil, h2, func(w http.ResponseWriter, r *http.Request) {
					n, _ := io.Copy(io.Discard, r.Body)
					up.Add(n)
					_, _ = w.Write(make([]byte, 3<<20))
				})
				const size = 1 << 20
				res := mustOffer(t, Options{URL: srv.URL, TLS: TLSOptions{Insecure: true}, Method: "POST", Body: make([]byte, size), ForceGoroutineEngine: portable},
					Offer{Timeout: 30 * time.Second, PeakRate: 20, Arrivals: Constant}, atLeast(20, 300*time.Millisecond))
				s := &res.Segments[0]
				if n := s.Counts.By[outcome.Full]; n != s.Counts.Planned || n != uint64(hits.Load()) || up.Load() != int64(n)*size {
					t.Errorf("%+v, causes %v, %d served, %d bytes up", s.Counts, s.Causes, hits.Load(), up.Load())
				}
			})
		})
	}
}

// TestH2C guards HTTP/2 without TLS, over TCP and over a unix socket, with more
// requests at once than one connection takes.
func TestH2C(t *testing.T) {
	for _, network := range []string{"tcp4", "unix"} {
		t.Run(network, func(t *testing.T) {
			bothEngines(t, func(t *testing.T, portable bool) {
				addr := "127.0.0.1:0"
				if network == "unix" {
					addr = filepath.Join(t.TempDir(), "s")
				}
				ln, err := net.Listen(network, addr)
				if err != nil {
					t.Fatal(err)
				}
				var hits, conns atomic.Int64
				serveH2C(t, ln, &conns, 5, func(http.ResponseWriter, *http.Request) {
					hits.Add(1)
					time.Sleep(20 * time.Millisecond)
				})
				opts := Options{URL: "http://" + ln.Addr().String() + "/x", HTTP: VersionH2C, ForceGoroutineEngine: portable}
				if network == "unix" {
					opts.URL = "unix:" + addr + ":/x"
				}
				res := mustOffer(t, opts, Offer{Timeout: 30 * time.Second, PeakRate: 1000}, atLeast(1000, 200*time.Millisecond))
				s := &res.Segments[0]
				if n := s.Counts.By[outcome.Full]; n != s.Counts.Planned || n != uint64(hits.Load()) {
					t.Errorf("%+v, causes %v, %d served", s.Counts, s.Causes, hits.Load())
				}
				if res.Conns < 4 || res.Conns != uint64(conns.Load()) || res.Session.Protocol != "HTTP/2" || res.Session.TLS != "" {
					t.Errorf("%d connections, the service counted %d; %+v", res.Conns, conns.Load(), res.Session)
				}
			})
		})
	}
}

// serveH2C is net/http's server of HTTP/2 without TLS, which takes so many requests
// at once on a connection.
func serveH2C(t testing.TB, ln net.Listener, conns *atomic.Int64, streams int, h http.HandlerFunc) {
	srv := &http.Server{
		Handler: h, ErrorLog: quietLog, Protocols: new(http.Protocols),
		HTTP2: &http.HTTP2Config{MaxConcurrentStreams: streams},
		ConnState: func(_ net.Conn, s http.ConnState) {
			if s == http.StateNew {
				conns.Add(1)
			}
		},
	}
	srv.Protocols.SetUnencryptedHTTP2(true)
	go func() { _ = srv.Serve(ln) }()
	t.Cleanup(func() { srv.Close() })
}

// TestH2Connections guards a fixed number of connections, on which requests wait
// for each other without being lost.
func TestH2Connections(t *testing.T) {
	bothEngines(t, func(t *testing.T, portable bool) {
		ln, err := net.Listen("tcp4", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		var hits, conns atomic.Int64
		serveH2C(t, ln, &conns, 5, func(http.ResponseWriter, *http.Request) {
			hits.Add(1)
			time.Sleep(5 * time.Millisecond)
		})
		res := mustOffer(t, Options{URL: "http://" + ln.Addr().String(), HTTP: VersionH2C, H2Conns: 2, Loops: 1, ForceGoroutineEngine: portable},
			Offer{Timeout: 30 * time.Second, PeakRate: 500}, atLeast(500, 200*time.Millisecond))
		s := &res.Segments[0]
		if n := s.Counts.By[outcome.Full]; n != s.Counts.Planned || n != uint64(hits.Load()) || res.Conns != 2 || s.Void != "" {
			t.Errorf("%+v, causes %v, %d served over %d connections, void %q", s.Counts, s.Causes, hits.Load(), res.Conns, s.Void)
		}
	})
}

// TestSpread guards that several addresses have equal shares, that one which
// refuses holds nobody else up, and that each has an account of its own.
func TestSpread(t *testing.T) {
	for _, version := range []Version{Version1, VersionH2C} {
		t.Run(fmt.Sprint("version ", version), func(t *testing.T) {
			bothEngines(t, func(t *testing.T, portable bool) { spreadOver(t, version, portable) })
		})
	}
}

func spreadOver(t *testing.T, version Version, portable bool) {
	var hits [2]atomic.Int64
	first, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	port := first.Addr().(*net.TCPAddr).Port
	second, err := net.Listen("tcp4", fmt.Sprintf("127.0.0.2:%d", port))
	if err != nil {
		t.Skip("no second address to listen on:", err)
	}
	for i, ln := range []net.Listener{first, second} {
		srv := &http.Server{Protocols: new(http.Protocols), Handler: http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			hits[i].Add(1)
			if i == 1 {
				w.WriteHeader(500)
			}
		})}
		srv.Protocols.SetHTTP1(true)
		srv.Protocols.SetUnencryptedHTTP2(true)
		go func() { _ = srv.Serve(ln) }()
		t.Cleanup(func() { srv.Close() })
	}
	res := mustOffer(t, Options{
		HTTP: version,
		URL:  fmt.Sprintf("http://shop.test:%d/", port), ForceGoroutineEngine: portable, Loops: 1,
		Pins: []Pin{{"shop.test", uint16(port), []netip.Addr{
			netip.MustParseAddr("127.0.0.1"), netip.MustParseAddr("127.0.0.2"), netip.MustParseAddr("127.0.0.3")}}},
	}, Offer{Timeout: 30 * time.Second, PeakRate: 300}, atLeast(300, 300*time.Millisecond))
	var sum uint64
	for i, want := range []string{"", "status 500", CauseRefused} {
		a := res.Addresses[i]
		n := a.Counts.Planned
		sum += n
		if !a.Counts.Balanced() || n < res.Segments[0].Counts.Planned/3 {
			t.Errorf("%s: %+v of %d planned", a.Address, a.Counts, res.Segments[0].Counts.Planned)
		}
		if i < 2 && n != uint64(hits[i].Load()) || a.Conns == 0 {
			t.Errorf("%s: %d planned, %d served, %d connections", a.Address, n, hits[i].Load(), a.Conns)
		}
		if want == "" && a.Counts.By[outcome.Full] != n || want != "" && a.Causes[want] != n {
			t.Errorf("%s: %+v, causes %v", a.Address, a.Counts, a.Causes)
		}
	}
	if sum != res.Segments[0].Counts.Planned {
		t.Errorf("%d by address, %d planned", sum, res.Segments[0].Counts.Planned)
	}
	opened := uint64(0)
	for _, n := range res.ConnsPerSecond {
		opened += n
	}
	if opened != res.Conns {
		t.Errorf("%d connections by second, %d in all", opened, res.Conns)
	}
}

// TestUnixSocket guards HTTP/1.1 over a unix socket, and one that is not there.
func TestUnixSocket(t *testing.T) {
	bothEngines(t, func(t *testing.T, portable bool) {
		path := filepath.Join(t.TempDir(), "s")
		offer := func() *Segment {
			res := mustOffer(t, Options{URL: "http://shop.test/x", UnixSocket: path, ForceGoroutineEngine: portable},
				Offer{Timeout: 30 * time.Second, PeakRate: 100}, atLeast(100, 100*time.Millisecond))
			return &res.Segments[0]
		}
		if s := offer(); s.Causes[CauseRefused] != s.Counts.Planned {
			t.Errorf("no socket: %+v, causes %v", s.Counts, s.Causes)
		}
		ln, err := net.Listen("unix", path)
		if err != nil {
			t.Fatal(err)
		}
		srv := &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.Host != "shop.test" || r.URL.Path != "/x" {
				w.WriteHeader(500)
			}
		})}
		go func() { _ = srv.Serve(ln) }()
		t.Cleanup(func() { srv.Close() })
		if s := offer(); s.Counts.By[outcome.Full] != s.Counts.Planned {
			t.Errorf("%+v, causes %v", s.Counts, s.Causes)
		}
	})
}
