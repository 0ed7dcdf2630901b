package topology

import (
	"slices"
	"strings"

	"example.com/kneeline/analyze/lint/model"
	"example.com/kneeline/analyze/lint/tree"
	"example.com/kneeline/internal/nearest"
)

func (f *File) hops(n *tree.Node) {
	if n.Kind != tree.List {
		f.problem(n.At, "hops: expected a list, found %s", kindOf(n))
		f.lost()
		return
	}
	for c := range n.Items() {
		if len(f.Hops) == MaxHops {
			f.problem(c.At, "more than %d hops: the rest is not read", MaxHops)
			return
		}
		f.hop(c)
	}
}

func (f *File) hop(n *tree.Node) {
	h := &Hop{At: plain(n.At)}
	f.object(n, "hop", map[string]take{
		"from":             func(n *tree.Node) { h.From = f.text(n, "from") },
		"to":               func(n *tree.Node) { h.To = f.text(n, "to") },
		"rate":             f.rate(&h.Rate, "rate"),
		"fan":              f.count(&h.Fan, "fan", 1),
		"total":            f.duration(&h.Total, "total"),
		"library_total":    f.duration(&h.LibraryTotal, "library_total"),
		"deadline_carried": f.flag(&h.DeadlineCarried, "deadline_carried"),
		"retry":            func(n *tree.Node) { f.retry(h, n) },
		"budget": func(n *tree.Node) {
			f.object(n, "budget", map[string]take{
				"ratio": f.share(&h.BudgetRatio, "budget.ratio"),
				"scope": func(n *tree.Node) { h.BudgetScope = f.scope(n) },
			})
		},
		"pool": func(n *tree.Node) {
			f.object(n, "pool", map[string]take{
				"min": f.count(&h.PoolMin, "pool.min", 0), "max": f.count(&h.PoolMax, "pool.max", 1),
				"per": func(n *tree.Node) { h.PoolPerPair = f.oneOf(n, "pool.per", "pair", "process") == "pair" },
			})
		},
	})
	if n.Kind != tree.Map {
		return
	}
	if h.From == "" || h.To == "" {
		f.problem(n.At, "hop: expected from and to, found from %q and to %q", clip(h.From), clip(h.To))
		return
	}
	f.Hops = append(f.Hops, h)
}

// retry reads when a call is sent again: by max and after, which hedge, or by tries,
// per_try and backoff, which try again after a failure.
func (f *File) retry(h *Hop, n *tree.Node) {
	f.object(n, "retry", map[string]take{
		"after":   f.duration(&h.HedgeAfter, "retry.after"),
		"max":     f.count(&h.HedgeMax, "retry.max", 0),
		"tries":   f.count(&h.Tries, "retry.tries", 1),
		"per_try": f.duration(&h.PerTry, "retry.per_try"),
		"backoff": f.duration(&h.Backoff, "retry.backoff"),
		"to": func(n *tree.Node) {
			if word := f.oneOf(n, "retry.to", "other-replica", "same-host", "any"); word != "" {
				h.ToOther = model.Value{Key: "retry.to", Raw: n.Text, Text: n.Text, Unit: model.Flag, Origin: model.Set, At: n.At}
				if word == "other-replica" {
					h.ToOther.Amount = 1
				}
			}
		},
	})
	if h.HedgeMax.Known() && !h.HedgeAfter.Known() {
		f.problem(n.At, "retry: max counts second requests of after: expected after with it, or tries for retries after a failure")
	}
}

var scopes = map[string]model.Scope{
	"host": model.PerHost, "cluster": model.PerCluster, "service": model.PerService, "process": model.PerProcess, "global": model.Global,
}

func (f *File) scope(n *tree.Node) model.Scope {
	return scopes[f.oneOf(n, "budget.scope", "host", "cluster", "service", "process", "global")]
}

// AppClient is the word of as for an application's own file.
const AppClient = "app-client"

// layers are the words of as that say where the hops of a file apply.
var layers = map[string]model.Layer{
	"application": model.App, "library": model.Library, "sidecar": model.Sidecar, "gateway": model.Gateway, "balancer": model.Balancer,
}

// as reads what a file counts as: a layer, a format, or a format or a layer with -client
// or -server after it.
func (f *File) as(n *tree.Node) As {
	a := As{Word: f.text(n, "as"), At: plain(n.At)}
	switch word := a.Word; {
	case word == "":
	case word == AppClient:
		a.Keys, a.Client, a.Layer = true, true, model.App
	case word == "server":
		a.Server = true
	default:
		base, client := strings.CutSuffix(word, "-client")
		base, server := strings.CutSuffix(base, "-server")
		a.Client, a.Server = client, server
		if layer, ok := layers[base]; ok {
			a.Layer = layer
			break
		}
		a.Format = base
	}
	return a
}

// CheckFormats finds words of as that are neither a layer nor one of the formats.
func (f *File) CheckFormats(formats []string) {
	words := append([]string{AppClient, "server"}, formats...)
	for word := range layers {
		words = append(words, word)
	}
	for _, s := range f.Services {
		for i := range s.Configs {
			a := &s.Configs[i].As
			if a.Format == "" || slices.Contains(formats, a.Format) {
				continue
			}
			if near, ok := nearest.To(a.Format, words); ok {
				f.problem(a.At, "as: unknown word %q, perhaps %q is meant", clip(a.Word), near)
			} else {
				f.problem(a.At, "as: unknown word %q: expected %s, a layer (application, library, sidecar, gateway, balancer), server or a format that is read", clip(a.Word), AppClient)
			}
			a.Format = ""
		}
	}
}
