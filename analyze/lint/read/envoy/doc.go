// Package envoy reads Envoy's static configuration, YAML or JSON, into the model: the
// bootstrap's static resources, and resources in files that Envoy watches. A route is a
// hop, a cluster is one, a listener is a service.
//
// A cluster's own settings stand on the cluster's hop alone; a route that retries
// carries the cluster's bound on retries as well. Settings that arrive over the network
// are not seen. The package judges nothing; what Envoy would refuse is said as such.
package envoy
