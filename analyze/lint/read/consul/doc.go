// Package consul reads Consul's config entries into the model, as Kubernetes resources
// or as JSON and YAML files: service-router, service-resolver, service-defaults, and
// the filters of API gateways.
//
// Entries in HCL are not read. The package judges nothing.
package consul
