// Package kong reads Kong's services and upstreams into the model: declarative files,
// KongIngress resources and annotations, and the listeners of kong.conf.
//
// Kong has no limit of a whole call: it bounds connecting and the gaps between reads
// and writes of each try. The package judges nothing.
package kong
