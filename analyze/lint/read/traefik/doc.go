// Package traefik reads Traefik's static and dynamic configuration, YAML, TOML or JSON,
// and its Kubernetes resources into the model. A service is a hop, with the retries of
// the middlewares of its routers; an entry point is a service.
//
// Labels, flags and the environment are not seen. The package judges nothing.
package traefik
