package report

import (
	"fmt"
	"math"
	"time"

	"example.com/kneeline/internal/finding"
	"example.com/kneeline/internal/units"
)

// ms writes seconds as milliseconds.
func ms(v float64) string { return units.Number(math.Round(v*1e4)/10) + " ms" }

func perSecond(v float64) string { return units.Number(v) + "/s" }

// sample is a report like that of the headroom command on the demo service.
func sample() *Report {
	latency := Plot{
		Title: "Latency against offered load",
		X:     Axis{Title: "offered load", Unit: "requests/s"},
		Y:     Axis{Title: "response time", Format: ms, Log: true},
		Marks: []Mark{
			{Dir: Vertical, At: 1188, Label: "capacity 1,188/s", Level: Good},
			{Dir: Vertical, At: 800, Label: "peak 800/s"},
			{Dir: Horizontal, At: 0.4, Label: "limit 400 ms", Level: Bad},
		},
		Bands: []Band{{From: 1171, To: 1203, Label: "95 % interval"}},
	}
	p50, p99 := Series{Name: "p50"}, Series{Name: "p99"}
	for _, rate := range []float64{100, 200, 400, 600, 800, 900, 1000, 1050, 1100, 1130, 1150, 1170, 1180, 1190} {
		rho := rate / 1200
		p50.Points = append(p50.Points, Point{rate, 0.007 + 0.0006/(1-rho)})
		p99.Points = append(p99.Points, Point{rate, 0.046 + 0.0031/(1-rho)})
	}
	latency.Series = []Series{p50, p99}

	goodput := Plot{
		Title: "Goodput against offered load",
		X:     Axis{Title: "offered load", Unit: "requests/s"},
		Y:     Axis{Title: "goodput", Unit: "requests/s"},
		Marks: []Mark{{Dir: Vertical, At: 1188, Label: "capacity 1,188/s", Level: Good}},
	}
	queue5000, offered := Series{Name: "goodput"}, Series{Name: "offered"}
	for _, rate := range []float64{0, 200, 400, 600, 800, 1000, 1100, 1188, 1250, 1300, 1400, 1544} {
		good := min(rate, 1188)
		if rate > 1188 {
			good = 1188 * math.Exp(-(rate-1188)/40)
		}
		queue5000.Points = append(queue5000.Points, Point{rate, max(good, 24)})
		offered.Points = append(offered.Points, Point{rate, rate})
	}
	queue5000.Points[0].Y = 0
	goodput.Series = []Series{queue5000, offered}

	trials := Table{
		Caption: "Trials",
		Columns: []Column{{"phase", Left}, {"offered", Right}, {"for", Right}, {"p50", Right}, {"p99", Right}, {"late", Right}, {"goodput by second", Left}, {"verdict", Left}},
	}
	for i, row := range []struct {
		phase   string
		rate    float64
		late    string
		verdict Cell
	}{
		{"search", 600, "0.00 %", Cell{Text: "holds", Level: Good}},
		{"search", 1200, "4.10 %", Cell{Text: "fails: late", Level: Bad}},
		{"search", 1100, "0.02 %", Cell{Text: "void: generator late", Level: Warn}},
		{"search", 1150, "0.31 %", Cell{Text: "holds", Level: Good}},
		{"overload", 1544, "98.4 %", Cell{Text: "collapses", Level: Bad}},
		{"recovery", 950, "61.0 %", Cell{Text: "recovers after 8 s", Level: Warn}},
	} {
		spark := make([]float64, 12)
		for k := range spark {
			spark[k] = row.rate * (1 + 0.1*math.Sin(float64(i*k)))
			if row.phase == "overload" {
				spark[k] = 1188 * math.Exp(-float64(k)/2)
			}
		}
		trials.Rows = append(trials.Rows, []Cell{
			Txt(row.phase), Txt(perSecond(row.rate)), Txt((time.Duration(5+i) * time.Second).String()),
			Txt(fmt.Sprintf("%d ms", 7+i)), Txt(fmt.Sprintf("%d ms", 48+40*i)), Txt(row.late),
			{Spark: spark}, row.verdict,
		})
	}

	return &Report{
		Title:   "Headroom of the demo service at 127.0.0.1:43121",
		Command: "kneeline headroom --peak 800/s",
		Verdict: Verdict{
			Text:  "capacity 1,188/s (95 % interval 1,171 to 1,203/s) at p99 < 400 ms; goodput collapses to 0.02 of capacity past it; set the queue to 402, not 5,000",
			Level: Bad,
		},
		Blocks: []Block{
			KeyValues{Items: []KeyValue{
				{Key: "capacity", Value: "1,188/s", Note: "95 % interval 1,171 to 1,203/s; safe 1,171/s"},
				{Key: "headroom over the peak of 800/s", Value: "+46 %", Note: "safe capacity / peak − 1", Level: Good},
				{Key: "goodput at 1.3 × capacity", Value: "24/s", Note: "0.02 of capacity: collapses", Level: Bad},
				{Key: "recovery at 0.8 × capacity", Value: "8.2 s", Level: Warn},
				{Key: "bound by", Value: "latency (p99 < 400 ms)"},
			}},
			Heading{"Evidence"},
			latency,
			goodput,
			Bars{
				Title: "What became of the offered load",
				Value: Axis{Title: "goodput", Unit: "requests/s"},
				Label: "phase",
				Items: []Bar{
					{Label: "at peak", Value: 799, Note: "all in time", Level: Good},
					{Label: "at capacity", Value: 1176, Note: "0.99 in time", Level: Good},
					{Label: "1.3 × capacity", Value: 24, Note: "1,520/s timed out", Level: Bad},
					{Label: "back at 0.8 ×", Value: 948, Note: "after 8.2 s", Level: Warn},
				},
				Mark: &Mark{At: 1188, Label: "capacity"},
			},
			trials,
			Findings{Caption: "Findings", Findings: []finding.Finding{
				{Rule: "LOD-02", Severity: finding.Error, Message: "goodput falls to 0.02 of capacity at 1.3 × capacity",
					Location:    finding.Location{Object: "demo service"},
					Evidence:    []finding.Evidence{{Name: "queue", Value: "5,000, drained in 4.2 s at capacity"}, {Name: "client timeout", Value: "400 ms"}},
					Remediation: "set the queue to 402, or drop expired requests when they leave it", Fingerprint: "0123456789abcdef"},
				{Rule: "LOD-05", Severity: finding.Warning, Message: "the service takes 8.2 s to recover at 0.8 × capacity",
					Location: finding.Location{Span: "62s-70s"}, Fingerprint: "fedcba9876543210"},
			}},
			Heading{"What to change"},
			Settings{Items: []Setting{
				{Name: "queue", Value: "402", From: "5,000", Why: "A request behind more than 402 others has waited longer than the 400 ms its client waits, so every answer past that is work for nobody.",
					Code: "kneeline headroom --demo queue=402", Lang: "sh"},
				{Name: "server.tomcat.accept-count", Value: "402", Why: "The same in a Spring Boot service.", Code: "server:\n  tomcat:\n    accept-count: 402\n", Lang: "yaml"},
			}},
		},
		Notes: []string{
			"One trial is void: the generator sent 1.2 % of its requests late. It was repeated.",
			"Capacity is the highest rate of Poisson arrivals at which p99 < 400 ms and errors < 1 % hold in steady state. The interval is of this run on this machine; another day or machine is not in it.",
		},
	}
}
