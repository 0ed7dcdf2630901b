// Package accesslog turns the lines of access logs into records: when a request
// came, what it asked for, how it ended and how long it took.
//
// It reads the formats of nginx and Apache (common and combined, and any nginx
// log_format that is given), HAProxy's HTTP log, Envoy's and Istio's default text,
// AWS application load balancers, JSON lines and logfmt, and tells them apart by
// content. It reads in constant memory and counts what it cannot read.
//
// What the traffic amounts to (peaks, mixes, a replay) is not its business: see
// analyze/traffic.
package accesslog
