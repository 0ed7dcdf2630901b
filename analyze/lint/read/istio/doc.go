// Package istio reads Istio's VirtualServices and DestinationRules into the model. A
// route of HTTP is a hop, and so is the traffic policy of a host, a subset or a port.
//
// A route that retries carries the bound on retries of a DestinationRule for its host
// in the same file. Other settings of a policy stand on the policy's own hop alone.
// The package judges nothing; settings of the mesh are not seen.
package istio
