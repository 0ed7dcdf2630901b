#!/bin/bash
# freeze.sh [-r RATE] [-d SECONDS] [-n RUNS]
#   The load generator against a service that freezes for 1 s in every 10 s, the
#   client's timeout 5 s: what it reports beside the schedule's own account, the
#   share of planned requests sent, and the memory it holds. Exits with 1 when no
#   run is within the limits of ./judge: other work on the machine spoils runs.
# Needs go.
set -e
rate=2000 secs=40 runs=3
while getopts "r:d:n:" o; do case $o in
  r) rate=$OPTARG ;; d) secs=$OPTARG ;; n) runs=$OPTARG ;;
  *) exit 2 ;;
esac; done
cd "$(dirname "$0")"
tmp=$(mktemp -d)
server=
trap '[ -z "$server" ] || kill "$server"; rm -r "$tmp"' EXIT
go build -o "$tmp" ./stallserver ./offer ./judge
ulimit -n "$(ulimit -Hn)"
# 1.5 x rate x timeout may be more files than the machine allows; what can be
# under way at once is the rate times the freeze.
conns=$((rate * 3 / 2))
best=1
for run in $(seq "$runs"); do
  "$tmp/stallserver" -log -stall 1s -every 10s -for $((secs + 30))s >"$tmp/server" & server=$!
  sleep 0.3
  "$tmp/offer" -rate "$rate" -for "${secs}s" -timeout 5s -conns "$conns" http://127.0.0.1:18080/ >"$tmp/offered"
  kill "$server"
  wait "$server" || true
  server=
  echo "run $run, $rate/s for $secs s"
  "$tmp/judge" "$tmp/offered" "$tmp/server" && best=0
done
exit $best
