// Package linkerd reads Linkerd's settings into the model: ServiceProfiles, the
// annotations of services and routes, and the routers of linkerd 1.
//
// Policy HTTPRoutes have the form of the Gateway API and are read there. The package
// judges nothing.
package linkerd
