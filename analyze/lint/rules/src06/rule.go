// Package src06 finds Java code: pools of threads whose numbers hold nothing back.
package src06

import (
	"fmt"

	"example.com/kneeline/analyze/lint/model"
	"example.com/kneeline/analyze/lint/rule"
	"example.com/kneeline/analyze/lint/worst"
	"example.com/kneeline/internal/finding"
	"example.com/kneeline/internal/units"
)

// rate is a moderate rate of tasks, per second, by which the wait in a queue is told where
// no capacity is known.
const rate = 1000

// Rule is SRC-06.
var Rule = rule.Rule{
	Rule: finding.Rule{
		ID: "SRC-06", Name: "java-pool-literals", Severity: finding.Warning, Since: "0.1",
		Title: "a Java pool of threads is limited too late, or not at all",
		Why: `A queue that is made in code is in no configuration, and nobody sizes it: one of ten thousand holds requests for longer than anybody
waits. A ThreadPoolExecutor starts more threads than its core only when its queue is full, so that over a queue without a limit its maximum is
never reached, and over a long one not before all in it wait. A cached pool starts a thread for each task that finds none free: in an overload,
one for each request that waits.`,
		Formula: `found: a length of 1,000 or more, which QUE-01 judges where a topology tells the capacity
found: maximum > core over a queue without a limit, which is QUE-04
found: a pool without a limit of threads
length = capacity × the callers' wait; threads = rate × time of a task`,
		Sources: []string{
			"java.util.concurrent.ThreadPoolExecutor, Queuing: over an unbounded queue the value of maximumPoolSize has no effect",
			"java.util.concurrent.Executors.newCachedThreadPool: a maximum of Integer.MAX_VALUE over a SynchronousQueue",
			"LinkedIn Engineering, FollowFeed 2018-02: a queue of 5,000 where 480 were of use",
		},
		Bad:  "new ThreadPoolExecutor(8, 64, 60, SECONDS, new LinkedBlockingQueue<>())   // 8 threads, never 64",
		Good: "new ThreadPoolExecutor(64, 64, 60, SECONDS, new ArrayBlockingQueue<>(400), new AbortPolicy())",
		Fix:  "Give the queue the length that can be answered in time and refuse the rest; 'kneeline queuesize' computes it. Set core and maximum to the same number.",
	},
	Needs: rule.Config | rule.Defaults,
	Check: check,
	Chain: checkChain,
}

func check(p *rule.Pass) {
	for _, d := range p.Graph.Documents {
		for _, c := range d.Code {
			switch c.Kind {
			case model.PoolLongQueue:
				p.Report(c.At, c.What, c.Size.Key, fmt.Sprintf("the queue of %s holds %s: at %s/s the last of a full one waits %s", c.What, c.Size, units.Number(rate), worst.Text(c.Size.Amount/rate))).
					Because(c.Size).Formula("%s / %s/s = %s", c.Size, units.Number(rate), worst.Text(c.Size.Amount/rate)).
					Fix("set %s to capacity × the callers' wait, less the threads: 400 at 1,000/s and 400ms; refuse the rest", c.Size.Key)
			case model.PoolNeverGrows:
				p.Report(c.At, c.What, c.Size.Key, fmt.Sprintf("%s never has %s threads: %s", c.What, c.Size, c.Detail)).
					Because(c.Size).Formula("threads over a queue without a limit = core").Fix("%s", c.Fix)
			case model.PoolNoLimit:
				p.Report(c.At, c.What, c.Size.Key, fmt.Sprintf("%s has no limit of threads: %s", c.What, c.Detail)).
					Because(c.Size).Formula("threads = rate × time of a task, which grows with the overload").Fix("%s", c.Fix)
			}
		}
	}
}

// checkChain leaves queues whose capacity is known to QUE-01.
func checkChain(p *rule.Pass) {
	for _, s := range p.Chain().Services {
		if _, _, ok := s.Patience(); !ok || !s.Capacity.Finite() {
			continue
		}
		for _, part := range s.Parts {
			if q := part.Service.Exec.Queue; q.IsSet() {
				p.Overrule(q.At)
			}
		}
	}
}
