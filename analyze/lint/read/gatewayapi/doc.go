// Package gatewayapi reads routes of the Kubernetes Gateway API and Envoy Gateway's
// policies into the model. A rule of an HTTPRoute is a hop, a BackendTrafficPolicy is
// one, and a ClientTrafficPolicy is a service.
//
// What the API leaves to its implementations is absent, except where it has no limit
// at all. Policies stand on hops of their own: to which routes they attach is said by
// name, not followed. The package judges nothing.
package gatewayapi
