package headroom

import "example.com/kneeline/internal/finding"

// RuleMetric is the rule on a service's own count.
const RuleMetric = "LOD-15"

// SignalRules returns the rules on what a service says of itself.
func SignalRules() []finding.Rule { return []finding.Rule{metricDisagrees} }

var metricDisagrees = finding.Rule{
	ID: RuleMetric, Name: "metric-disagrees", Severity: finding.Warning, Since: "0.1",
	Title: "a metric of the service counts other than what was sent",
	Why: `Alerts, autoscaling and the judgement of a change rest on what a service counts of itself. While every request is known
to the client that sent it, the two can be held against each other: a count of errors that grows by three for each failed
request turns a rate of 1 % into one of 3 %, and one that misses requests refused early hides an overload.

Usual reasons: a request is counted in each of several layers, or once for each try; what is refused before the handler is not
counted at all; answers are counted by the status that was meant and not the one that was sent; a client that left is counted
as an error. Other traffic to the service, of which the client knows nothing, has the same look: measure where there is none.`,
	Formula: "increase = sum over series of (after − before), from 0 where a counter began again\nlow  = answers of that kind that the client saw\nhigh = low + requests of which it did not see the end\ndisagrees: increase < low or > high, by more than 1 % and 2 requests",
	Sources: []string{"LinkedIn Engineering on FollowFeed (2018): an error metric that over-counted by 300 %",
		"Prometheus documentation, Instrumentation: count each event once, where it is decided"},
	Bad:  "http_requests_total{code=\"500\"} grew by 1,204 while the client got 301 answers of status 500 (ratio 4.0)",
	Good: "http_requests_total{code=\"500\"} grew by 301 while the client got 301 answers of status 500",
	Fix:  "Count each request once, after its answer is written, by the status that was written; then run the check again.",
}
