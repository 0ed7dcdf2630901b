package link

import (
	"cmp"
	"fmt"
	"net"
	"path"
	"slices"
	"strings"

	"example.com/kneeline/analyze/lint/model"
)

// guessed is a service that files name, or that a file is of.
type guessed struct {
	name     string
	replicas model.Value
	configs  []string
	// names are what files call it, where that is not its name.
	names []string
	// why says where the name is from, for one that no file sets.
	why string
}

// guessedHop is a hop that an object of a file tells of.
type guessedHop struct {
	from, to string
	object   string
	at       model.Position
}

// guesser concludes services and hops from files alone.
type guesser struct {
	*facts
	services map[string]*guessed
	hops     map[[2]string]guessedHop
	// stems are the names that a file gives its program where nothing else does.
	stems map[string]string
}

// policies are formats whose objects say how others are called, wherever they stand.
var policies = map[string]bool{
	"istio": true, "linkerd": true, "gateway-api": true, "consul": true, "flagger": true, "contour": true, "envoy-gateway": true, "grpc-service-config": true, "grpc": true, "workload": true, "kubernetes": true,
}

// guess goes over all documents twice: whose they are, then whom they call.
func guess(documents []*model.Document, all []Fact) *guesser {
	g := &guesser{facts: gather(all), services: map[string]*guessed{}, hops: map[[2]string]guessedHop{}, stems: stems(documents)}
	for _, f := range all {
		if f.Kind == Runs {
			g.service(f.Name).configs = add(g.service(f.Name).configs, f.At.File)
		}
	}
	for _, d := range documents {
		for _, s := range d.Services {
			if known := g.services[objectName(s.Name)]; known != nil && s.Replicas.IsSet() {
				known.replicas = s.Replicas
			}
		}
		if owner := g.ownerOf(d); owner != "" {
			g.service(owner).configs = add(g.service(owner).configs, d.File)
		}
	}
	for _, d := range documents {
		for _, h := range d.Hops {
			g.hop(d, h)
		}
	}
	return g
}

func add(list []string, s string) []string {
	if s == "" || slices.Contains(list, s) {
		return list
	}
	return append(list, s)
}

func (g *guesser) service(name string) *guessed {
	s := g.services[name]
	if s == nil {
		s = &guessed{name: name}
		g.services[name] = s
	}
	return s
}

// ownerOf is the program that a document is of; empty for what says how others call.
func (g *guesser) ownerOf(d *model.Document) string {
	if owner := g.owner(d); owner != "" {
		return owner
	}
	if policies[d.Format] || len(d.Hops)+len(d.Services) == 0 {
		return ""
	}
	return g.stems[d.File]
}

// stems names files: by the directory where files of several have one each, otherwise by
// the file's own name.
func stems(documents []*model.Document) map[string]string {
	out := map[string]string{}
	for _, d := range documents {
		dir := path.Base(path.Dir(path.Clean(d.File)))
		base := path.Base(d.File)
		if i := strings.IndexByte(base, '.'); i > 0 {
			base = base[:i]
		}
		switch dir {
		case ".", "/", "config", "conf", "etc", "resources", "src", "conf.d", "deploy", "k8s", "manifests", "templates":
			out[d.File] = slug(base)
		default:
			out[d.File] = slug(dir)
		}
	}
	return out
}

// slug is a name as services have them.
func slug(text string) string {
	var b strings.Builder
	for _, r := range strings.ToLower(text) {
		switch {
		case r >= 'a' && r <= 'z', r >= '0' && r <= '9', r == '-', r == '_':
			b.WriteRune(r)
		default:
			b.WriteByte('-')
		}
	}
	return strings.Trim(b.String(), "-")
}

// hop takes whom an object calls. A policy is no call: it is of the service that it names.
func (g *guesser) hop(d *model.Document, h *model.Hop) {
	from := g.ownerOf(d)
	for _, target := range strings.Split(h.To, ",") {
		for _, name := range g.resolve(d.File, target) {
			if name == "" || name == from {
				continue
			}
			if from == "" {
				s := g.service(name)
				s.configs = add(s.configs, d.File)
				s.why = or(s.why, place(h))
				continue
			}
			to := g.service(name)
			to.why = or(to.why, place(h))
			key := [2]string{from, name}
			if old, ok := g.hops[key]; !ok || before(h.At, old.at) {
				g.hops[key] = guessedHop{from: from, to: name, object: h.Name, at: h.At}
			}
		}
	}
}

func place(h *model.Hop) string { return fmt.Sprintf("%s in %s:%d", h.Name, h.At.File, h.At.Line) }

func or(a, b string) string {
	if a != "" {
		return a
	}
	return b
}

func before(a, b model.Position) bool {
	return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line)) < 0
}

// resolve are the services behind a target: the addresses that it stands for in its file,
// and the workloads behind Services of Kubernetes.
func (g *guesser) resolve(file, target string) []string {
	target = strings.TrimSpace(target)
	if target == "" || strings.ContainsAny(target, "${}<>*") || target == "localhost" {
		return nil
	}
	addresses := []string{target}
	for _, name := range forms(target) {
		if to := g.stands[path.Clean(file)][name]; len(to) > 0 {
			addresses = to
			break
		}
	}
	var out, raw []string
	servers := false
	for _, a := range addresses {
		names := forms(a)
		last := names[len(names)-1]
		if net.ParseIP(last) != nil || last == "localhost" {
			servers = servers || len(addresses) > 1 || last != target
			continue
		}
		for _, n := range names {
			if w := g.pods[n]; w != "" {
				last = w
				break
			}
		}
		out, raw = add(out, slug(last)), append(raw, last)
	}
	if len(out) == 0 && servers { // addresses alone: the name that the file gives them
		given := forms(target)[len(forms(target))-1]
		out, raw = add(out, slug(given)), append(raw, given)
	}
	if len(out) > 1 && numbered(out) { // storage-1, storage-2: one service
		out = []string{strings.TrimRight(out[0], "-_0123456789")}
		for _, r := range raw {
			g.calledBy(out[0], r)
		}
		return out
	}
	for i, name := range out {
		if len(raw) == len(out) {
			g.calledBy(name, raw[i])
		}
	}
	return out
}

// called notes what files call a service, where that is not its name.
func (g *guesser) calledBy(name, raw string) {
	if name != "" && raw != name {
		g.service(name).names = add(g.service(name).names, raw)
	}
}

// numbered reports whether names differ in a number at their ends alone.
func numbered(names []string) bool {
	stem := strings.TrimRight(names[0], "-_0123456789")
	for _, n := range names {
		if strings.TrimRight(n, "-_0123456789") != stem {
			return false
		}
	}
	return stem != ""
}
