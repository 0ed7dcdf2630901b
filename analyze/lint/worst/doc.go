// Package worst computes how long a call can take and how many of its tries can run:
// the arithmetic that rules about limits, retries and backoff share, so that no two of
// them give different figures for one hop.
//
// It reads settings out of the model and judges none of them.
package worst
