// Package workload reads what Kubernetes runs: Deployments, StatefulSets, DaemonSets,
// Jobs and bare Pods. A container is a service, with its probes, its time of grace and
// the hook that runs before it is told to end.
//
// It reads no status, no resources and no security, and follows no reference to other
// objects but the Services of the same file, which tell what port serves requests.
package workload
