// Package slo reads service level objectives and judges accounts of requests by
// them. It measures nothing itself.
//
// # Grammar
//
//	slo      = clause { "," clause } .
//	clause   = latency | errors | degraded .
//	latency  = "p" quantile below duration .
//	errors   = "errors" below share .
//	degraded = "degraded" below share .
//	below    = "<" | "<=" .
//	quantile = digits [ "." digits ] .    over 0, under 100, at most 6 decimals
//	duration = a Go duration over 0 .     400ms, 1.5s, 1m20s
//	share    = a share over 0, under 1 .  2.5% or 0.025
//
// Blanks may stand between any two parts; names may be in upper case. Both signs
// mean "at most". A quantile, "errors" and "degraded" may each occur once, and
// there may be no more than [outcome.MaxThresholds] different durations.
//
// # Meaning
//
// Every clause is a budget of its own over the planned requests: the share of
// them that may be bad. For p99<400ms it is the 1 % above the quantile; for
// errors<1% it is the share as written.
//
// Anything but a full success is infinitely late, so a request that was shed,
// failed, timed out or was never sent is bad under every latency clause, and an
// error too. A latency quantile over successes alone would improve when a
// service sheds or fails.
//
// A degraded answer is no full success: it is bad under every latency clause and
// an error. That is the careful reading, since the user named a rule by which to
// tell such answers. A degraded clause relaxes it: degraded answers then have
// their own budget, are late by their own latency, and are no errors.
//
// Requests in flight when a run was ended are neither good nor bad, since nobody
// knows what would have become of them: they are left out of the whole of which
// shares are taken. Only an interrupted run has any.
package slo
