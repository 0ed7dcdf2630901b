package link

import (
	"net"
	"net/url"
	"slices"
	"strings"

	"example.com/kneeline/analyze/lint/chain"
	"example.com/kneeline/analyze/lint/topology"
)

// directory finds services by the names that files call them by.
type directory struct {
	byName map[string]*chain.Service
}

func newDirectory() *directory { return &directory{byName: map[string]*chain.Service{}} }

// add makes a service known by a name; the first service of a name keeps it.
func (d *directory) add(name string, s *chain.Service) {
	for _, n := range forms(name) {
		if _, taken := d.byName[n]; n != "" && !taken {
			d.byName[n] = s
		}
	}
}

// set makes a name that of a service whatever else it may be taken for, or with nil that
// of one that the topology does not have. A name that the topology gives stays.
func (d *directory) set(name string, s *chain.Service) {
	name = strings.ToLower(name)
	if d.byName[name] == nil {
		d.byName[name] = s
	}
}

func (d *directory) addAll(s *chain.Service, of *topology.Service) {
	d.add(of.Name, s)
	for _, n := range of.Names {
		d.add(n, s)
	}
}

// find returns the service that a file means by a target: a name, an address, a URL or a
// host inside of a cluster. It returns nil where no service is called so.
func (d *directory) find(target string) *chain.Service {
	for _, n := range forms(target) {
		if s, ok := d.byName[n]; ok {
			return s
		}
	}
	return nil
}

// findAll is find for a target that lists several, separated by commas.
func (d *directory) findAll(target string) []*chain.Service {
	var out []*chain.Service
	for _, one := range strings.Split(target, ",") {
		if s := d.find(one); s != nil && !slices.Contains(out, s) {
			out = append(out, s)
		}
	}
	return out
}

// forms are the ways to look a name up, the most exact first: as it stands, its host, and
// the first part of a host inside of a cluster.
func forms(text string) []string {
	text = strings.ToLower(strings.TrimSpace(text))
	out := []string{text}
	host := text
	if strings.Contains(host, "://") {
		if u, err := url.Parse(host); err == nil {
			host = u.Host
			if host == "" { // dns:///host of gRPC
				host = u.Path
			}
		}
	}
	for _, prefix := range []string{"dns:", "outbound|", "inbound|"} { // gRPC targets, Envoy's names for Istio's clusters
		host = strings.TrimPrefix(host, prefix)
	}
	if i := strings.LastIndexByte(host, '|'); i >= 0 {
		host = host[i+1:]
	}
	host = strings.TrimLeft(host, "/")
	if i := strings.IndexByte(host, '/'); i >= 0 {
		host = host[:i]
	}
	if h, _, err := net.SplitHostPort(host); err == nil {
		host = h
	}
	if host != text {
		out = append(out, host)
	}
	// A service of Kubernetes: name.namespace.svc.cluster.local and its shorter forms.
	if first, rest, ok := strings.Cut(host, "."); ok && net.ParseIP(host) == nil {
		namespace, _, full := strings.Cut(rest+".", ".svc.")
		if full && namespace != rest {
			out = append(out, first+"."+namespace)
		}
		if full || !strings.Contains(rest, ".") && !topLevel(rest) {
			out = append(out, first)
		}
	}
	if base, ok := strings.CutSuffix(text, "-svc"); ok {
		out = append(out, base)
	}
	return out
}

// topLevel reports whether the last part of a host of two is one of the Internet's, and no
// namespace: a code of a country, or one of those that most names have and hardly any
// namespace does.
func topLevel(part string) bool {
	switch part {
	case "com", "net", "org", "edu", "gov", "mil", "int", "info", "biz", "cloud", "tech", "xyz", "online":
		return true
	}
	return len(part) <= 2
}

// objectName is the name of an object as its reader titles it, such as "Deployment
// storage" or "service storage", without what it is.
func objectName(title string) string {
	fields := strings.Fields(title)
	if len(fields) == 0 {
		return ""
	}
	for i := len(fields) - 1; i >= 0; i-- {
		if f := strings.Trim(fields[i], `"`); f != "" {
			if i := strings.LastIndexByte(f, '/'); i >= 0 {
				f = f[i+1:]
			}
			return f
		}
	}
	return ""
}
