#!/bin/sh
# Measures how fast kneeline heap --graph finds what objects of a large heap dump retain.
#
# usage: bench/heap/graph.sh [MEGABYTES [ROUNDS]]
#
# It takes dumps as bench/heap/measure.sh does, one of about that size (1000) and one of
# four times the size, and makes their graphs in turn, round by round (3), so that what
# else the machine does weighs on all alike. All dumps are in the page cache. A line for
# each way gives the medians: seconds, CPU seconds, the time as a multiple of the first
# line's in the same round, and the most memory that was resident. Beside the command
# stand:
#
#   graph-256 with --memory 256MiB, where most is in temporary files; its report must be
#             the same to the byte
#   visualvm  VisualVM's heap library, asked for the 25 objects that retain most, where
#             VISUALVM names the directory that VisualVM is installed in; one round
#
# JAVA_HOME picks the JDK; HEAP_DUMPS a directory whose dumps are used again.
set -eu
size=${1:-1000}
rounds=${2:-3}
cd "$(dirname "$0")/../.."
. bench/heap/dumps.sh
dump one.hprof "$size" ""
dump four.hprof $((4 * size)) ""

visualvm=
if [ -n "${VISUALVM:-}" ]; then
	class_path=$(find "$VISUALVM" -name '*.jar' | tr '\n' ':')
	"${bin}javac" -cp "$class_path" -d "$work" bench/heap/Retained.java && visualvm=yes
fi
cat "$dumps"/one.hprof "$dumps"/four.hprof >/dev/null

# take HOW FILE COMMAND...: appends "HOW wall cpu resident" to the rounds.
take() {
	how=$1 file=$2
	shift 2
	"$work/speed" command "$file" "$@" | awk -v how="$how" -v bytes="$(wc -c <"$file")" '{
		for (i = 2; i <= NF; i++) {
			if ($i == "MB" && $(i+1) == "per") cpu = bytes / 1e6 / $(i-1)
			if ($i == "MB/s,") wall = bytes / 1e6 / $(i-1)
			if ($i == "MiB") resident = $(i-1)
		}
		print how, wall, cpu, resident
	}' >>"$work/rounds"
}

i=0
while [ "$i" -lt "$rounds" ]; do
	i=$((i + 1))
	f=$dumps/one.hprof
	take graph "$f" "$work/kneeline" heap --graph --quiet -o "json=$work/report" "$f"
	take graph-256 "$f" "$work/kneeline" heap --graph --memory 256MiB --quiet -o "json=$work/report-256" "$f"
	cmp "$work/report" "$work/report-256"
	take graph-4x "$dumps/four.hprof" "$work/kneeline" heap --graph --quiet -o "json=$work/report" "$dumps/four.hprof"
	if [ -n "$visualvm" ] && [ "$i" -eq 1 ]; then
		take visualvm "$f" "${bin}java" -Xmx6g -cp "$work:$class_path" Retained "$f"
		rm -rf "$f.hwcache"
	fi
done

awk '
$1 == "graph" { base = $2 }
{
	if (!($1 in n)) order[++keys] = $1
	k = $1
	n[k]++
	wall[k, n[k]] = $2
	cpu[k, n[k]] = $3
	ratio[k, n[k]] = $2 / base
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
		printf "%-10s %7.2f s  %7.2f CPU s  %6.2f times the first  %7.1f MiB\n", k, median(wall, k), median(cpu, k), median(ratio, k), most[k]
	}
}' "$work/rounds"
