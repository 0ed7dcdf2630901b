package cmd

import (
	"github.com/spf13/cobra"

	"example.com/kneeline/analyze/gc"
	"example.com/kneeline/analyze/headroom"
	"example.com/kneeline/analyze/lint/catalog"
	"example.com/kneeline/analyze/pending"
	"example.com/kneeline/analyze/pending/goproc"
	"example.com/kneeline/analyze/queue"
	"example.com/kneeline/internal/finding"
)

// commands are all subcommands, in no particular order: help groups and sorts
// them.
func commands(a *app) []*cobra.Command {
	return []*cobra.Command{
		newHeadroom(a),
		newTarget(a),
		newQueuesize(a),
		newGC(a),
		newHeap(a),
		newLint(a),
		newExplain(a),
		newRules(a),
		newConfig(a),
		newVersion(a),
	}
}

// allRules are the rules of every analysis. A new analysis with findings adds
// its Rules here; nothing registers itself.
func allRules() (*finding.Registry, error) {
	return finding.NewRegistry(
		headroom.Rules(),
		headroom.SignalRules(),
		queue.Rules(),
		gc.Rules(),
		pending.Rules(),
		goproc.Rules(),
		rulePages(catalog.All()),
	)
}
