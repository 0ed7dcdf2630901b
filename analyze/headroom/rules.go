package headroom

import "example.com/kneeline/internal/finding"

// IDs of the rules on load.
const (
	RuleCollapse   = "LOD-01"
	RuleNoRecovery = "LOD-02"
	RuleSlowReturn = "LOD-03"
	RuleQueueDepth = "LOD-04"
	RulePeak       = "LOD-05"
	RuleZone       = "LOD-06"
	RuleGrowth     = "LOD-07"
	RuleFloor      = "LOD-08"
	RuleTrend      = "LOD-09"
	RuleStalls     = "LOD-10"
	RuleNoHint     = "LOD-11"
	RuleHintBroken = "LOD-12"
	RuleOutlier    = "LOD-13"
)

const (
	sreBook    = "Beyer et al., Site Reliability Engineering (2016), chapter 22: past capacity goodput should stay flat, and come back when the load goes"
	followFeed = "LinkedIn Engineering on FollowFeed (2018): 1,200/s × 400 ms = 480 requests of use in a queue of 5,000"
	little     = "J. D. C. Little, A proof for the queuing formula L = λW, Operations Research 9 (1961)"
	metastable = "Bronson et al., Metastable failures in distributed systems, HotOS 2021"
)

// Rules returns the rules by which a measurement of capacity is judged.
func Rules() []finding.Rule {
	return []finding.Rule{collapse, noRecovery, slowReturn, queueDepth, peak, zone, growth, floorBreaks, trendRule, stallsRule, noHint, hintBroken, outlierRule}
}

var collapse = finding.Rule{
	ID: RuleCollapse, Name: "goodput-collapses", Severity: finding.Error, Since: "0.1",
	Title: "goodput collapses past capacity",
	Why: `A service that loses most of its goodput when the load exceeds capacity turns a small excess into an outage: at 1.3 times
capacity it should still answer about as many requests in time as at capacity, and refuse or fail only the rest.

The usual reason is a queue longer than the clients wait. Every request then spends its life in the queue, and is served after
its client has left, so that all of the work is for nobody.`,
	Formula: "ratio = goodput at 1.3 × capacity, over the later half of the overload\n        / (capacity × (1 − budget))\ncollapse: ratio < 0.8",
	Sources: []string{sreBook, followFeed},
	Bad:     "capacity 1,188/s; offered 1,545/s: goodput 0/s (ratio 0.00)",
	Good:    "capacity 1,188/s; offered 1,545/s: goodput 1,196/s (ratio 1.02), 345/s refused",
	Fix: `Bound the queue to the useful queue that the report names, refuse what does not fit with 503 and a Retry-After hint, and
do not serve requests whose deadline has passed.`,
}

var noRecovery = finding.Rule{
	ID: RuleNoRecovery, Name: "no-recovery", Severity: finding.Error, Since: "0.1",
	Title: "the SLO does not come back when the load falls",
	Why: `After an overload the load fell to 0.8 times capacity, at which the SLO holds in steady state, and yet it did not come back
within the time allowed. A service that stays down after its trigger is gone is metastable: somebody has to take load away by
hand, or restart it.

A queue that only takes long to drain is told apart by patient probes: the report says when their wait was getting shorter.`,
	Formula: "offered: 0.8 × capacity after the overload\nrecovery: the first instant from which the SLO holds for 2 s, by the time of planning\nno recovery: there is none within the allowance",
	Sources: []string{metastable, sreBook},
	Bad:     "0.8 × capacity for 30 s after an overload of 10 s: 100 % of requests late to the end",
	Good:    "0.8 × capacity after an overload of 10 s: the SLO holds again after 0.4 s",
	Fix: `Bound the queue, drop requests past their deadline when their turn comes, and give retries a budget of at most a tenth of
the requests, so that the work left over from an overload is short.`,
}

var slowReturn = finding.Rule{
	ID: RuleSlowReturn, Name: "slow-recovery", Severity: finding.Warning, Since: "0.1",
	Title: "recovery takes longer than five client timeouts",
	Why: `What was queued in the overload is worked off at the difference between the rate of completions and the load. Until the
queue is shorter than the clients wait, every request fails, although the load is one that the service bears.`,
	Formula: "drain time ≈ (queue − useful queue) / (throughput − offered load)\nslow: recovery > 5 × client timeout",
	Sources: []string{sreBook, little},
	Bad:     "recovery 11.9 s at 950/s after 10 s at 1,545/s, queue 5,000, client timeout 400 ms",
	Good:    "recovery 0.3 s, queue 402",
	Fix:     "Bound the queue to the useful queue that the report names, or drop requests whose deadline has passed when their turn comes.",
}

var queueDepth = finding.Rule{
	ID: RuleQueueDepth, Name: "queue-deeper-than-useful", Severity: finding.Error, Since: "0.1",
	Title: "the queue is deeper than clients wait",
	Why: `A service that completes μ requests a second can answer μT of them within a client timeout of T. A request that finds more
than that before it is dead on arrival, and serving it takes the place of one that could be answered. Patient probes, which
wait longer than clients do, saw such a queue.`,
	Formula: "useful queue = saturated throughput × client timeout = μT\nsafe         = μT − 3√(μT)\npositions    = safe − workers\nseen         = wait of patient probes × μ",
	Sources: []string{little, followFeed},
	Bad:     "queue wait 2.4 s, about 2,900 requests in the system; useful: 480",
	Good:    "queue of 402 positions beside 12 workers: wait at most 345 ms",
	Fix:     "Set the queue to the positions that the report names.",
}

var peak = finding.Rule{
	ID: RulePeak, Name: "peak-over-capacity", Severity: finding.Error, Since: "0.1",
	Title: "the peak is over the safe capacity",
	Why: `The low end of the interval of capacity is the rate that is surely borne. A peak over it breaks the SLO, or may: the
estimate itself is right only half of the time on either side.`,
	Formula: "headroom = low end of capacity / peak − 1 < 0",
	Sources: []string{sreBook},
	Bad:     "capacity 1,188/s (1,165 to 1,211), peak 1,180/s: headroom −1.3 %",
	Good:    "capacity 1,188/s (1,165 to 1,211), peak 800/s: headroom 46 %",
	Fix:     "Add capacity, or bound what is admitted to the low end of capacity.",
}

var zone = finding.Rule{
	ID: RuleZone, Name: "no-room-for-a-zone", Severity: finding.Warning, Since: "0.1",
	Title: "the peak is over capacity once a zone is lost",
	Why: `A service spread over z equal zones has (z − 1)/z of its capacity left when one is lost, and the same traffic. If the peak is
over that, the loss of a zone is an overload of the others.`,
	Formula: "headroom less one zone = low end of capacity × (z − 1)/z / peak − 1 < 0",
	Sources: []string{sreBook},
	Bad:     "safe capacity 1,165/s in 3 zones, peak 800/s: 777/s left, headroom −2.9 %",
	Good:    "safe capacity 1,165/s in 3 zones, peak 600/s: headroom 29 %",
	Fix:     "Add capacity until the low end × (z − 1)/z is over the peak.",
}

var growth = finding.Rule{
	ID: RuleGrowth, Name: "growth-eats-headroom", Severity: finding.Warning, Since: "0.1",
	Title: "growth reaches capacity within six months",
	Why: `Traffic that grows by a share each month meets any capacity. Half a year is about what planning, ordering and rolling out
more capacity takes.`,
	Formula: "months = ln(low end of capacity / peak) / ln(1 + growth per month) < 6",
	Sources: []string{sreBook},
	Bad:     "safe capacity 1,165/s, peak 1,050/s, growth 3 % a month: 3.5 months",
	Good:    "safe capacity 1,165/s, peak 800/s, growth 3 % a month: 12.7 months",
	Fix:     "Plan more capacity now, by the month that the report names.",
}

var floorBreaks = finding.Rule{
	ID: RuleFloor, Name: "slo-broken-at-rest", Severity: finding.Error, Since: "0.1",
	Title: "the SLO does not hold with next to no load",
	Why: `With a few requests a second nothing waits for anything. Requests that are bad even then are slow, or fail, by themselves;
less load does not help, so there is no capacity at this SLO.`,
	Formula: "share of bad requests at next to no load − 3 standard deviations > budget",
	Sources: []string{"Dean and Barroso, The tail at scale, Communications of the ACM 56 (2013)"},
	Bad:     "p99 < 20ms; p99 46 ms at 10/s",
	Good:    "p99 < 400ms; p99 46 ms at 10/s",
	Fix:     "Make single requests faster or more reliable, or set an SLO that the service can meet.",
}

var trendRule = finding.Rule{
	ID: RuleTrend, Name: "no-steady-state", Severity: finding.Warning, Since: "0.1",
	Title: "throughput changes all the time under constant load",
	Why: `A capacity is a property of a steady state. A service whose rate of completions falls all through the measurement leaks
something, heats up or fills a cache or a disk; one whose rate rises is still warming up. The capacity found is that of the
time of measurement.`,
	Formula: "slope of completions per second over the saturated time, |t| > 4,\nand a change of more than 5 % from start to end",
	Sources: []string{"Barrett et al., Virtual machine warmup blows hot and cold, OOPSLA 2017"},
	Bad:     "1,240/s at the start of 60 s of saturation, 1,080/s at the end",
	Good:    "1,196/s at the start, 1,203/s at the end",
	Fix:     "Warm the service up before measuring, or find what fills up; then measure for longer.",
}

var stallsRule = finding.Rule{
	ID: RuleStalls, Name: "service-stalls", Severity: finding.Warning, Since: "0.1",
	Title: "the service stops completing requests from time to time",
	Why: `While a busy service completes nothing, everything behind waits, and the queue that builds up takes its time to drain. Such
stalls cost capacity beyond the time that they take: the load has to leave room for them.`,
	Formula: "a stall: no completion by the busy service for so long that chance\nwould make it once in a hundred measurements, and at least 30 ms\nreported: stalls of a tenth of the tightest limit, or of 0.5 % of the time",
	Sources: []string{"Dean and Barroso, The tail at scale, Communications of the ACM 56 (2013)"},
	Bad:     "no completion for 300 ms, about every 10 s",
	Good:    "no stall in 60 s",
	Fix:     "Look at the pauses of the garbage collector, at log flushes and at compactions at that interval.",
}

var noHint = finding.Rule{
	ID: RuleNoHint, Name: "refusals-without-hint", Severity: finding.Note, Since: "0.1",
	Title: "refusals carry no Retry-After hint",
	Why: `A client that is refused without a hint tries again when it likes, often at once and together with all others. A hint tells
it to stay away for as long as the service needs.`,
	Formula: "share of refusals (429, 503) with a Retry-After header < 50 %",
	Sources: []string{"RFC 9110, section 10.2.3", "RFC 6585, section 4"},
	Bad:     "HTTP/1.1 503 Service Unavailable",
	Good:    "HTTP/1.1 503 Service Unavailable\nRetry-After: 1",
	Fix:     "Send Retry-After with every refusal, with some scatter.",
}

var hintBroken = finding.Rule{
	ID: RuleHintBroken, Name: "retry-after-not-kept", Severity: finding.Warning, Since: "0.1",
	Title: "requests fail after the time that Retry-After names",
	Why: `A Retry-After hint says from when on a request is worth sending. Clients that keep to it and are refused again have waited
for nothing, and come back together: the hint gathers the load of a whole interval into one instant.

Held to it are requests planned within a second after the end of a hint, at a rate no higher than that at which the refused
request was planned: the service could know of no other load. Each counts once, and a success is a full or degraded answer
within the client timeout.`,
	Formula: "after = requests planned within 1 s after the end of a hint,\n        at a rate ≤ that of the refused request\nkept  = share of them that succeed\nbroken: kept < 50 % − 3 × √(0.25 / after), and after ≥ 50",
	Sources: []string{"RFC 9110, section 10.2.3", sreBook},
	Bad:     "503 with Retry-After: 1; of 1,400 requests a second later 4 % succeed",
	Good:    "503 with Retry-After: 1; of 1,400 requests a second later 93 % succeed",
	Fix: `Derive the hint from what the service knows: the requests that wait over the rate of completions, or the time until the
limiter's window ends; add scatter of the same size.`,
}

var outlierRule = finding.Rule{
	ID: RuleOutlier, Name: "one-address-is-worse", Severity: finding.Error, Since: "0.1",
	Title: "one address of the service is worse than the others",
	Why: `A name that stands for several addresses has its requests spread over all of them, in turn. A host behind one of them that is
slow or fails costs every user that share of requests, and the mean over all hides it: of three hosts one that fails a tenth of its
requests shows as 3 %.

Requests of the same second meet the same load, whatever address they go to. If the hosts are alike, each of k addresses is the
worst of a second with a chance of at most 1/k.`,
	Formula: "worst: highest share of requests not answered (of seconds with any),\n       or highest mean response time, among the addresses in one second\n" +
		"P(w or more of m seconds | m, 1/k) × k × 2 < 0.001,\nand a bad share at least twice the others' and 0.1 % more,\nor a mean response time at least 1.25 times theirs",
	Sources: []string{"LinkedIn Engineering on FollowFeed (2018): replicas hid a sick host for days",
		"the binomial test, with Bonferroni's bound for k addresses and two measures"},
	Bad:  "10.0.0.3:80 worst in 58 of 60 seconds: 9.8 % bad, the two others 0.1 %",
	Good: "10.0.0.3:80 worst in 22 of 60 seconds: 0.12 % bad, the two others 0.10 %",
	Fix:  "Take the address out of service, or repair its host, and measure again: the capacity found is that of all hosts, with the sick one among them.",
}
