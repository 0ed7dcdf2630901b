#!/bin/sh
# Measures how fast kneeline heap reads, judges and reports a large heap dump.
#
# usage: bench/heap/measure.sh [MEGABYTES [ROUNDS]]
#
# It fills a heap with bench/heap/Shapes.java, takes a dump of about that size (1000)
# and one of four times the size, and reads them in turn, round by round (5), so that
# what else the machine does weighs on all alike. All dumps are in the page cache. A
# line for each way of reading gives the medians: gigabytes per second, CPU seconds per
# gigabyte, the time as a multiple of the first line's in the same round, and the most
# memory that was resident. Beside the command stand:
#
#   lines     finding line ends with one thread: a floor for touching every byte
#   gzip      gzip -dc of the same dump packed by the VM in blocks
#   visualvm  VisualVM's heap library, asked for the histogram alone, where VISUALVM
#             names the directory that VisualVM is installed in; three rounds
#
# JAVA_HOME picks the JDK; HEAP_DUMPS a directory whose dumps are used again.
set -eu
size=${1:-1000}
rounds=${2:-5}
cd "$(dirname "$0")/../.."
. bench/heap/dumps.sh
dump one.hprof "$size" ""
dump four.hprof $((4 * size)) ""
dump one.hprof.gz "$size" ",gz=1"

visualvm=
if [ -n "${VISUALVM:-}" ]; then
	class_path=$(find "$VISUALVM" -name '*.jar' | tr '\n' ':')
	"${bin}javac" -cp "$class_path" -d "$work" bench/heap/Histogram.java && visualvm=yes
fi
cat "$dumps"/*.hprof* >/dev/null

# take HOW FILE COMMAND...: appends "HOW wall cpu resident bytes" to the rounds.
take() {
	how=$1 file=$2
	shift 2
	"$@" | awk -v how="$how" -v bytes="$(wc -c <"$file")" '{
		for (i = 2; i <= NF; i++) {
			if ($i == "MB" && $(i+1) == "per") cpu = bytes / 1e6 / $(i-1)
			if ($i == "MB/s,") wall = bytes / 1e6 / $(i-1)
			if ($i == "MiB") resident = $(i-1)
		}
		print how, wall, cpu, resident, bytes
	}' >>"$work/rounds"
}

i=0
while [ "$i" -lt "$rounds" ]; do
	i=$((i + 1))
	f=$dumps/one.hprof
	take heap "$f" "$work/speed" command "$f" "$work/kneeline" heap --quiet -o "text=$work/report" "$f"
	take heap-1 "$f" env GOMAXPROCS=1 "$work/speed" command "$f" "$work/kneeline" heap --quiet -o "text=$work/report" "$f"
	take heap-4x "$dumps/four.hprof" "$work/speed" command "$dumps/four.hprof" "$work/kneeline" heap --quiet -o "text=$work/report" "$dumps/four.hprof"
	take heap-gz "$f" "$work/speed" command "$f" "$work/kneeline" heap --quiet -o "text=$work/report" "$dumps/one.hprof.gz"
	take lines "$f" "$work/speed" lines "$f"
	take gzip "$f" "$work/speed" command "$f" gzip -dc "$dumps/one.hprof.gz"
	if [ -n "$visualvm" ] && [ "$i" -le 3 ]; then
		take visualvm "$f" "$work/speed" command "$f" "${bin}java" -Xmx4g -cp "$work:$class_path" Histogram "$f"
		rm -rf "$f.hwcache"
	fi
done

awk '
$1 == "heap" { base = $2 }
{
	if (!($1 in n)) order[++keys] = $1
	k = $1
	n[k]++
	rate[k, n[k]] = $5 / 1e9 / $2
	cpu[k, n[k]] = $3 / $5 * 1e9
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
		printf "%-9s %6.2f GB/s  %6.2f CPU s/GB  %6.2f times the first  %7.1f MiB\n", k, median(rate, k), median(cpu, k), median(ratio, k), most[k]
	}
}' "$work/rounds"
