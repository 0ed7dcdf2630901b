package cmd

import (
	"errors"
	"fmt"

	"example.com/kneeline/analyze/pending"
	"example.com/kneeline/analyze/pending/fleet"
	"example.com/kneeline/analyze/pending/gate"
	"example.com/kneeline/internal/fault"
	"example.com/kneeline/internal/finding"
	"example.com/kneeline/internal/report"
	"example.com/kneeline/internal/units"
)

// gateValue writes a figure of a gate in its unit.
func gateValue(g pending.Gate, v float64) string {
	switch g.Unit {
	case gate.Severity:
		return finding.Severity(v).String()
	case gate.Requests:
		return units.Count(int64(v))
	}
	return units.Number(v)
}

func gateWords(g pending.Gate) string { return g.Name + " " + gateValue(g, g.Limit) }

// foundWords is what a gate found; empty where it found nothing.
func foundWords(g pending.Gate) string {
	if g.Value == nil {
		return ""
	}
	found := "found " + gateValue(g, *g.Value)
	if g.Unit == gate.Severity && *g.Value == 0 {
		found = "found no finding"
	}
	return found
}

// heapGateBlocks say how the gates of one heap were decided.
func heapGateBlocks(gates []pending.Gate) []report.Block {
	if len(gates) == 0 {
		return nil
	}
	kv := report.KeyValues{Caption: "Gates"}
	for _, g := range gates {
		kv.Items = append(kv.Items, gateItem(g))
	}
	return []report.Block{kv}
}

func gateItem(g pending.Gate) report.KeyValue {
	item := report.KeyValue{Key: gateWords(g), Value: "pass", Level: report.Good, Note: foundWords(g)}
	switch {
	case g.Value == nil:
		item.Value, item.Level, item.Note = "cannot tell", report.Warn, "the input cannot decide it"
	case !g.Passed:
		item.Value, item.Level = "fail", report.Bad
	}
	return item
}

// heapGateErrors are the gates that failed, and those that nothing could decide.
func heapGateErrors(gates []pending.Gate) error {
	var errs []error
	for _, g := range gates {
		switch {
		case g.Value == nil:
			errs = append(errs, fault.NoAnswerf("gate %s: the input cannot tell", gateWords(g)))
		case !g.Passed:
			errs = append(errs, fault.Gatef("gate failed: %s: %s", gateWords(g), foundWords(g)))
		}
	}
	return errors.Join(errs...)
}

// fleetGate is one gate over all heaps: the first heap that fails, else the first
// that cannot tell, else the first of all; heaps come with the worst first.
type fleetGate struct {
	pending.Gate
	heap              string
	failed, undecided int
}

func fleetGates(rows []fleet.Row) []fleetGate {
	var out []fleetGate
	for _, row := range rows {
		for i, g := range row.Gates {
			if i == len(out) {
				out = append(out, fleetGate{Gate: g, heap: row.Name})
			}
			all := &out[i]
			switch {
			case g.Value == nil:
				if all.undecided++; all.undecided == 1 && all.failed == 0 {
					all.Gate, all.heap = g, row.Name
				}
			case !g.Passed:
				if all.failed++; all.failed == 1 {
					all.Gate, all.heap = g, row.Name
				}
			}
		}
	}
	return out
}

// fleetGateBlocks say how the gates were decided over all heaps.
func fleetGateBlocks(rows []fleet.Row) []report.Block {
	kv := report.KeyValues{Caption: "Gates"}
	for _, g := range fleetGates(rows) {
		item := gateItem(g.Gate)
		switch {
		case g.failed > 0:
			item.Note += fmt.Sprintf(" in %s; %s of %s fail", g.heap, units.Count(g.failed), units.Count(len(rows)))
		case g.undecided > 0:
			item.Note = fmt.Sprintf("%s cannot decide it, such as %s", counted(g.undecided, "heap", "heaps"), g.heap)
		default:
			item.Note = "in all heaps"
		}
		kv.Items = append(kv.Items, item)
	}
	if len(kv.Items) == 0 {
		return nil
	}
	return []report.Block{kv}
}

// fleetGateErrors are the gates that failed in a heap or more, and those that a
// heap or more could not decide.
func fleetGateErrors(rows []fleet.Row) error {
	var errs []error
	for _, g := range fleetGates(rows) {
		if g.failed > 0 {
			text := fmt.Sprintf("gate failed: %s: %s in %s", gateWords(g.Gate), foundWords(g.Gate), g.heap)
			if g.failed > 1 {
				text += fmt.Sprintf(" and in %s", counted(g.failed-1, "other heap", "other heaps"))
			}
			errs = append(errs, fault.Gatef("%s", text))
		}
		if g.undecided > 0 {
			errs = append(errs, fault.NoAnswerf("gate %s: %s", gateWords(g.Gate), counted(g.undecided, "heap cannot tell", "heaps cannot tell")))
		}
	}
	return errors.Join(errs...)
}
