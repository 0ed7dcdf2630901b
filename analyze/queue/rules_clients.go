package queue

import "example.com/kneeline/internal/finding"

var poolSum = finding.Rule{
	ID: "POL-01", Name: "pool-sum", Title: "all pools together open more connections than are of use",
	Why: `A pool's limit is set at one client but counts at the server, once for every client. When the server
slows down each client fills its pool, so the number of connections explodes at the worst moment, each with its
handshake, buffers and file descriptor.`,
	Formula: `total   = clients × connections per client
useful  = a + 3√a per client, a = capacity × timeout / clients
found where connections per client > 2 × useful`,
	Sources:  []string{littleSource, followFeedSource + "; pools of 10 to 100 per pair became 1 to 4"},
	Bad:      "500 clients × 100 connections = 50,000",
	Good:     "500 clients × 4 connections = 2,000",
	Fix:      "Set the pool to a client's share of the requests under way, with three standard deviations.",
	Severity: finding.Warning, Since: "0.1",
}

var poolTooSmall = finding.Rule{
	ID: "POL-04", Name: "pool-too-small", Title: "the pools cannot keep the server busy",
	Why: `With one request a connection, fewer connections than running requests leave workers idle while
requests wait in the clients, where the server's metrics do not show them.`,
	Formula:  `found where clients × connections per client < capacity × service time`,
	Sources:  []string{littleSource},
	Bad:      "2 clients × 4 connections, 12 requests running at capacity",
	Good:     "2 clients × 8 connections",
	Fix:      "Set the pool to a client's share of the requests under way, with three standard deviations.",
	Severity: finding.Warning, Since: "0.1",
}

var noBudget = finding.Rule{
	ID: "BUD-01", Name: "no-retry-budget", Title: "retries have no budget",
	Why: `When a server is slow every request fails, so every request is retried: n retries multiply the load by
n + 1 exactly when the server can take least. Above capacity / (n + 1) the retries alone keep it overloaded after
the cause has gone.`,
	Formula: `hidden capacity = capacity / (1 + retries)
error where the peak is above it`,
	Sources:  []string{metastableSource, "B. Beyer et al., Site Reliability Engineering (2016), chapter 22"},
	Bad:      "2 retries without a budget, capacity 1,200/s, peak 950/s: recovers only below 400/s",
	Good:     "2 retries, budget 20% per destination",
	Fix:      "Let clients spend on retries at most a share of their requests, kept per destination and below capacity / peak − 1.",
	Severity: finding.Warning, Since: "0.1",
}

var budgetShared = finding.Rule{
	ID: "BUD-03", Name: "shared-retry-budget", Title: "one retry budget covers several destinations",
	Why: `Requests are retried where they fail. When one destination of many is in trouble, nearly all retries go
there, and a budget that is small over all of them is large for that one. FollowFeed's 2.5% over 40 groups of hosts
could double the load of a single group.`,
	Formula: `load of one destination = peak × (1 + budget × destinations)
error where that is over the capacity (its low end)`,
	Sources:  []string{followFeedSource + "; the limit of retries became one per host", metastableSource},
	Bad:      "budget 2.5% over 40 groups: +100% on one",
	Good:     "budget 20% for each destination, peak 950/s, capacity 1,200/s",
	Fix:      "Keep the budget per destination, below capacity / peak − 1.",
	Severity: finding.Warning, Since: "0.1",
}

var budgetOverHeadroom = finding.Rule{
	ID: "BUD-04", Name: "budget-over-headroom", Title: "the retry budget is larger than the headroom",
	Why: `A budget bounds the load that retries may add. When even that bound lifts the peak over the capacity, a
short fault at the peak can turn into an overload that feeds itself.`,
	Formula:  `found where peak × (1 + budget) > capacity (its low end)`,
	Sources:  []string{metastableSource},
	Bad:      "budget 50%, peak 950/s: 1,425/s over 1,200/s",
	Good:     "budget 20%, peak 950/s: 1,140/s",
	Fix:      "Set the budget to at most capacity / peak − 1.",
	Severity: finding.Warning, Since: "0.1",
}
