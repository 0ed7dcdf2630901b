package chain

import "example.com/kneeline/analyze/lint/model"

// Chain is the services of a run and how they call each other.
type Chain struct {
	// File is the topology file, empty where all was inferred.
	File     string
	Services []*Service
	Hops     []*Hop
}

// Service is a number of equal hosts. Values that nobody gave are absent.
type Service struct {
	Name string
	// At is where the topology has it, or the object that it was inferred from.
	At model.Position

	// Replicas is how many hosts there are, GroupSize how many of them hold the same data,
	// Partitions into how many parts the data of one group is cut.
	Replicas, GroupSize, Partitions model.Value
	// Capacity is the rate that one host sustains, Peak the highest that it gets, per
	// second.
	Capacity, Peak model.Value
	// Mean and the percentiles are the time of service of a request without queueing, in
	// seconds.
	Mean, P50, P95, P99 model.Value
	// Pause is the longest pause of the program, in seconds.
	Pause model.Value
	// MaxConnections is how many connections one host takes, Reserved how many of them
	// are not for callers.
	MaxConnections, Reserved model.Value
	// Spare is how many hosts may be gone at the peak.
	Spare model.Value

	// Parts are what files set of it.
	Parts []Part
	// In and Out are the hops that lead to it and from it.
	In, Out []*Hop
}

// Part is one object of a file that sets a service.
type Part struct {
	Document *model.Document
	Service  *model.Service
}

// Hop is that one service calls another.
type Hop struct {
	From, To *Service
	// At is where the topology has it, or the object that it was inferred from.
	At model.Position
	// Inferred says from what the hop was concluded; empty where the topology has it.
	Inferred string
	// Rate is the highest rate of calls of one host of the caller, Fan how many calls
	// one call of the caller makes.
	Rate, Fan model.Value
	// PerPair says that the pool of connections is one for each pair of hosts, not one
	// for all hosts of the callee.
	PerPair bool
	// Layers are what files set of the call, from the caller's code outwards: the first
	// calls through the second, and so on.
	Layers []Layer
}

// Layer is one object of a file that sets a hop.
type Layer struct {
	Document *model.Document
	Hop      *model.Hop
}

// Service returns a service by its name, nil if there is none.
func (c *Chain) Service(name string) *Service {
	for _, s := range c.Services {
		if s.Name == name {
			return s
		}
	}
	return nil
}

// Name is the hop as reports write it.
func (h *Hop) Name() string { return h.From.Name + " → " + h.To.Name }

// Outer is the layer next to the caller's code, nil where nothing is known of the call.
func (h *Hop) Outer() *model.Hop {
	if len(h.Layers) == 0 {
		return nil
	}
	return h.Layers[0].Hop
}
