// Package src06 finds Java code: a thread pool whose queue is long or has no end.
package src06

import (
	"fmt"

	"example.com/kneeline/analyze/lint/model"
	"example.com/kneeline/analyze/lint/rule"
	"example.com/kneeline/internal/finding"
	"example.com/kneeline/internal/units"
)

// long is from which length on a queue is worth a word where no capacity is known.
const long = 1000

// Rule is SRC-06.
var Rule = rule.Rule{
	Rule: finding.Rule{
		ID: "SRC-06", Name: "pool-queue-literal", Severity: finding.Warning, Since: "0.1",
		Title: "a thread pool's queue is long or has no end",
		Why: `A queue that is made in code is in no configuration, and nobody sizes it. LinkedBlockingQueue without a length, which is what
Executors.newFixedThreadPool makes, grows until memory is gone; one of ten thousand holds requests for longer than anybody waits. With a queue
without an end a ThreadPoolExecutor never makes more than its core threads either: its maximum has no effect.`,
		Formula: `found: no length, or a length of 1,000 or more
useful = capacity × the callers' wait; with a topology QUE-01 computes it`,
		Sources: []string{
			"java.util.concurrent.ThreadPoolExecutor, Queuing: unbounded queues and maximumPoolSize",
			"java.util.concurrent.Executors.newFixedThreadPool: a shared unbounded queue",
			"LinkedIn Engineering, FollowFeed 2018-02: a queue of 5,000 where 480 were of use",
		},
		Bad:  "new ThreadPoolExecutor(8, 64, 60, SECONDS, new LinkedBlockingQueue<>())",
		Good: "new ThreadPoolExecutor(64, 64, 60, SECONDS, new ArrayBlockingQueue<>(400), new AbortPolicy())",
		Fix:  "Give the queue the length that can be answered in time, and refuse the rest; 'kneeline queuesize' computes it.",
	},
	Needs: rule.Config,
	Check: check,
}

func check(p *rule.Pass) {
	for _, d := range p.Graph.Documents {
		for _, c := range d.Code {
			q := c.Queue
			if c.Kind != model.PoolQueue || !q.Known() || !(q.Amount >= long) {
				continue
			}
			message := fmt.Sprintf("the queue of %s%s holds %s", c.What, c.Place(), q)
			formula := fmt.Sprintf("at 1,000/s the last of %s waits %s", q, units.Seconds(q.Amount/1000))
			if q.Unlimited() {
				message = fmt.Sprintf("the queue of %s%s has no end", c.What, c.Place())
				formula = "length = arrivals − capacity, each second, without end"
			}
			p.Report(c.At, c.In, c.What, message).Because(q).Formula("%s", formula).
				Fix("give the queue capacity × the callers' wait, less the threads: new ArrayBlockingQueue<>(400) for 1,200/s and 400ms, and refuse the rest")
		}
	}
}
