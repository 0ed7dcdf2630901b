package cmd

import (
	"bytes"
	"context"
	"net/netip"
	"strings"

	"example.com/kneeline/internal/fault"
	"example.com/kneeline/internal/fetch"
	"example.com/kneeline/internal/heapinput"
	"example.com/kneeline/internal/input"
)

// fetch fetches the profiles of a running service. What could be fetched comes back
// beside the error about the rest.
func (r *heapRun) fetch(ctx context.Context, url string) ([]*heapInput, error) {
	got, err := fetch.Profiles(ctx, url, fetch.Options{Stacks: r.opts.stacks, AllowHost: r.allowHost})
	var inputs []*heapInput
	for _, p := range got {
		in := &heapInput{
			Source:  input.Source{Name: p.Name, Path: p.Name},
			size:    int64(len(p.Data)),
			stream:  bytes.NewReader(p.Data),
			fetched: true,
		}
		if bad := in.sniff(p.Data[:min(len(p.Data), heapHead)]); bad != nil {
			return inputs, bad
		}
		if in.kind != heapinput.Pprof && in.kind != heapinput.GoStacks {
			return inputs, notAProfile(in)
		}
		inputs = append(inputs, in)
	}
	return inputs, err
}

// notAProfile is for a server that answers with something else.
func notAProfile(in *heapInput) error {
	return fault.NoAnswerf("%s: expected a profile of pprof, found %s", in.Name, in.kind.Title())
}

// allowHost lets fetching go to a host that is not this machine, when --allow-host
// names it.
func (r *heapRun) allowHost(host string, addr netip.Addr) bool {
	for _, h := range r.opts.allowHosts {
		if strings.EqualFold(h, host) || h == addr.String() {
			return true
		}
	}
	return false
}
