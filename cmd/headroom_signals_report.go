package cmd

import (
	"fmt"
	"math"

	"example.com/kneeline/analyze/headroom"
	"example.com/kneeline/internal/report"
	"example.com/kneeline/internal/units"
)

// signalsBlock is what the service said of itself.
func signalsBlock(res *headroom.Result) report.Block {
	if len(res.MetricChecks) == 0 && res.StoppedBy == nil {
		return nil
	}
	kv := report.KeyValues{Caption: "What the service says of itself"}
	if s := res.StoppedBy; s != nil {
		kv.Items = append(kv.Items, report.KeyValue{Key: "ended the load", Value: "after " + units.Seconds(s.AtSeconds), Level: report.Warn,
			Note: s.Found + "; watched for " + s.Condition})
	}
	for i := range res.MetricChecks {
		kv.Items = append(kv.Items, metricRow(&res.MetricChecks[i]))
	}
	return kv
}

// metricRow holds one count of the service's against ours.
func metricRow(c *headroom.MetricCheck) report.KeyValue {
	ours := units.Count(c.OursLow)
	if c.OursHigh != c.OursLow {
		ours += " to " + units.Count(c.OursHigh)
	}
	item := report.KeyValue{Key: c.Metric, Note: fmt.Sprintf("ours of %s: %s", c.Counts, ours)}
	switch {
	case c.Error != "":
		item.Value, item.Level = "not known", report.Warn
		item.Note += "; " + c.Error
	case c.Increase == nil:
		item.Value, item.Level = "not known", report.Warn
		item.Note += "; its values are no numbers"
	default:
		item.Value = "+" + units.Count(uint64(max(0, math.Round(*c.Increase))))
		if c.Agrees != nil && !*c.Agrees {
			item.Level = report.Bad
			if c.Ratio != nil {
				item.Note += fmt.Sprintf("; it counts %.3g times as many", *c.Ratio)
			}
		} else {
			item.Note += "; it agrees"
		}
		if c.Restarts > 0 {
			item.Note += "; it began again while it was measured"
		}
	}
	return item
}
