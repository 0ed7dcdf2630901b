package headroom

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"example.com/kneeline/internal/fault"
	"example.com/kneeline/internal/finding"
	"example.com/kneeline/internal/units"
)

// StopSignal is a signal of the service's own that ended the load.
type StopSignal struct {
	// Signal is metric or gc.
	Signal string `json:"signal"`
	// Source is the URL or the file, Condition what it was watched for, and Found
	// what was seen, in words.
	Source    string `json:"source"`
	Condition string `json:"condition"`
	Found     string `json:"found"`
	// Value is that of the metric, or the overhead as a share.
	Value float64 `json:"value"`
	// AtSeconds is when, since the measurement began.
	AtSeconds float64 `json:"at_seconds"`
}

// Sentence says that the load was ended, and by what.
func (s *StopSignal) Sentence() string {
	return fmt.Sprintf("the load was ended after %s by the service's own signal: %s", units.Seconds(s.AtSeconds), s.Found)
}

// Of which of our requests a metric of the service is to be the count.
const (
	CountAll    = "all"
	CountOK     = "ok"
	CountErrors = "errors"
	CountShed   = "shed"
	// CountStatus is followed by three digits, or by one and xx.
	CountStatus = "status:"
)

// ParseCount checks the name of a count: all, ok, errors, shed, status:500,
// status:5xx.
func ParseCount(text string) (string, error) {
	switch text {
	case CountAll, CountOK, CountErrors, CountShed:
		return text, nil
	}
	if code, ok := strings.CutPrefix(text, CountStatus); ok && isStatus(code) {
		return text, nil
	}
	return "", fault.Usagef("expected one of all, ok, errors, shed, status:500, status:5xx, found %q", text)
}

// isStatus reports whether a text is a status or a class of them, such as 5xx.
func isStatus(s string) bool {
	if len(s) != 3 || s[0] < '1' || s[0] > '9' {
		return false
	}
	_, err := strconv.Atoi(s)
	return err == nil || strings.EqualFold(s[1:], "xx")
}

// CountOfLabels says of which of our requests a metric is the count by the labels
// that its selector fixes: a label that is named for a status, as code, status,
// status_code or http_response_status_code are, tells which; without one all are.
func CountOfLabels(labels map[string]string) string {
	for name, value := range labels {
		name = strings.ToLower(name)
		if name != "code" && !strings.Contains(name, "status") {
			continue
		}
		value = strings.ToLower(strings.ReplaceAll(value, ".", "x"))
		if len(value) == 6 && strings.HasSuffix(value, "[0-9]") {
			continue // not a class that is written so
		}
		if isStatus(value) {
			return CountStatus + value
		}
		switch value {
		case "ok", "success":
			return CountOK
		case "error", "errors", "failure":
			return CountErrors
		}
	}
	return CountAll
}

// MetricCheck is a count of the service's own held against ours.
type MetricCheck struct {
	URL    string `json:"url"`
	Metric string `json:"metric"`
	// Counts says of which of our requests it is to be the count.
	Counts string `json:"counts"`
	// Error says why there is no figure; the others are then absent.
	Error string `json:"error,omitempty"`
	// Before and After are the sums over its series, Increase is by how much they
	// grew; a counter that began again counts from 0.
	Before   *float64 `json:"before,omitempty"`
	After    *float64 `json:"after,omitempty"`
	Increase *float64 `json:"increase,omitempty"`
	Series   int      `json:"series_count"`
	// Restarts counts series that went down while it went on: the increase is then
	// the least that it can be.
	Restarts int `json:"restarted_series_count,omitempty"`
	// OursLow and OursHigh bound our own count: a request that timed out or broke
	// off may have been counted by the service, or not.
	OursLow  uint64 `json:"ours_low_count"`
	OursHigh uint64 `json:"ours_high_count"`
	// Ratio is the increase over the nearer of the two bounds.
	Ratio  *float64 `json:"ratio,omitempty"`
	Agrees *bool    `json:"agrees,omitempty"`
}

// metricTolerance is the share by which a service's count may differ from ours
// before that is a finding, and metricSlack the least number.
const (
	metricTolerance = 0.01
	metricSlack     = 2
)

// Hold holds an increase of the service's count against our account. scrapes is how
// often the metrics themselves were asked for: a service may count that too.
func (m *MetricCheck) Hold(a *Account, scrapes int) {
	low, high := a.count(m.Counts)
	m.OursLow, m.OursHigh = low, high
	if m.Increase == nil {
		return
	}
	x := *m.Increase
	most := float64(high)
	if m.Counts == CountAll || m.Counts == CountOK || strings.HasPrefix(m.Counts, CountStatus+"2") {
		most += float64(scrapes)
	}
	slack := func(n float64) float64 { return max(metricTolerance*n, metricSlack) }
	nearest := min(max(x, float64(low)), most)
	agrees := math.Abs(x-nearest) <= slack(nearest)
	if m.Restarts > 0 && x < float64(low) {
		agrees = true // what it counted before it began again is lost
	}
	m.Agrees = &agrees
	// What its count is of ours leaves our scrapes out: 3 for each request is 3.
	if own := min(max(x, float64(low)), float64(high)); own > 0 {
		m.Ratio = ptr(x / own)
	}
}

// count bounds how many requests of an account a service may have counted under a
// name: those that we saw answered so, and on top those of which we did not see the
// end.
func (a *Account) count(name string) (low, high uint64) {
	unseen := a.TimedOut + a.InFlight
	byStatus := map[string]uint64{}
	for cause, n := range a.Causes {
		if code, ok := strings.CutPrefix(cause, "status "); ok {
			byStatus[code] += n
		} else if !strings.HasPrefix(cause, "connection refused") {
			unseen += n
		}
	}
	var failed uint64
	for _, n := range byStatus {
		failed += n
	}
	ok := a.Full + a.Degraded
	switch name {
	case CountAll:
		low, high = ok+a.Shed+failed, ok+a.Shed+failed
	case CountOK:
		low, high = ok, ok
	case CountErrors:
		low, high = a.Shed+failed, a.Shed+failed
	case CountShed:
		low, high = a.Shed, a.Shed
	default:
		low, high = statusCount(strings.TrimPrefix(name, CountStatus), byStatus, ok, a.Shed)
	}
	high += unseen
	if r := a.Retries; r != nil {
		l, h := retried(r, name)
		low, high = low+l, high+h
	}
	return low, high
}

// retried is what the retries add; of their failures the causes are not kept.
func retried(r *Account, name string) (low, high uint64) {
	l, h := r.count(name)
	return l, h + r.Failed
}

// statusCount is how many answers had a status, or one of a class. Refusals had 429
// or 503, and which is not kept; success is any of 2xx and 3xx.
func statusCount(code string, byStatus map[string]uint64, ok, shed uint64) (low, high uint64) {
	class := strings.HasSuffix(code, "xx")
	for c, n := range byStatus {
		if c == code || class && len(c) == 3 && c[0] == code[0] {
			low += n
		}
	}
	high = low
	switch {
	case code == "429" || code == "503" || code == "4xx" || code == "5xx":
		high += shed
	case code[0] == '2' || code[0] == '3':
		high += ok
		if code == "200" || code == "2xx" {
			low += ok // nearly all of them; a service that redirects says so itself
		}
	}
	return low, high
}

// AddMetricCheck takes a check into the result, with what it finds.
func (r *Result) AddMetricCheck(m MetricCheck) {
	r.MetricChecks = append(r.MetricChecks, m)
	if m.Error != "" {
		r.Warnings = append(r.Warnings, fmt.Sprintf("the metric %s was not checked: %s", m.Metric, m.Error))
		return
	}
	if m.Restarts > 0 {
		r.Warnings = append(r.Warnings, fmt.Sprintf("the metric %s began again while it was measured: what it had counted before is lost", m.Metric))
	}
	if m.Agrees == nil || *m.Agrees {
		return
	}
	ours := units.Count(m.OursLow)
	if m.OursHigh != m.OursLow {
		ours += " to " + units.Count(m.OursHigh)
	}
	by := "it misses some"
	if m.Ratio == nil {
		by = "there were none"
	} else if *m.Ratio > 1 {
		by = fmt.Sprintf("it counts %.3g times as many, %s too many", *m.Ratio, units.Share(*m.Ratio-1))
	} else {
		by = fmt.Sprintf("it counts %.3g of them, %s too few", *m.Ratio, units.Share(1-*m.Ratio))
	}
	f := metricDisagrees.Found(finding.Location{Object: m.URL + "#" + m.Metric}, metricDisagrees.Name+"/"+m.Metric,
		fmt.Sprintf("%s grew by %s while the client counted %s (%s): %s", m.Metric, units.Count(uint64(max(0, math.Round(*m.Increase)))), ours, m.Counts, by))
	f.Remediation = "compare where the service counts with where it answers, and look for other traffic; correct the metric before anything is decided by it"
	r.Findings = finding.Ordered(append(r.Findings, f))
}
