#!/bin/sh
# Offers 5,000/s on loopback to a server that misbehaves at every twentieth request,
# for 10 minutes or as long as the first argument says, and fails when memory,
# goroutines or descriptors grow. CI runs a short form of it.
set -eu
cd "$(dirname "$0")/../.."
KNEELINE_SOAK="${1:-10m}" exec go test -tags e2e -count 1 -timeout 0 -v -run '^TestSoak$' ./e2e
