package sysctl

import (
	"fmt"
	"strconv"
	"strings"

	"example.com/kneeline/analyze/lint/model"
	"example.com/kneeline/analyze/lint/read"
	"example.com/kneeline/internal/nearest"
)

// product is the name in the table of defaults.
const product = "linux"

// settings are those that are read, with what they count.
var settings = map[string]model.Unit{
	"net.core.somaxconn":                 model.Count,
	"net.core.netdev_max_backlog":        model.Count,
	"net.ipv4.tcp_max_syn_backlog":       model.Count,
	"net.ipv4.tcp_abort_on_overflow":     model.Flag,
	"net.ipv4.tcp_syncookies":            model.Count,
	"net.ipv4.tcp_syn_retries":           model.Count,
	"net.ipv4.tcp_synack_retries":        model.Count,
	"net.ipv4.tcp_retries1":              model.Count,
	"net.ipv4.tcp_retries2":              model.Count,
	"net.ipv4.tcp_orphan_retries":        model.Count,
	"net.ipv4.tcp_keepalive_time":        model.Seconds,
	"net.ipv4.tcp_keepalive_intvl":       model.Seconds,
	"net.ipv4.tcp_keepalive_probes":      model.Count,
	"net.ipv4.tcp_fin_timeout":           model.Seconds,
	"net.ipv4.tcp_tw_reuse":              model.Count,
	"net.ipv4.tcp_max_tw_buckets":        model.Count,
	"net.ipv4.tcp_max_orphans":           model.Count,
	"net.unix.max_dgram_qlen":            model.Count,
	"net.ipv4.tcp_slow_start_after_idle": model.Flag,
}

// names are the settings as a list, others real ones that are near to them.
var names = namesOf("net.ipv4.tcp_frto", "net.ipv4.tcp_retrans_collapse", "net.ipv4.tcp_reordering", "net.core.netdev_budget", "net.core.optmem_max",
	"net.ipv4.tcp_timestamps", "net.ipv4.tcp_tw_recycle", "net.ipv4.tcp_fastopen", "net.ipv4.tcp_max_reordering", "net.ipv4.tcp_mem")

func namesOf(others ...string) []string {
	out := others
	for name := range settings {
		out = append(out, name)
	}
	return out
}

// builder fills one document.
type builder struct {
	in  *read.Input
	doc *model.Document
	svc *model.Service
}

func newBuilder(in *read.Input, name string, at model.Position) *builder {
	return &builder{
		in:  in,
		doc: &model.Document{File: in.Name, Line: max(at.Line, 1), Format: "sysctl", Product: product},
		svc: &model.Service{Name: name, At: at, Kernel: map[string]model.Value{}},
	}
}

// dotted is a setting's name with dots, as most write it: net/ipv4/tcp_syncookies is
// the same. Slashes are dots if the first separator is a slash.
func dotted(name string) string {
	if i := strings.IndexAny(name, "./"); i >= 0 && name[i] == '/' {
		return strings.ReplaceAll(name, "/", ".")
	}
	return name
}

// set takes one setting.
func (b *builder) set(name string, v model.Value, key model.Position) {
	name = dotted(strings.TrimSpace(name))
	unit, known := settings[name]
	if !known {
		if near, ok := nearest.To(name, names); ok && near != name && nearest.Distance(name, near) <= 2 && settings[near] != model.None {
			b.doc.Unknown = append(b.doc.Unknown, model.UnknownKey{Key: name, In: "sysctl", Nearest: near, At: key})
		}
		return
	}
	v.Key, v.Unit = name, unit
	if v.IsHole() {
		b.doc.Holes = append(b.doc.Holes, v)
		b.svc.Kernel[name] = v
		return
	}
	n, err := strconv.ParseInt(strings.TrimSpace(v.Text), 0, 64)
	if err != nil {
		b.doc.Rejected = append(b.doc.Rejected, model.Rejection{
			Why: fmt.Sprintf("the kernel refuses %q for %s: it takes a whole number", v.Raw, name), Fix: name + " = a whole number", At: v.At,
		})
		return
	}
	if v.Amount = float64(n); unit == model.Flag && n != 0 {
		v.Amount = 1
	}
	if old, twice := b.svc.Kernel[name]; twice && old.IsSet() {
		b.svc.Doubles = append(b.svc.Doubles, [2]model.Value{v, old})
	}
	b.svc.Kernel[name] = v
}

// document returns what was found, with the kernel's defaults for the rest of what
// belongs to it; nil for nothing.
func (b *builder) document() []*model.Document {
	if len(b.svc.Kernel) == 0 && len(b.doc.Unknown) == 0 && len(b.doc.Rejected) == 0 {
		return nil
	}
	for name := range settings {
		if _, have := b.svc.Kernel[name]; have {
			continue
		}
		if v := b.in.Defaults.Lookup(product, name, b.svc.At); v.Present() {
			b.svc.Kernel[name] = v
		}
	}
	b.doc.Services = append(b.doc.Services, b.svc)
	return []*model.Document{b.doc}
}
