// Package flagger reads the limits that Flagger writes for a canary's service into the
// model. Intervals and timeouts of the analysis are no limits of requests and are left
// alone.
package flagger
