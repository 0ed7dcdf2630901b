#!/bin/bash
# closed.sh [-r ROUNDS] [-d SECONDS] [-c CONNECTIONS] [-p]
#   CPU time for each request in a closed loop: our event loop (ours), our
#   portable engine (ours-go), wrk and vegeta, one after the other in each round
#   against the same instant service. Requests are those the service counted; CPU
#   is user + system time of the generator. With -p the service is pinned to
#   processor 0 and the generator to processor 1.
#   Prints every run, then medians and the ratios of each round's neighbours.
# Needs go, wrk and vegeta on PATH.
set -e
rounds=5 secs=4 conns=50 srvpin= genpin=
while getopts "r:d:c:p" o; do case $o in
  r) rounds=$OPTARG ;; d) secs=$OPTARG ;; c) conns=$OPTARG ;;
  p) srvpin="taskset -c 0" genpin="taskset -c 1" ;;
  *) exit 2 ;;
esac; done
cd "$(dirname "$0")"
tmp=$(mktemp -d)
server=
trap '[ -z "$server" ] || kill "$server"; rm -r "$tmp"' EXIT
go build -o "$tmp" ./stallserver ./offer
url=http://127.0.0.1:18080/
echo "GET $url" >"$tmp/targets"
TIMEFORMAT='%U %S'
for round in $(seq "$rounds"); do
  for tool in ours wrk vegeta ours-go; do
    case $tool in
      ours) cmd="$tmp/offer -closed $conns -for ${secs}s $url" ;;
      ours-go) cmd="$tmp/offer -portable -closed $conns -for ${secs}s $url" ;;
      wrk) cmd="wrk -t1 -c$conns -d${secs}s $url" ;;
      vegeta) cmd="vegeta attack -targets $tmp/targets -rate 0 -workers $conns -max-workers $conns -connections $conns -duration ${secs}s -output /dev/null" ;;
    esac
    $srvpin "$tmp/stallserver" -for 5m >"$tmp/server" & server=$!
    sleep 0.3
    { time $genpin $cmd >"$tmp/out" 2>&1; } 2>"$tmp/time" || { cat "$tmp/out" "$tmp/time" >&2; exit 1; }
    kill "$server"
    wait "$server" || true
    server=
    echo "$round $tool $(cat "$tmp/time") $(sed 's/.*"requests":\([0-9]*\).*/\1/' "$tmp/server") $secs" >>"$tmp/runs"
  done
done
awk '
  { us = ($3 + $4) * 1e6 / $5; v[$2, $1] = us; r = $1
    printf "round %d  %-8s %8.0f requests/s  %6.2f us a request (user %.2f, system %.2f)\n", $1, $2, $5 / $6, us, $3 * 1e6 / $5, $4 * 1e6 / $5 }
  function median(a, n,   i, j, t) {
    for (i = 1; i < n; i++) for (j = i + 1; j <= n; j++) if (a[j] < a[i]) { t = a[i]; a[i] = a[j]; a[j] = t }
    return n % 2 ? a[(n + 1) / 2] : (a[n / 2] + a[n / 2 + 1]) / 2
  }
  function ratio(x, y,   i, a) {
    for (i = 1; i <= r; i++) a[i] = v[x, i] / v[y, i]
    m = median(a, r)
    printf "%-8s over %-7s median %.2f (%.2f to %.2f)\n", x, y, m, a[1], a[r]
  }
  END { ratio("ours", "wrk"); ratio("ours", "vegeta"); ratio("ours-go", "wrk"); ratio("ours-go", "vegeta") }' "$tmp/runs"
