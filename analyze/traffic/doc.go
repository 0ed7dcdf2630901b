// Package traffic says what access logs amount to: the peak rate of real traffic,
// the mix of its requests, and a replay of its own arrivals.
//
// It reads logs as a stream, several files of rotations or of replicas together, in
// memory that does not grow with them. It sends nothing: loadgen does, and
// analyze/headroom judges what comes of it.
package traffic
