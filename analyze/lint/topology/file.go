package topology

import "example.com/kneeline/analyze/lint/model"

// Version is the version of the form that is read and written.
const Version = 1

// Limits of one topology file.
const (
	// MaxServices and MaxHops bound what is read; more is a problem.
	MaxServices = 2000
	MaxHops     = 10000
	// MaxConfigs bounds the files of one service.
	MaxConfigs = 500
)

// File is what a topology file says. Values are [model.Set] with their place, or absent.
type File struct {
	Name string
	// Defaults choose the rows of the table of defaults: a version by product.
	Defaults map[string]model.Value
	// Services and Hops are in the order of the file.
	Services []*Service
	Hops     []*Hop
	// Problems are what could not be taken; the rest was.
	Problems []model.Problem
	// Unusable is the problem that leaves nothing to go by, nil where there is none: no
	// YAML, another version, services or hops that are none.
	Unusable *model.Problem
}

// Service is one service: a number of equal hosts.
type Service struct {
	Name string
	At   model.Position
	// Names are other names that files call it by.
	Names []string
	// Replicas is how many hosts there are.
	Replicas model.Value
	// GroupSize is how many hosts hold the same data, Partitions into how many parts
	// the data of one group is cut.
	GroupSize, Partitions model.Value
	// Capacity is the rate that one host sustains, Peak the highest that it gets.
	Capacity, Peak model.Value
	// Mean, P50 and P99 are the time of service of a request, without queueing.
	Mean, P50, P95, P99 model.Value
	// Pause is the longest pause of the program, such as a collection of garbage.
	Pause model.Value
	// MaxConnections is how many connections one host takes, Reserved how many of them
	// are kept for others, such as administrators.
	MaxConnections, Reserved model.Value
	// Spare is how many hosts may be gone at the peak, 1 where nothing is said.
	Spare model.Value
	// Configs are the files that set it.
	Configs []Config
}

// Config is one file that sets a service.
type Config struct {
	// File is its path from the directory of the topology file.
	File string
	At   model.Position
	// As says what of it counts, and as what; the zero value is all, as its format has it.
	As As
	// To names the service that all hops of the file lead to, empty for what the file
	// says.
	To string
	// Keys are the settings of an application's own file, by what they mean; see [Fields].
	Keys map[string]Key
}

// Key is the name of a setting in an application's own file.
type Key struct {
	Name string
	At   model.Position
}

// As says what a file counts as.
type As struct {
	// Word is as the file has it.
	Word string
	At   model.Position
	// Format is the format that the file must be of, empty for any.
	Format string
	// Layer is where its hops apply; LayerUnknown leaves it to the format.
	Layer model.Layer
	// Client and Server restrict what counts to hops or to services; neither is both.
	Client, Server bool
	// Keys says that the file is an application's own, whose settings Config.Keys names.
	Keys bool
}

// Hop is that one service calls another, with what no file says of it.
type Hop struct {
	From, To string
	At       model.Position
	// Rate is the highest rate of calls of one caller.
	Rate model.Value
	// Total is the application's limit of a call, LibraryTotal that of the library
	// under it.
	Total, LibraryTotal model.Value
	// HedgeAfter is after how long a second request is sent, HedgeMax how many those
	// are, ToOther that they go to another host.
	HedgeAfter, HedgeMax, ToOther model.Value
	// Tries is how many tries a call takes in all, PerTry how long one may take,
	// Backoff how long the caller waits before the second.
	Tries, PerTry, Backoff model.Value
	// BudgetRatio is the share of further tries, BudgetScope over what it is kept.
	BudgetRatio model.Value
	BudgetScope model.Scope
	// PoolMin and PoolMax are connections, per pair of hosts or for the whole caller.
	PoolMin, PoolMax model.Value
	// PoolPerPair says that the pool is one for each pair of hosts.
	PoolPerPair bool
	// DeadlineCarried says whether the caller's deadline goes along with the call.
	DeadlineCarried model.Value
	// Fan is how many calls of this hop one call of the caller makes, 1 where nothing
	// is said.
	Fan model.Value
}

// Service returns a service by its name, nil if there is none.
func (f *File) Service(name string) *Service {
	for _, s := range f.Services {
		if s.Name == name {
			return s
		}
	}
	return nil
}
