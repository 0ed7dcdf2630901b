#!/bin/sh
# Measures how fast kneeline gc reads, judges and reports large logs.
#
# usage: bench/gc/measure.sh [MEGABYTES [ROUNDS]]
#
# It writes a G1 and a CMS log of that size (400) and reads each in turn, round by
# round (3), so that what else the machine does weighs on all alike. A line for each
# log and way of reading gives the medians: megabytes per CPU second, user and system
# of all threads, the ratio to finding line ends in the same round, and the most
# memory that was resident.
set -eu
size=${1:-400}
rounds=${2:-3}
cd "$(dirname "$0")/../.."
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
go build -o "$dir/kneeline" .
go build -o "$dir/biglog" ./bench/gc/biglog
go build -o "$dir/speed" ./bench/gc/speed
for log in g1 cms; do "$dir/biglog" "$log" "$size" >"$dir/$log.log" 2>/dev/null; done

# take HOW LOG COMMAND...: appends "HOW LOG speed resident" to the rounds.
take() {
	how=$1 log=$2
	shift 2
	"$@" | awk -v how="$how" -v log_="$log" '{
		for (i = 2; i <= NF; i++) {
			if ($i == "MB" && $(i+1) == "per") speed = $(i-1)
			if ($i == "MiB") resident = $(i-1)
		}
		print how, log_, speed, resident
	}' >>"$dir/rounds"
}

i=0
while [ "$i" -lt "$rounds" ]; do
	i=$((i + 1))
	for log in g1 cms; do
		f=$dir/$log.log
		take lines "$log" "$dir/speed" lines "$f"
		take events-1 "$log" "$dir/speed" read "$f"
		take events-all "$log" "$dir/speed" parallel "$f"
		take gc-1 "$log" env GOMAXPROCS=1 "$dir/speed" command "$f" "$dir/kneeline" gc --quiet "$f"
		take gc-all "$log" "$dir/speed" command "$f" "$dir/kneeline" gc --quiet "$f"
	done
done

awk '
$1 == "lines" { floor = $3 }
{
	k = $2 " " $1
	if (!(k in n)) order[++keys] = k
	n[k]++
	speed[k, n[k]] = $3
	ratio[k, n[k]] = 100 * $3 / floor
	if ($4 > most[k]) most[k] = $4
}
function median(v, k,    i, j, t, a) {
	for (i = 1; i <= n[k]; i++) a[i] = v[k, i]
	for (i = 2; i <= n[k]; i++) for (j = i; j > 1 && a[j] < a[j-1]; j--) { t = a[j]; a[j] = a[j-1]; a[j-1] = t }
	return a[int((n[k] + 1) / 2)]
}
END {
	for (i = 1; i <= keys; i++) {
		k = order[i]
		split(k, name, " ")
		printf "%-4s %-11s %6.0f MB per CPU second  %5.1f %% of finding line ends  %5.1f MiB\n", name[1], name[2], median(speed, k), median(ratio, k), most[k]
	}
}' "$dir/rounds"
