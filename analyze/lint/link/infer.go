package link

import (
	"path"
	"slices"

	"example.com/kneeline/analyze/lint/chain"
	"example.com/kneeline/analyze/lint/model"
)

// facts are what files say, by what is asked of them.
type facts struct {
	// stands are the addresses of names within a file.
	stands map[string]map[string][]string
	// held are the ConfigMaps of a file, users the workloads that use one by its name.
	held  map[string][]Fact
	users map[string][]string
	// called are the names that programs give themselves, by their file.
	called map[string]string
	// pods are the workloads that a Service of Kubernetes leads to, by its name and by
	// name.namespace. Under a name that Services of several namespaces have there is none.
	pods map[string]string
}

func gather(all []Fact) *facts {
	f := &facts{stands: map[string]map[string][]string{}, held: map[string][]Fact{}, users: map[string][]string{}, called: map[string]string{}, pods: map[string]string{}}
	for _, x := range all {
		file := path.Clean(x.At.File)
		switch x.Kind {
		case StandsFor:
			if f.stands[file] == nil {
				f.stands[file] = map[string][]string{}
			}
			f.stands[file][x.Name] = append(f.stands[file][x.Name], x.To...)
		case Holds:
			f.held[file] = append(f.held[file], x)
		case Runs:
			for _, m := range x.To {
				f.users[m] = append(f.users[m], x.Name)
			}
		case Called:
			f.called[file] = x.Name
		}
	}
	for _, s := range all {
		if s.Kind != Selects {
			continue
		}
		for _, w := range all {
			if w.Kind == Runs && (s.Namespace == w.Namespace || s.Namespace == "" || w.Namespace == "") && selects(s.Labels, w.Labels) {
				f.leads(s, w.Name)
				break
			}
		}
	}
	return f
}

// leads notes the workload of a Service.
func (f *facts) leads(s Fact, workload string) {
	if s.Namespace != "" {
		f.pods[s.Name+"."+s.Namespace] = workload
	}
	if other, ok := f.pods[s.Name]; ok && other != workload {
		workload = ""
	}
	f.pods[s.Name] = workload
}

// selects reports whether labels have all that a selector asks for.
func selects(selector, labels map[string]string) bool {
	for k, v := range selector {
		if labels[k] != v {
			return false
		}
	}
	return len(selector) > 0
}

// owner is the program that a document is of: the workload that uses the ConfigMap that it
// is in, or what it calls itself. It is empty where no file tells.
func (f *facts) owner(d *model.Document) string {
	file := path.Clean(d.File)
	for _, m := range f.held[file] {
		if d.Line < m.At.Line || d.Line > m.Last {
			continue
		}
		if users := f.users[m.Name]; len(users) > 0 {
			return users[0]
		}
		return ""
	}
	return f.called[file]
}

// infer makes services known by the names of Kubernetes for them.
func (b *builder) infer() {
	b.facts = gather(b.Facts)
	for _, x := range b.Facts { // in the order of the files, so that it is the same each time
		if x.Kind != Selects {
			continue
		}
		workload := b.facts.pods[x.Name]
		if full := x.Name + "." + x.Namespace; b.facts.pods[full] != "" {
			// Of several of one name, one that is not in the topology is nobody's.
			if w := b.names.find(b.facts.pods[full]); w != nil || workload == "" {
				b.names.set(full, w)
			}
		}
		if workload == "" {
			continue // none, or one in each of several namespaces
		}
		switch s, w := b.names.find(x.Name), b.names.find(workload); {
		case w != nil:
			b.names.add(x.Name, w)
		case s != nil:
			b.names.add(workload, s)
		}
	}
}

// targets are the services that a file means by a target: by their names, or by the
// addresses that the target stands for in that file.
func (b *builder) targets(file, target string) []*chain.Service {
	if out := b.names.findAll(target); len(out) > 0 {
		return out
	}
	var out []*chain.Service
	for _, name := range forms(target) {
		for _, address := range b.facts.stands[path.Clean(file)][name] {
			if s := b.names.find(address); s != nil && !slices.Contains(out, s) {
				out = append(out, s)
			}
		}
		if len(out) > 0 {
			return out
		}
	}
	return out
}

// others reports whether a document is another service's than s, by what files say.
func (b *builder) others(s *chain.Service, d *model.Document) bool {
	owner := b.names.find(b.facts.owner(d))
	return owner != nil && owner != s
}
