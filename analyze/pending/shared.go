package pending

import (
	"cmp"
	"math"
	"slices"

	"example.com/kneeline/heapdump"
)

// Limits of looking for objects of common classes in a cluster.
const (
	// sharedSample is how many objects of a class are looked at.
	sharedSample = 64
	// sharedShare is the share of them that must have an object of their own.
	sharedShare = 0.9
)

// addShared adds to a cluster the objects of classes that are too common to be
// told by their count, such as the plain objects that each connection has for
// locks: every object of a class in the cluster refers to one of its own. Arrays
// of common classes are told by their length elsewhere.
func (a *analysis) addShared(cl *Cluster) {
	if cl.Count <= 0 {
		return
	}
	in := map[string]bool{}
	for _, c := range cl.Classes {
		in[c.Class] = true
	}
	more := map[*heapdump.Class]float64{}
	for _, c := range a.h.Classes {
		if !in[display(c)] || c.Kept < sharedSample {
			continue
		}
		for target, each := range a.ownOf(c) {
			if !in[display(target)] {
				more[target] += each * float64(c.Instances) / float64(cl.Count)
			}
		}
	}
	for c, each := range more {
		n := int64(each*float64(cl.Count) + 0.5)
		if n == 0 || n > c.Instances {
			continue
		}
		bytes := int64(float64(n) * float64(c.Bytes) / float64(c.Instances))
		cl.Classes = append(cl.Classes, ClusterClass{Class: display(c), Count: n, Bytes: bytes, Each: math.Round(100*each) / 100})
		cl.Bytes += bytes
	}
	cl.BytesEach = float64(cl.Bytes) / float64(cl.Count)
	cl.HeapShare = share(cl.Bytes, a.h.Bytes)
	slices.SortStableFunc(cl.Classes, func(x, y ClusterClass) int {
		return cmp.Or(cmp.Compare(y.Bytes, x.Bytes), cmp.Compare(x.Class, y.Class))
	})
}

// ownOf tells how many objects of which classes each object of a class has to
// itself.
func (a *analysis) ownOf(c *heapdump.Class) map[*heapdump.Class]float64 {
	out := map[*heapdump.Class]float64{}
	var sample []heapdump.Instance
	stride := max(c.Kept/sharedSample, 1)
	at := int64(0)
	for in := range a.h.Instances(c.Index) {
		if at%stride == 0 {
			sample = append(sample, in)
		}
		if at++; len(sample) >= sharedSample {
			break
		}
	}
	for _, col := range refColumns(c) {
		seen := map[heapdump.ID]bool{}
		classes := map[int]int{}
		for _, in := range sample {
			id := heapdump.ID(in.At(col))
			if class, ok := a.h.ClassOf(id); ok && !seen[id] {
				seen[id] = true
				classes[class]++
			}
		}
		for class, n := range classes {
			target := a.h.Class(class)
			if float64(n) >= sharedShare*float64(len(sample)) && !target.IsArray() && target != c && target.Name != "java.lang.Class" {
				out[target]++
			}
		}
	}
	return out
}
