// Package contour reads Contour's HTTPProxies into the model: a route is a hop.
//
// Contour's own configuration, in which defaults for all proxies can be set, is not
// seen. The package judges nothing.
package contour
