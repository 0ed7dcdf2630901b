// Package balancer reads what Kubernetes objects say to the load balancers of clouds:
// BackendConfig and GCPBackendPolicy of GKE, and the annotations of AWS on Services and
// Ingresses. An object is a hop to what it balances, and a service with how long the
// balancer waits for one that goes.
//
// It reads no other controller's annotations, and no templates of the clouds' own.
package balancer
