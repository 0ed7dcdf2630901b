package topology

import (
	"fmt"
	"strings"
	"testing"

	"example.com/kneeline/analyze/lint/model"
)

const whole = `version: 1
defaults: {linux: 6.1, nginx: "1.28"}
services:
  query:
    replicas: 500
    config: [{file: query/d2.json, as: d2-client}, {file: query/app.properties, as: app-client, to: storage, keys: {total: storage.timeout.ms}}]
  storage:
    names: [storage-svc]
    replicas: 160
    group: {size: 4, partitions: 20}
    capacity: 1200/s
    peak: 950/s
    service_time: {p50: 40ms, p99: 140ms}
    config: [storage/jetty.xml]
  idle:
hops:
  - {from: query, to: storage, total: 400ms, library_total: 3500ms, retry: {after: 150ms, max: 1, to: other-replica},
     budget: {ratio: 2.5%, scope: global}, pool: {min: 10, max: 100, per: pair}}
`

// The form of the manual is read to the last value, each with its line.
func TestRead(t *testing.T) {
	f := Read("t.yaml", []byte(whole))
	for _, p := range f.Problems {
		t.Errorf("%d: %s", p.At.Line, p.Err)
	}
	if len(f.Services) != 3 || len(f.Hops) != 1 || f.Defaults["nginx"].Text != "1.28" || f.Defaults["linux"].Text != "6.1" {
		t.Fatalf("%+v", f)
	}
	s, h, c := f.Service("storage"), f.Hops[0], f.Service("query").Configs
	for _, tt := range []struct {
		v    model.Value
		want string
		line int
	}{
		{s.Replicas, "160", 9}, {s.GroupSize, "4", 10}, {s.Partitions, "20", 10}, {s.Capacity, "1200/s", 11}, {s.Peak, "950/s", 12}, {s.P50, "40ms", 13}, {s.P99, "140ms", 13},
		{h.Total, "400ms", 17}, {h.LibraryTotal, "3.5s", 17}, {h.HedgeAfter, "150ms", 17}, {h.HedgeMax, "1", 17}, {h.ToOther, "on", 17}, {h.BudgetRatio, "2.5%", 18}, {h.PoolMin, "10", 18}, {h.PoolMax, "100", 18},
	} {
		if tt.v.String() != tt.want || tt.v.At.Line != tt.line {
			t.Errorf("%s is %s at %d, want %s at %d", tt.v.Key, tt.v, tt.v.At.Line, tt.want, tt.line)
		}
	}
	if h.BudgetScope != model.Global || !h.PoolPerPair || s.Configs[0].File != "storage/jetty.xml" || s.Names[0] != "storage-svc" {
		t.Errorf("%+v %+v", h, s)
	}
	if !c[0].As.Client || c[0].As.Format != "d2" || !c[1].As.Keys || c[1].As.Layer != model.App || c[1].To != "storage" || c[1].Keys["total"].Name != "storage.timeout.ms" {
		t.Errorf("%+v", c)
	}
}

// What is wrong is named with its line and what was perhaps meant; the rest is read.
func TestProblems(t *testing.T) {
	head := "version: 1\nservices: {a: , b: }\n"
	for in, want := range map[string]string{
		"":             "1: expected version",
		"services: {}": "1: expected version: 1, found none",
		"version: 2":   `1: version: expected 1, found "2"`,
		"version: 1\nservices:\n  a: {replica: 3}":                            `3: service a: unknown key "replica", perhaps "replicas" is meant`,
		"version: 1\nservices:\n  a: {colour: 3}":                             `3: service a: unknown key "colour": expected one of capacity`,
		"version: 1\nservices:\n  a: {capacity: fast}":                        `3: capacity: expected a rate over 0 such as 1200/s, found "fast"`,
		"version: 1\nservices:\n  a: {capacity: 0}":                           "3: capacity: expected a rate over 0",
		"version: 1\nservices:\n  a: {replicas: 0}":                           "3: replicas: expected a number of 1 or more",
		"version: 1\nservices:\n  a: {service_time: {p99: 40}}":               "3: service_time.p99: expected a duration over 0 with its unit",
		"version: 1\nservices:\n  a: {service_time: {p50: 2s, p99: 1s}}":      "3: service_time.p99: expected at least 2s of service_time.p50, found 1s",
		"version: 1\nservices:\n  a: {replicas: 2, group: {size: 4}}":         "3: group.size: expected at most the 2 replicas, found 4",
		"version: 1\nservices:\n  a: [1]":                                     "3: service a: expected a map, found a list",
		"version: 1\nservices: 5":                                             `2: services: expected a map of services by name, found "5"`,
		"version: 1\nservices:\n  a: {config: [{as: nginx}]}":                 "3: service a: config: expected a file, found none",
		"version: 1\nservices:\n  a: {config: [{file: f, as: app-client}]}":   "3: service a: config f: expected keys",
		"version: 1\nservices:\n  a: {config: [{file: f, keys: {total: x}}]}": "3: service a: config f: keys: expected as: app-client",
		"version: 1\nservices:\n  a: {config: [{file: f, as: ngin}]}":         `3: as: unknown word "ngin", perhaps "nginx" is meant`,
		"version: 1\nservices:\n  a: {config: [{file: f, to: bb}]}":           `3: to: no service "bb"`,
		head + "hops: {from: a, to: b}":                                       "3: hops: expected a list, found a map",
		head + "hops: [{from: a}]":                                            `3: hop: expected from and to, found from "a" and to ""`,
		head + "hops: [{from: a, to: c}]":                                     `3: to: no service "c"`,
		head + "hops: [{from: a, to: b, total: -1s}]":                         "3: total: expected a duration over 0",
		head + "hops: [{from: a, to: b, budget: {scope: globl}}]":             `3: budget.scope: unknown word "globl", perhaps "global" is meant`,
		head + "hops: [{from: a, to: b, retry: {max: 1}}]":                    "3: retry: max counts second requests of after",
		head + "hops: [{from: a, to: b, deadline_carried: 3}]":                `3: deadline_carried: expected true or false, found "3"`,
		head + "hops: [{from: a, to: b, pool: {per: host}}]":                  "3: pool.per: expected one of pair, process",
		head + "---\nversion: 1":                                              "4: expected one document, found 2",
		head + "version: 1":                                                   "stands",
	} {
		f := Read("t", []byte(in))
		f.CheckFormats([]string{"nginx"})
		var all []string
		for _, p := range f.Problems {
			all = append(all, fmt.Sprintf("%d: %s", p.At.Line, p.Err))
		}
		if !strings.Contains(strings.Join(all, "\n"), want) {
			t.Errorf("%q:\n%s\nwant %s", in, strings.Join(all, "\n"), want)
		}
	}
}

// A file that is no topology says so, and one that is has what can be taken.
func TestUnusable(t *testing.T) {
	for in, want := range map[string]bool{
		"": true, "{": true, "{}": true, "server: a": true, "[1]": true, "version: 2\nservices: {a: }\n": true, "version: 1\nservices: [a]\n": true, "version: 1\nhops: {a: b}\n": true, "\xff\xfe": true,
		"version: 1\n": false, "services: {a: }\n": false, "version: 1\nservices: {a: {replicas: x}}\nhops: [{from: a, to: c}]\n": false,
	} {
		if f := Read("t", []byte(in)); (f.Unusable != nil) != want {
			t.Errorf("%q: %+v", in, f.Problems)
		}
	}
}

// What << merges in is there to be overruled; of what stands twice the last counts.
func TestMergesAndTwice(t *testing.T) {
	f := Read("t", []byte("version: 1\nservices:\n  a: &a {replicas: 3, capacity: 7/s}\n  b: {<<: *a, replicas: 9}\n"))
	if b := f.Service("b"); len(f.Problems) != 0 || b.Replicas.Amount != 9 || b.Capacity.Amount != 7 {
		t.Errorf("%+v, %+v", f.Problems, b)
	}
	f = Read("t", []byte("version: 1\nservices:\n  a: {replicas: 3, replicas: 4}\n  a: {replicas: 5, replicas: 6}\n"))
	if len(f.Services) != 1 || f.Service("a").Replicas.Amount != 6 || len(f.Problems) != 3 {
		t.Errorf("%+v, %+v", f.Problems, f.Services)
	}
}

// No file makes the reader panic, and every problem and value has a line of it.
func FuzzRead(f *testing.F) {
	f.Add([]byte(whole))
	f.Add([]byte("version: 1\nservices: {a: {group: 3}}\nhops: [1, {}]\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		file := Read("t", data)
		file.CheckFormats([]string{"nginx"})
		lines := strings.Count(string(data), "\n") + 1
		for _, p := range file.Problems {
			if p.Err == "" || p.At.Line < 0 || p.At.Line > lines+1 {
				t.Fatalf("%+v of %d lines", p, lines)
			}
		}
		for _, h := range file.Hops {
			if file.Service(h.From) == nil || file.Service(h.To) == nil {
				t.Fatalf("a hop without its services: %+v", h)
			}
		}
	})
}
