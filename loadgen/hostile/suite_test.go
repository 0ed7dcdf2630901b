package hostile_test

import (
	"context"
	"fmt"
	"os"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"example.com/kneeline/internal/outcome"
	"example.com/kneeline/loadgen"
	"example.com/kneeline/loadgen/hostile"
)

// spoken are the transports that the client speaks.
var spoken = []hostile.Transport{hostile.Plain, hostile.Unix, hostile.TLS, hostile.H2C, hostile.H2}

// raceStep is of how many combinations one is played under the race detector, which makes
// all of them together so slow that answers come too late.
const raceStep = 7

// TestSuite drives the client against every behaviour over every transport to
// which it applies, with both engines: each planned request has one outcome and
// the right name, the server has seen what the client says that it sent, nothing
// hangs, the plan is never exceeded, and nothing is left behind.
//
// It asks for counts and names alone, so that a machine that lags spoils nothing.
func TestSuite(t *testing.T) {
	if s, err := hostile.Start(hostile.All()[0], hostile.Plain); err == nil {
		s.Close() // the runtime's own descriptors for sockets come with the first of them
	}
	goroutines, files := runtime.NumGoroutine(), openFiles()
	n := 0
	t.Run("all", func(t *testing.T) {
		for _, b := range hostile.All() {
			for _, over := range b.Over {
				if !slices.Contains(spoken, over) {
					continue
				}
				for _, portable := range []bool{false, true} {
					if n++; underRace && n%raceStep != 0 {
						continue
					}
					engine := "events"
					if portable {
						engine = "goroutines"
					}
					t.Run(fmt.Sprintf("%s/%s/%s", b.Name, over, engine), func(t *testing.T) {
						t.Parallel()
						hold(t, b, over, portable)
					})
				}
			}
		}
	})
	// Goroutines and sockets that are on their way out are given a moment.
	var left string
	for range 100 {
		g, f := runtime.NumGoroutine(), openFiles()
		if g <= goroutines && f <= files {
			return
		}
		left = fmt.Sprintf("%d goroutines and %d files after the suite, %d and %d before", g, f, goroutines, files)
		time.Sleep(50 * time.Millisecond)
	}
	buf := make([]byte, 1<<16)
	t.Errorf("%s\n%s", left, buf[:runtime.Stack(buf, true)])
}

// openFiles is how many descriptors this process has, 0 where that is not told.
func openFiles() int {
	entries, _ := os.ReadDir("/proc/self/fd")
	return len(entries)
}

// hold plays one behaviour and checks what the client made of it.
func hold(t *testing.T, b hostile.Behaviour, over hostile.Transport, portable bool) {
	t.Helper()
	s, err := hostile.Start(b, over)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	res := drive(t, b, s, over, portable)
	planned := checkPlan(t, b, res)
	counts, causes := sum(res)
	checkOutcomes(t, b, counts, causes, res.Segments[0].Void != "")
	if !counts.Balanced() || counts.Planned != planned {
		t.Errorf("planned %d, outcomes %v", counts.Planned, counts.By)
	}
	checkServer(t, b, s, counts, causes, res)
	checkHints(t, b, res)
	if res.Resent > 0 && !b.Resent {
		t.Errorf("%d requests sent again", res.Resent)
	}
	// A connection is opened for a request that needs one, and for nothing else.
	if res.Conns > planned+res.Resent {
		t.Errorf("%d connections opened for %d requests, %d of them again", res.Conns, planned, res.Resent)
	}
	if s.Conns() > res.Conns {
		t.Errorf("the server accepted %d connections, the client opened %d", s.Conns(), res.Conns)
	}
}

// drive offers the behaviour's load.
func drive(t *testing.T, b hostile.Behaviour, s *hostile.Server, over hostile.Transport, portable bool) *loadgen.Result {
	t.Helper()
	opts := loadgen.Options{Method: b.Method, Body: b.Body, ForceGoroutineEngine: portable}
	switch over {
	case hostile.Plain:
		opts.URL = "http://" + s.Addr() + "/"
	case hostile.Unix:
		opts.URL, opts.UnixSocket = "http://localhost/", s.Addr()
	case hostile.TLS:
		opts.URL, opts.HTTP, opts.TLS.CA = "https://"+s.Addr()+"/", loadgen.Version1, hostile.CertPEM()
	case hostile.H2:
		opts.URL, opts.HTTP, opts.TLS.CA = "https://"+s.Addr()+"/", loadgen.Version2, hostile.CertPEM()
	case hostile.H2C:
		opts.URL, opts.HTTP = "http://"+s.Addr()+"/", loadgen.VersionH2C
	}
	for _, r := range b.Rules {
		rule, err := loadgen.ParseDegradedRule(r)
		if err != nil {
			t.Fatal(err)
		}
		opts.Degraded = append(opts.Degraded, rule)
	}
	c, err := loadgen.New(opts)
	if err != nil {
		t.Fatal(err)
	}
	rate, length, timeout := b.Load()
	begun := time.Now()
	res, err := c.Offer(context.Background(),
		loadgen.Offer{Timeout: timeout, PeakRate: rate, Arrivals: loadgen.Constant, MaxConns: 400},
		loadgen.PilotFunc(func(tl *loadgen.Timeline) loadgen.Step {
			n, _ := tl.Sum(0, tl.Now)
			return loadgen.Step{Rate: rate, Stop: float64(n.Planned) >= rate*length.Seconds()}
		}))
	if err != nil {
		t.Fatal(err)
	}
	if took, most := time.Since(begun), length+timeout+20*time.Second; took > most {
		t.Errorf("it took %v, expected at most %v", took, most)
	}
	return res
}

func sum(res *loadgen.Result) (n outcome.Counts, causes map[string]uint64) {
	causes = map[string]uint64{}
	for i := range res.Segments {
		n.Add(res.Segments[i].Counts)
		for c, k := range res.Segments[i].Causes {
			causes[c] += k
		}
	}
	return n, causes
}

// checkPlan holds the schedule against the rate: what is planned in any second,
// and what was sent by any instant. It returns how many requests were planned.
func checkPlan(t *testing.T, b hostile.Behaviour, res *loadgen.Result) uint64 {
	t.Helper()
	rate, _, _ := b.Load()
	w := res.Timeline.Windows
	planned, sent := 0, 0
	second := int(time.Second / loadgen.WindowWidth)
	inSecond := 0
	for i := range w {
		planned += int(w[i].Cohort.Planned)
		sent += int(w[i].Sent)
		if sent > planned {
			t.Errorf("by %v %d requests were sent of %d planned", time.Duration(i+1)*loadgen.WindowWidth, sent, planned)
		}
		inSecond += int(w[i].Cohort.Planned)
		if i >= second {
			inSecond -= int(w[i-second].Cohort.Planned)
		}
		if most := 1.01*rate + 1; float64(inSecond) > most {
			t.Errorf("%d requests planned in the second up to %v, expected at most %.0f", inSecond, time.Duration(i+1)*loadgen.WindowWidth, most)
		}
	}
	if planned == 0 {
		t.Error("nothing was planned")
	}
	return uint64(planned)
}

// checkOutcomes holds classes and causes against those that are right. late says
// that the generator itself could not keep up.
func checkOutcomes(t *testing.T, b hostile.Behaviour, n outcome.Counts, causes map[string]uint64, late bool) {
	t.Helper()
	got := map[string]uint64{}
	for k := range outcome.NumClasses {
		if k != outcome.Failed && n.By[k] > 0 {
			got[k.String()+": "] = n.By[k]
		}
	}
	named := uint64(0)
	for c, k := range causes {
		got["failed: "+c] = k
		named += k
	}
	if named != n.By[outcome.Failed] {
		t.Errorf("%d requests failed, %d have a cause", n.By[outcome.Failed], named)
	}
	for key, k := range got {
		class, cause, _ := strings.Cut(key, ": ")
		if !b.Allows(class, cause) && !((b.Timeout > 0 || underRace) && slices.Contains(lag, key)) {
			t.Errorf("%d of %d requests: %s; wanted %v", k, n.Planned, key, b.Want)
		}
	}
	lagged := late && b.Timeout > 0 // and every request shows it
	for key := range got {
		lagged = lagged && slices.Contains(lag, key)
	}
	for _, o := range b.Want {
		if o.Must && got[o.Class+": "+o.Cause] == 0 && !lagged {
			t.Errorf("no request: %s: %s; got %v", o.Class, o.Cause, got)
		}
	}
}

// notReached are causes of requests that no server can have seen.
var notReached = []string{loadgen.CauseRefused, loadgen.CauseConnectTime, loadgen.CauseUnreachable, loadgen.CauseHandshakeTime, loadgen.CauseNoSettings}

// lag are the outcomes that a machine which lags by a short timeout may give to
// any request.
var lag = []string{"never sent: ", "timed out: ", "failed: " + loadgen.CauseConnectTime, "failed: " + loadgen.CauseHandshakeTime, "failed: " + loadgen.CauseNoSettings}

// checkServer holds the account against the server's own count.
func checkServer(t *testing.T, b hostile.Behaviour, s *hostile.Server, n outcome.Counts, causes map[string]uint64, res *loadgen.Result) {
	t.Helper()
	most := n.Planned - n.By[outcome.NeverSent]
	for _, c := range notReached {
		most -= causes[c]
	}
	least := most
	switch {
	case b.Guesses:
		least = 0
	case b.Unread:
		least = n.By[outcome.Full] + n.By[outcome.Degraded] + n.By[outcome.Shed]
	}
	sent := uint64(0)
	for i := range res.Timeline.Windows {
		sent += uint64(res.Timeline.Windows[i].Sent)
	}
	written := most
	if b.Resent {
		written = n.Planned // what was not processed may end while it waits for the next connection
	}
	if sent > written || sent < least {
		t.Errorf("%d requests were written, expected %d to %d", sent, least, written)
	}
	// A server may still be reading when the client has given up.
	for range 200 {
		if h := s.Hits(); h >= least {
			break
		}
		time.Sleep(10 * time.Millisecond)
	}
	if h := s.Hits(); h < least || h > most {
		t.Errorf("the server counted %d requests, expected %d to %d of %d planned; outcomes %v, causes %v", h, least, most, n.Planned, n.By, causes)
	}
}

// checkHints holds the account of Retry-After against what the server sent.
func checkHints(t *testing.T, b hostile.Behaviour, res *loadgen.Result) {
	t.Helper()
	if b.Hint == 0 {
		return
	}
	for i := range res.Segments {
		s := &res.Segments[i]
		shed := s.Counts.By[outcome.Shed]
		if s.RetryAfterN != shed || s.RetryAfterSum != b.Hint*float64(shed) {
			t.Errorf("%d refusals, %d hints of %v s in all, expected one of %v s each", shed, s.RetryAfterN, s.RetryAfterSum, b.Hint)
		}
	}
}

// TestRateHolds guards the ceiling and the floor of the rate through a server that
// does something else wrong with every other request: no more is planned than
// asked for, no less, and no request needs more than one connection.
func TestRateHolds(t *testing.T) {
	for _, over := range []hostile.Transport{hostile.Plain, hostile.TLS} {
		for _, portable := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s/%v", over, portable), func(t *testing.T) {
				t.Parallel()
				b := hostile.Mix(2)
				b.Rate, b.For, b.Timeout = 400, time.Second, 4*time.Second
				s, err := hostile.Start(b, over)
				if err != nil {
					t.Fatal(err)
				}
				defer s.Close()
				res := drive(t, b, s, over, portable)
				planned := checkPlan(t, b, res)
				n := &res.Segments[0]
				if want := 400 * n.Duration.Seconds(); float64(planned) < want-2 || float64(planned) > want+2 {
					t.Errorf("%d planned in %v at 400/s", planned, n.Duration)
				}
				if !n.Counts.Balanced() || s.Hits() > planned || res.Conns > planned || n.Counts.By[outcome.Full]+n.Counts.By[outcome.TimedOut] < planned/3 {
					t.Errorf("%d planned, outcomes %v, the server counted %d, %d connections; causes %v", planned, n.Counts.By, s.Hits(), res.Conns, n.Causes)
				}
			})
		}
	}
}

// TestBehaviours guards the list itself: names are given once, and each behaviour
// says what it does, where, and what is right.
func TestBehaviours(t *testing.T) {
	seen := map[string]bool{}
	for _, b := range hostile.All() {
		if seen[b.Name] {
			t.Errorf("%s: twice", b.Name)
		}
		seen[b.Name] = true
		if b.Name == "" || b.Does == "" || len(b.Over) == 0 || len(b.Want) == 0 {
			t.Errorf("%+v: incomplete", b)
		}
		if b.Play == nil && b.Accept == nil && b.PlayH2 == nil && b.Open == nil {
			t.Errorf("%s: does nothing", b.Name)
		}
	}
	if len(seen) < 32 {
		t.Errorf("%d behaviours", len(seen))
	}
}
