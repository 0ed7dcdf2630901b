package pending

import (
	"cmp"
	"math"
	"slices"
)

// Limits of what counts as equal.
const (
	// clusterWidth is how far the counts of classes of one cluster may differ: in a
	// running server some requests are half made and some half gone.
	clusterWidth = 0.02
	// multipleWidth is the same for classes of which one request has several, where
	// more numbers are there to be hit by chance.
	multipleWidth = 0.005
	// maxMultiple is the most of one class that a request is looked for to have.
	maxMultiple = 5
	// minCluster is the least count of a cluster.
	minCluster = 100
	// minByChance is the count from which equal counts alone make a cluster. Below
	// it a VM has so many classes that some are equal by chance; there only
	// references and names count.
	minByChance = 1000
	// neighbourhood is how far around a count, as a factor, other classes tell how
	// many would be near it by chance.
	neighbourhood = 3
	// maxStray is the share of a cluster's classes that may be there by chance.
	maxStray = 0.2
	// Chances below which as many equal counts are no coincidence: around the count
	// of a queue, and around any count there is.
	anchoredChance = 1e-3
	sweptChance    = 1e-7
	// minSwept is how many classes a cluster needs that nothing else points at.
	minSwept = 4
)

// classCount is one row of a histogram.
type classCount struct {
	name  string
	count int64
	bytes int64
}

// census is the classes with enough objects, by count.
type census []classCount

func newCensus(rows []classCount) census {
	out := make(census, 0, len(rows))
	for _, r := range rows {
		if r.count >= minCluster {
			out = append(out, r)
		}
	}
	slices.SortFunc(out, func(a, b classCount) int {
		return cmp.Or(cmp.Compare(a.count, b.count), cmp.Compare(a.name, b.name))
	})
	return out
}

// within returns the classes whose counts differ from n by no more than a share.
func (c census) within(n, width float64) []classCount {
	from, _ := slices.BinarySearchFunc(c, n*(1-width), byCount)
	to, _ := slices.BinarySearchFunc(c, math.Nextafter(n*(1+width), math.Inf(1)), byCount)
	return c[from:to]
}

func byCount(r classCount, n float64) int { return cmp.Compare(float64(r.count), n) }

// byChance returns how many classes are expected within a share of n had they
// nothing to do with each other: as many as the classes around are dense. Counts
// are taken to be spread evenly by their logarithm between a third of n and three
// times n; what is within the share itself does not count, and half a class is
// added, so that an empty neighbourhood is not taken for certainty.
func (c census) byChance(n, width float64) float64 {
	from, _ := slices.BinarySearchFunc(c, n/neighbourhood, byCount)
	to, _ := slices.BinarySearchFunc(c, n*neighbourhood, byCount)
	outside := to - from - len(c.within(n, width))
	inner := math.Log((1 + width) / (1 - width))
	return (float64(outside) + 0.5) * inner / (2*math.Log(neighbourhood) - inner)
}

// poissonTail returns the chance that a Poisson variable of that mean is m or
// more.
func poissonTail(mean float64, m int) float64 {
	if m <= 0 {
		return 1
	}
	// The tail is summed itself: one minus the rest loses all digits when it is small.
	term := math.Exp(-mean)
	for k := 1; k <= m; k++ {
		term *= mean / float64(k)
	}
	sum := 0.0
	for k := m + 1; term > sum*1e-12; k++ {
		sum += term
		term *= mean / float64(k)
	}
	return min(sum, 1)
}

// equals are classes with equal counts.
type equals struct {
	classes []classCount
	// expected is how many of them would be there by chance, chance how likely it
	// is that as many are beside the one that the count is of.
	expected, chance float64
}

// around returns the classes with about n objects.
func (c census) around(n, width float64) equals {
	e := equals{classes: c.within(n, width), expected: c.byChance(n, width)}
	// One of them is where it is because the count was taken from it.
	e.chance = poissonTail(e.expected, len(e.classes)-1)
	return e
}

// byCountsAlone reports whether equal counts are enough to call the classes one
// thing: there are far more of them than by chance, so that each is likely to
// belong.
func (e equals) byCountsAlone(n float64, chance float64) bool {
	return n >= minByChance && len(e.classes) > 1 && e.chance < chance && e.expected <= maxStray*float64(len(e.classes))
}

// swept returns the counts around which more classes are equal than by chance,
// the most bytes first. Each class is in one of them.
func (c census) swept() []equals {
	var all []equals
	for i := 0; i < len(c); i++ {
		if i > 0 && c[i].count == c[i-1].count {
			continue
		}
		n := float64(c[i].count)
		if e := c.around(n, clusterWidth); len(e.classes) >= minSwept && e.byCountsAlone(n, sweptChance) {
			all = append(all, e)
		}
	}
	slices.SortStableFunc(all, func(a, b equals) int {
		return cmp.Or(cmp.Compare(len(b.classes), len(a.classes)), cmp.Compare(a.chance, b.chance))
	})
	taken := make(map[string]bool)
	var out []equals
	for _, e := range all {
		if slices.ContainsFunc(e.classes, func(r classCount) bool { return taken[r.name] }) {
			continue
		}
		for _, r := range e.classes {
			taken[r.name] = true
		}
		out = append(out, e)
	}
	slices.SortStableFunc(out, func(a, b equals) int { return cmp.Compare(totalBytes(b.classes), totalBytes(a.classes)) })
	return out
}

func totalBytes(rows []classCount) int64 {
	sum := int64(0)
	for _, r := range rows {
		sum += r.bytes
	}
	return sum
}
