package cmd

import (
	"bufio"
	"strconv"
	"strings"

	"example.com/kneeline/internal/meta"
)

// metric is one metric of the Prometheus text format: all its samples stand
// together under its help and type.
type metric struct {
	name, kind, help string
	samples          []sample
}

type sample struct {
	suffix string
	labels []string // name, value, name, value…
	value  float64
}

// metrics collects samples by metric, in the order of their first sample. The
// names begin with the program's and the prefix.
type metrics struct {
	prefix string
	all    []*metric
}

func (m *metrics) metric(name, kind, help string) *metric {
	name = meta.Name + "_" + m.prefix + "_" + name
	for _, x := range m.all {
		if x.name == name {
			return x
		}
	}
	x := &metric{name: name, kind: kind, help: help}
	m.all = append(m.all, x)
	return x
}

// gauge adds a sample of a gauge. What was read or measured once is no counter:
// the next time gives another value, up or down.
func (m *metrics) gauge(name, help string, value float64, labels ...string) {
	x := m.metric(name, "gauge", help)
	x.samples = append(x.samples, sample{labels: labels, value: value})
}

// write writes all metrics in the text format.
func (m *metrics) write(b *bufio.Writer) {
	for _, x := range m.all {
		b.WriteString("# HELP " + x.name + " " + helpEscaper.Replace(x.help) + "\n# TYPE " + x.name + " " + x.kind + "\n")
		for _, s := range x.samples {
			b.WriteString(x.name + s.suffix + "{")
			for i := 0; i+1 < len(s.labels); i += 2 {
				if i > 0 {
					b.WriteByte(',')
				}
				b.WriteString(s.labels[i] + `="` + labelEscaper.Replace(s.labels[i+1]) + `"`)
			}
			b.WriteString("} " + strconv.FormatFloat(s.value, 'g', -1, 64) + "\n")
		}
	}
}

// labelEscaper escapes the value of a label, helpEscaper the text of a help line.
var (
	labelEscaper = strings.NewReplacer(`\`, `\\`, "\n", `\n`, `"`, `\"`)
	helpEscaper  = strings.NewReplacer(`\`, `\\`, "\n", `\n`)
)
