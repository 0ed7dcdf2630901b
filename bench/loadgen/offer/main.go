//go:build linux

// Command offer runs the load generator alone, for measuring it: an open loop
// at a rate, or a closed loop over a number of connections. It prints the
// account and its own cost as JSON.
//
//	offer -rate 2000 -for 30s http://127.0.0.1:18080/
//	offer -closed 50 -for 5s http://127.0.0.1:18080/
//
// It judges nothing and is no part of the product.
package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"time"

	"golang.org/x/sys/unix"

	"example.com/kneeline/internal/outcome"
	"example.com/kneeline/loadgen"
)

type figures struct {
	Planned      uint64             `json:"planned"`
	Sent         uint64             `json:"sent"`
	By           map[string]uint64  `json:"by_class"`
	Causes       map[string]uint64  `json:"causes"`
	Void         string             `json:"void"`
	Seconds      float64            `json:"seconds"`
	LatencyMs    map[string]float64 `json:"latency_ms"`
	SendLagMs    map[string]float64 `json:"send_lag_ms"`
	ConnsPeak    uint64             `json:"conns_peak"`
	CPUSeconds   float64            `json:"cpu_seconds"`
	PeakRSSBytes int64              `json:"peak_rss_bytes"`
	StartNs      int64              `json:"start_monotonic_ns"`
}

func main() {
	rate := flag.Float64("rate", 1000, "planned rate in requests per second")
	law := flag.String("law", "constant", "constant or poisson")
	closed := flag.Int("closed", 0, "closed loop over this many connections instead of a rate")
	span := flag.Duration("for", 5*time.Second, "how long to offer")
	timeout := flag.Duration("timeout", 5*time.Second, "the client's timeout")
	conns := flag.Int("conns", 0, "bound on connections; 0 takes 1.5 × rate × timeout")
	loops := flag.Int("loops", 0, "event loops; 0 lets the rate decide")
	portable := flag.Bool("portable", false, "take the engine with a goroutine for each connection")
	version := flag.String("http", "1.1", "1.1, 2 or h2c")
	insecure := flag.Bool("insecure", false, "take any certificate")
	flag.Parse()
	o := loadgen.Offer{Timeout: *timeout, PeakRate: *rate, MaxConns: *conns, Seed: 1}
	switch {
	case *closed > 0:
		o.Arrivals, o.MaxConns = loadgen.Closed, *closed
	case *law == "constant":
		o.Arrivals = loadgen.Constant
	}
	opts := loadgen.Options{URL: flag.Arg(0), Loops: *loops, ForceGoroutineEngine: *portable, TLS: loadgen.TLSOptions{Insecure: *insecure}}
	opts.HTTP = map[string]loadgen.Version{"1.1": loadgen.Version1, "2": loadgen.Version2, "h2c": loadgen.VersionH2C}[*version]
	if err := run(opts, o, *span); err != nil {
		fmt.Fprintln(os.Stderr, "offer:", err)
		os.Exit(1)
	}
}

func run(opts loadgen.Options, o loadgen.Offer, span time.Duration) error {
	client, err := loadgen.New(opts)
	if err != nil {
		return err
	}
	var ts unix.Timespec
	pilot := loadgen.PilotFunc(func(tl *loadgen.Timeline) loadgen.Step {
		if tl.Now < loadgen.WindowWidth {
			_ = unix.ClockGettime(unix.CLOCK_MONOTONIC, &ts)
			ts = unix.NsecToTimespec(ts.Nano() - int64(tl.Now))
		}
		return loadgen.Step{Rate: o.PeakRate, Stop: tl.Now >= span}
	})
	res, err := client.Offer(context.Background(), o, pilot)
	if err != nil {
		return err
	}
	return json.NewEncoder(os.Stdout).Encode(sum(res, ts.Nano()))
}

func sum(res *loadgen.Result, start int64) figures {
	s := &res.Segments[0]
	f := figures{
		Planned: s.Counts.Planned, By: map[string]uint64{}, Causes: s.Causes, Void: s.Void,
		Seconds: s.Duration.Seconds(), LatencyMs: map[string]float64{}, SendLagMs: map[string]float64{},
		ConnsPeak: res.ConnsPeak, StartNs: start + int64(s.Start),
	}
	for i := range res.Timeline.Windows {
		f.Sent += uint64(res.Timeline.Windows[i].Sent)
	}
	all := s.Latency[outcome.Full].Clone()
	for k := range outcome.NumClasses {
		if n := s.Counts.By[k]; n > 0 {
			f.By[k.String()] = n
		}
		if k != outcome.Full {
			all.Merge(&s.Latency[k])
		}
	}
	for name, q := range map[string]float64{"p50": 0.5, "p90": 0.9, "p99": 0.99, "p99.9": 0.999, "max": 1} {
		f.LatencyMs[name] = float64(all.Quantile(q)) / 1e6
		f.SendLagMs[name] = float64(s.SendLag.Quantile(q)) / 1e6
	}
	var ru unix.Rusage
	if unix.Getrusage(unix.RUSAGE_SELF, &ru) == nil {
		f.CPUSeconds = float64(ru.Utime.Nano()+ru.Stime.Nano()) / 1e9
		f.PeakRSSBytes = ru.Maxrss << 10
	}
	return f
}
