package traffic

import (
	"compress/gzip"
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"example.com/kneeline/internal/accesslog"
	"example.com/kneeline/internal/input"
	"example.com/kneeline/loadgen"
)

// logsOf writes files and returns them as logs.
func logsOf(t testing.TB, texts ...string) *Logs {
	t.Helper()
	dir := t.TempDir()
	var l Logs
	for i, text := range texts {
		path := filepath.Join(dir, fmt.Sprintf("access.log.%d", i))
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		l.Inputs = append(l.Inputs, input.Source{Name: filepath.Base(path), Path: path})
	}
	return &l
}

func line(at time.Time, method, path string) string {
	return fmt.Sprintf("10.0.0.1 - - [%s] \"%s %s HTTP/1.1\" 200 10\n", at.Format("02/Jan/2006:15:04:05 -0700"), method, path)
}

var noon = time.Date(2024, 5, 1, 12, 0, 0, 0, time.UTC)

// TestPeaks guards the peaks against counting by hand, across the change of an hour,
// and that two files add up whatever their order.
func TestPeaks(t *testing.T) {
	var a, b strings.Builder
	start := noon.Add(-30 * time.Second).In(time.FixedZone("", 7200))
	for i := range 60 {
		n := 1
		if i >= 27 && i < 37 { // about noon
			n = 5
		}
		if i == 50 {
			n = 9
		}
		for range n {
			a.WriteString(line(start.Add(time.Duration(i)*time.Second), "GET", "/"))
		}
	}
	for i := range 60 {
		b.WriteString(line(start.Add(time.Duration(60-i)*time.Second), "GET", "/b")) // backwards, one second later
	}
	p, err := FindPeaks(t.Context(), logsOf(t, b.String(), a.String()), time.Second, 10*time.Second, time.Minute, 10*time.Minute)
	if err != nil {
		t.Fatal(err)
	}
	if len(p.Windows) != 3 {
		t.Fatalf("%+v: want no peak over a window longer than the log", p.Windows)
	}
	for i, want := range []struct {
		n  uint64
		at int
	}{{10, 50}, {60, 27}, {60*2 + 10*4 + 8 - 1, 0}} {
		w := p.Windows[i]
		if w.Requests != want.n || !w.Start.Equal(start.Add(time.Duration(want.at)*time.Second)) {
			t.Errorf("over %s: %d at %s, want %d at +%d s", w.Window, w.Requests, w.Start, want.n, want.at)
		}
	}
	if _, offset := p.From.Zone(); offset != 7200 || !p.From.Equal(start) || p.To.Sub(p.From) != 60*time.Second {
		t.Errorf("from %s to %s", p.From, p.To)
	}
	if _, err := p.Of(10 * time.Minute); err == nil || !strings.Contains(err.Error(), "the log covers 1m1s") {
		t.Errorf("a window longer than the log: %v", err)
	}
	if w, err := p.Of(10 * time.Second); err != nil || w.PerSecond() != 6 {
		t.Errorf("%+v, %v", w, err)
	}
}

// TestCounter holds the counter to counting all windows one by one.
func TestCounter(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		at := rapid.SliceOfN(rapid.Int64Range(0, 3*3600), 1, 300).Draw(t, "seconds")
		w := rapid.SampledFrom([]int64{1, 7, 60, 3600}).Draw(t, "window")
		c := newCounter([]time.Duration{time.Duration(w) * time.Second})
		for _, s := range at {
			c.add(s*1e9 + 5)
		}
		most := uint64(0)
		for _, from := range at { // some busiest window begins with an arrival
			n := uint64(0)
			for _, s := range at {
				if s >= from && s < from+w {
					n++
				}
			}
			most = max(most, n)
		}
		got := c.peaks()
		if span := slices.Max(at) - slices.Min(at) + 1; span < w {
			if len(got.Windows) != 0 {
				t.Fatalf("%+v of a log of %d s", got.Windows, span)
			}
			return
		}
		if got.Windows[0].Requests != most {
			t.Fatalf("%d, want %d", got.Windows[0].Requests, most)
		}
	})
}

// TestCounterBounded guards that a log of any length takes the memory of a bounded
// one, and that what comes too late is counted.
func TestCounterBounded(t *testing.T) {
	c := newCounter([]time.Duration{10 * time.Second})
	c.most = 5
	for h := range int64(1000) {
		for range 1 + h%7 {
			c.add(h * 3600e9)
		}
		if h == 500 {
			for s := range int64(10) {
				c.add((h*3600 - 5 + s) * 1e9) // over the change of the hour
			}
		}
		if len(c.hours) > 5 {
			t.Fatalf("%d hours are kept", len(c.hours))
		}
	}
	c.add(0)
	p := c.peaks()
	if p.Late != 1 || p.Windows[0].Requests != 10+1+500%7 {
		t.Errorf("late %d, %+v", p.Late, p.Windows)
	}
}

// TestMix guards the mix: kinds by frequency, what is left out and why, and the
// coverage.
func TestMix(t *testing.T) {
	var b strings.Builder
	add := func(n int, method, path string) {
		for range n {
			b.WriteString(line(noon, method, path))
		}
	}
	add(50, "GET", "/a?x=1")
	add(20, "GET", "/a?x=2")
	add(10, "HEAD", "/a")
	add(5, "GET", "/rare")
	add(9, "POST", "/b")
	add(3, "GET", "*")
	add(3, "BREW", "/pot")
	m, err := FindMix(t.Context(), logsOf(t, b.String()), MixOptions{Top: 3})
	if err != nil {
		t.Fatal(err)
	}
	want := []Kind{{"GET", "/a?x=1", 50, -1, 10}, {"GET", "/a?x=2", 20, -1, 10}, {"HEAD", "/a", 10, -1, 10}}
	if !slices.Equal(m.Kinds, want) {
		t.Errorf("%+v", m.Kinds)
	}
	if m.Requests != 100 || m.Covered != 80 || m.Rare != 5 || m.Unsendable != 3 || m.OtherMethods["POST"] != 9 || m.OtherMethods["BREW"] != 3 || m.Coverage() != 0.8 {
		t.Errorf("%+v", m)
	}
	m, err = FindMix(t.Context(), logsOf(t, b.String()), MixOptions{StripQuery: true, Methods: []string{"GET", "POST"}})
	if err != nil || len(m.Kinds) != 3 || m.Kinds[0] != (Kind{"GET", "/a", 70, -1, 10}) || m.Covered != 84 {
		t.Errorf("%+v, %v", m, err)
	}
	if _, err := FindMix(t.Context(), logsOf(t, b.String()), MixOptions{Methods: []string{"PUT"}}); err == nil || !strings.Contains(err.Error(), "expected PUT") {
		t.Errorf("a mix of nothing: %v", err)
	}
}

// TestMixBounded guards that kinds without number do not fill the memory, that the
// frequent ones stay, and that every request is accounted for.
func TestMixBounded(t *testing.T) {
	g := newGather(MixOptions{})
	g.most = 100
	rng := rand.New(rand.NewPCG(1, 2))
	frequent := uint64(0)
	for i := range 20_000 {
		path := fmt.Sprintf("/%d", i)
		if rng.IntN(4) == 0 {
			path = "/frequent"
			frequent++
		}
		g.add(&accesslog.Record{Method: []byte("GET"), Path: []byte(path)})
		if len(g.kinds) > 100 {
			t.Fatalf("%d kinds are kept", len(g.kinds))
		}
	}
	m := g.mix(10)
	if m.Kinds[0].Path != "/frequent" || m.Kinds[0].Requests != frequent || m.Covered+m.Rare != m.Requests {
		t.Errorf("%+v", m)
	}
}

// bursty writes a log of bursts as a server writes it: at the end of each answer.
// It returns the arrivals in ms.
func bursty(seed uint64, n int) (text string, arrivals []int64) {
	rng := rand.New(rand.NewPCG(seed, 3))
	type done struct{ at, took int64 }
	var all []done
	at := noon.UnixMilli()
	for range n {
		gap := int64(rng.ExpFloat64() * 3)
		if rng.IntN(100) == 0 {
			gap += 400
		}
		at += gap
		arrivals = append(arrivals, at)
		took := int64(rng.ExpFloat64() * 50)
		if rng.IntN(50) == 0 {
			took = 3000
		}
		all = append(all, done{at + took, took})
	}
	slices.SortStableFunc(all, func(a, b done) int { return int(a.at - b.at) })
	var b strings.Builder
	for i, d := range all {
		fmt.Fprintf(&b, `{"msec":"%d.%03d","request":"GET /%d HTTP/1.1","status":"200","request_time":"%d.%03d"}`+"\n",
			d.at/1000, d.at%1000, i%3, d.took/1000, d.took%1000)
	}
	return b.String(), arrivals
}

// perTenth counts instants in tenths of a second.
func perTenth(ns []int64) map[int64]int {
	m := map[int64]int{}
	for _, at := range ns {
		m[at/100e6]++
	}
	return m
}

// TestReplayCounts guards the goal of a replay: the log's own arrivals in each 100 ms,
// at the log's speed and at another, from one log and from two that overlap.
func TestReplayCounts(t *testing.T) {
	one, a := bursty(1, 4000)
	two, b := bursty(2, 3000)
	both := append(slices.Clone(a), b...)
	slices.Sort(both)
	for _, tt := range []struct {
		texts []string
		want  []int64
		speed float64
	}{
		{[]string{one}, a, 1}, {[]string{one}, a, 2.5}, {[]string{two, one}, both, 1},
	} {
		r, err := PlanReplay(t.Context(), logsOf(t, tt.texts...), ReplayOptions{Speed: tt.speed, Timeout: time.Second, Seed: 1})
		if err != nil {
			t.Fatal(err)
		}
		var got, want []int64
		for x := range r.Trace(t.Context()) {
			got = append(got, int64(x.At))
		}
		for _, ms := range tt.want {
			want = append(want, int64(float64(ms-tt.want[0])*1e6/tt.speed))
		}
		if len(got) != len(want) || uint64(len(got)) != r.Requests || r.Err() != nil {
			t.Fatalf("%d arrivals of %d, %v", len(got), len(want), r.Err())
		}
		w, off := perTenth(want), 0
		for at, n := range perTenth(got) {
			off += max(n-w[at], w[at]-n)
		}
		if float64(off) > 0.01*float64(len(want)) {
			t.Errorf("speed %v: %d of %d arrivals are in another 100 ms", tt.speed, off, len(want))
		}
		if !slices.IsSorted(got) {
			t.Error("arrivals are out of order")
		}
		if most := mostIn(want, 1e9); r.PeakPerSecond < float64(most) || r.PeakPerSecond > 1.1*float64(most) {
			t.Errorf("peak over a second %v, counted %d", r.PeakPerSecond, most)
		}
	}
}

// The rate of what is over in less than a second is its peak: fewer arrivals than
// that in the second are no lower rate, and the cap on the rate is held against it.
func TestShortReplayPeak(t *testing.T) {
	text, _ := bursty(1, 4000)
	r, err := PlanReplay(t.Context(), logsOf(t, text), ReplayOptions{Speed: 1000, Timeout: time.Second, Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	if r.Length >= time.Second || r.PerSecond <= 4000 || r.PeakPerSecond < r.PerSecond {
		t.Errorf("%v long, %v/s, at most %v/s", r.Length, r.PerSecond, r.PeakPerSecond)
	}
}

func mostIn(sorted []int64, window int64) int {
	most, from := 0, 0
	for i, at := range sorted {
		for sorted[from] <= at-window {
			from++
		}
		most = max(most, i-from+1)
	}
	return most
}

// TestReplayWholeSeconds guards that a log of whole seconds keeps its count in each
// second, spread within it and the same for the same seed.
func TestReplayWholeSeconds(t *testing.T) {
	var b strings.Builder
	rng := rand.New(rand.NewPCG(5, 6))
	count := map[int64]int{}
	for s := range 50 {
		n := 1 + rng.IntN(80)
		count[int64(s)] = n
		for range n {
			b.WriteString(line(noon.Add(time.Duration(s)*time.Second), "GET", "/"))
		}
	}
	logs := logsOf(t, b.String())
	read := func(seed uint64) (all []loadgen.Arrival, r *Replay) {
		r, err := PlanReplay(t.Context(), logs, ReplayOptions{Speed: 1, Timeout: time.Second, Seed: seed})
		if err != nil {
			t.Fatal(err)
		}
		return slices.Collect(r.Trace(t.Context())), r
	}
	got, r := read(1)
	// The first instant is within its second; the others count from there.
	shift := r.start - noon.UnixNano()
	tenths := map[int64]int{}
	for _, a := range got {
		at := int64(a.At) + shift
		count[at/1e9]--
		tenths[at%1e9/1e8]++
	}
	for s, n := range count {
		if n != 0 {
			t.Errorf("second %d: %d arrivals are missing", s, n)
		}
	}
	mean := float64(len(got)) / 10
	for i := range int64(10) {
		if d := math.Abs(float64(tenths[i]) - mean); d > 5*math.Sqrt(mean) {
			t.Errorf("tenth %d of the seconds has %d of %d arrivals", i, tenths[i], len(got))
		}
	}
	again, _ := read(1)
	other, _ := read(2)
	if !slices.Equal(got, again) || slices.Equal(got, other) {
		t.Error("the instants do not follow from the seed")
	}
	if !r.WholeSeconds() || r.Mix.Kinds[0].Requests != uint64(len(got)) {
		t.Errorf("%+v", r)
	}
}

// TestReplayStretch guards that --for replays the busiest stretch.
func TestReplayStretch(t *testing.T) {
	var b strings.Builder
	for s := range 120 {
		n := 2
		if s >= 70 && s < 80 {
			n = 20
		}
		for range n {
			b.WriteString(line(noon.Add(time.Duration(s)*time.Second), "GET", "/"))
		}
	}
	r, err := PlanReplay(t.Context(), logsOf(t, b.String()), ReplayOptions{Speed: 2, For: 5 * time.Second, Timeout: time.Second})
	if err != nil {
		t.Fatal(err)
	}
	if r.Requests != 200 || r.Length > 5*time.Second || !r.From.Equal(noon.Add(70*time.Second)) {
		t.Errorf("%d requests over %s from %s", r.Requests, r.Length, r.From)
	}
	if r.PerSecond < 39 || r.PerSecond > 42 {
		t.Errorf("%v/s at twice the speed of 20/s", r.PerSecond)
	}
}

// TestReplayErrors guards what cannot be replayed.
func TestReplayErrors(t *testing.T) {
	o := ReplayOptions{Speed: 1, Timeout: time.Second}
	for want, logs := range map[string]*Logs{
		"found stdin":           {Inputs: []input.Source{{Name: "stdin", Path: "-"}}},
		"two requests":          logsOf(t, line(noon, "GET", "/")),
		"no request that can":   logsOf(t, line(noon, "POST", "/")),
		"expected a line of an": logsOf(t, "nonsense\n"),
	} {
		if _, err := PlanReplay(t.Context(), logs, o); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	text, _ := bursty(1, 100)
	if _, err := PlanReplay(ctx, logsOf(t, text), o); err == nil {
		t.Error("a cancelled context was passed over")
	}
}

// TestProblems guards that a log that cannot be read is named, and the rest is used.
func TestProblems(t *testing.T) {
	logs := logsOf(t, line(noon, "GET", "/"), line(noon, "GET", "/")[:60])
	f, err := os.Create(filepath.Join(t.TempDir(), "cut.gz"))
	if err != nil {
		t.Fatal(err)
	}
	z := gzip.NewWriter(f)
	fmt.Fprint(z, strings.Repeat(line(noon, "GET", "/gz"), 50))
	z.Close()
	info, _ := f.Stat()
	if err := f.Truncate(info.Size() - 9); err != nil {
		t.Fatal(err)
	}
	f.Close()
	logs.Inputs = append(logs.Inputs, input.Source{Name: "cut.gz", Path: f.Name()})
	p, err := FindPeaks(t.Context(), logs, time.Second)
	if err != nil {
		t.Fatal(err)
	}
	if len(p.Reading.Problems) != 2 || p.Reading.Records < 40 || !strings.Contains(p.Reading.Problems[1].Error(), "cut.gz: expected more gzip data") {
		t.Errorf("%d records, problems %v", p.Reading.Records, p.Reading.Problems)
	}
}

// BenchmarkPeaks reads what nginx writes. The goal is 1 µs a line.
func BenchmarkPeaks(b *testing.B) {
	var text strings.Builder
	const n = 200_000
	for i := range n {
		fmt.Fprintf(&text, "10.0.%d.%d - - [%s] \"GET /api/v1/items/%d?page=%d HTTP/1.1\" 200 %d \"https://example.com/list\" \"Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36\" 0.%03d\n",
			i%256, i%199, noon.Add(time.Duration(i)*200*time.Microsecond).Format("02/Jan/2006:15:04:05 -0700"), i%5000, i%7, 200+i%9000, i%300)
	}
	logs := logsOf(b, text.String())
	for b.Loop() {
		if _, err := FindPeaks(b.Context(), logs, time.Second, 10*time.Second, time.Minute); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/n, "ns/line")
	b.ReportMetric(0, "ns/op")
}
