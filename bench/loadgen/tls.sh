#!/bin/bash
# tls.sh [-r ROUNDS] [-d SECONDS] [-c REQUESTS] [-p] [MODE...]
#   CPU time for each request over TLS and HTTP/2 in a closed loop of so many
#   requests at once: our event loop (ours), our portable engine (ours-go), vegeta
#   and h2load, one after the other in each round against the same instant service.
#   Modes: tls1 (HTTP/1.1 over TLS), h2 (HTTP/2 over TLS), h2c (HTTP/2 without);
#   all three without one. HTTP/2 is one connection for every tool. Requests are those
#   the service counted; CPU is user + system time of the generator. With -p the
#   service is pinned to processor 0 and the generator to processor 1.
#   Prints every run, then medians and the ratios of each round's neighbours.
# Needs go, vegeta and h2load on PATH.
set -e
rounds=5 secs=4 conns=50 srvpin= genpin=
while getopts "r:d:c:p" o; do case $o in
  r) rounds=$OPTARG ;; d) secs=$OPTARG ;; c) conns=$OPTARG ;;
  p) srvpin="taskset -c 0" genpin="taskset -c 1" ;;
  *) exit 2 ;;
esac; done
shift $((OPTIND - 1))
modes=${*:-tls1 h2 h2c}
cd "$(dirname "$0")"
tmp=$(mktemp -d)
server=
trap '[ -z "$server" ] || kill "$server"; rm -r "$tmp"' EXIT
go build -o "$tmp" ./secureserver ./offer
addr=127.0.0.1:18443
TIMEFORMAT='%U %S'
run() { # round mode tool
  case $2 in
    tls1) url=https://$addr/ version=1.1 vflags="-insecure -http2=false" lflags="--h1 -c$conns" ;;
    h2) url=https://$addr/ version=2 vflags="-insecure" lflags="-c1 -m$conns" ;;
    h2c) url=http://$addr/ version=h2c vflags="-h2c" lflags="-c1 -m$conns" ;;
    *) exit 2 ;;
  esac
  oflags="-http $version"
  [ "$2" = h2c ] || oflags="$oflags -insecure"
  echo "GET $url" >"$tmp/targets"
  case $3 in
    ours) cmd="$tmp/offer $oflags -closed $conns -for ${secs}s $url" ;;
    ours-go) cmd="$tmp/offer $oflags -portable -closed $conns -for ${secs}s $url" ;;
    vegeta) cmd="vegeta attack -targets $tmp/targets $vflags -rate 0 -workers $conns -max-workers $conns -connections $conns -duration ${secs}s -output /dev/null" ;;
    h2load) cmd="h2load $lflags -t1 -D$secs $url" ;;
  esac
  $srvpin "$tmp/secureserver" -addr $addr -http $version -for 5m >"$tmp/server" & server=$!
  sleep 0.3
  { time $genpin $cmd >"$tmp/out" 2>&1; } 2>"$tmp/time" || { cat "$tmp/out" "$tmp/time" >&2; exit 1; }
  kill "$server"
  wait "$server" || true
  server=
  echo "$2 $1 $3 $(cat "$tmp/time") $(sed 's/.*"requests":\([0-9]*\).*/\1/' "$tmp/server") $secs" >>"$tmp/runs"
}
for round in $(seq "$rounds"); do
  for mode in $modes; do
    for tool in ours vegeta h2load ours-go; do run "$round" "$mode" $tool; done
  done
done
awk '
  { us = ($4 + $5) * 1e6 / $6; v[$1, $3, $2] = us; r = $2; if (!($1 in seen)) { seen[$1]; order[++m] = $1 }
    printf "round %d  %-4s %-8s %8.0f requests/s  %6.2f us a request (user %.2f, system %.2f)\n", $2, $1, $3, $6 / $7, us, $4 * 1e6 / $6, $5 * 1e6 / $6 }
  function median(a, n,   i, j, t) {
    for (i = 1; i < n; i++) for (j = i + 1; j <= n; j++) if (a[j] < a[i]) { t = a[i]; a[i] = a[j]; a[j] = t }
    return n % 2 ? a[(n + 1) / 2] : (a[n / 2] + a[n / 2 + 1]) / 2
  }
  function ratio(mode, x, y,   i, a, b) {
    for (i = 1; i <= r; i++) { a[i] = v[mode, x, i] / v[mode, y, i]; b[i] = v[mode, x, i] }
    med = median(a, r)
    printf "%-4s %-8s over %-7s median %.2f (%.2f to %.2f), %.1f us a request\n", mode, x, y, med, a[1], a[r], median(b, r)
  }
  END { for (k = 1; k <= m; k++) { ratio(order[k], "ours", "vegeta"); ratio(order[k], "ours", "h2load")
    ratio(order[k], "ours-go", "vegeta"); ratio(order[k], "vegeta", "h2load") } }' "$tmp/runs"
