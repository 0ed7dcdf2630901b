#!/bin/sh
# Measures how long kneeline lint takes for a tree of YAML files, and how much memory.
#
# usage: bench/lint/measure.sh [ROUNDS [DIRECTORY]]
#
# It writes the tree of bench/lint/yamltree (8,000 files, 70 MB), or takes DIRECTORY, and
# reads it as often as ROUNDS says (5). A line a round has wall and CPU time and the most
# memory that was resident; the last line the medians. It needs GNU time.
set -eu
rounds=${1:-5}
cd "$(dirname "$0")/../.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
CGO_ENABLED=0 go build -trimpath -ldflags='-s -w' -o "$work/kneeline" .
tree=${2:-}
if [ -z "$tree" ]; then
	tree=$work/tree
	go run ./bench/lint/yamltree "$tree"
fi

i=0
while [ "$i" -lt "$rounds" ]; do
	i=$((i + 1))
	env time -f '%e %U %S %M' -a -o "$work/rounds" "$work/kneeline" lint "$tree" -q --fail-on never >"$work/out.$i"
	tail -n 1 "$work/rounds" | awk '{ printf "%.2f s wall, %.2f s user, %.2f s system, %.0f MiB resident\n", $1, $2, $3, $4 / 1024 }'
	cmp "$work/out.1" "$work/out.$i"
done

median() { awk -v f="$1" '{ print $f }' "$work/rounds" | sort -n | awk '{ a[NR] = $1 } END { print NR % 2 ? a[(NR+1)/2] : (a[NR/2] + a[NR/2+1]) / 2 }'; }
echo "median: $(median 1) s wall, $(median 2) s user, $(median 3) s system, $(($(median 4 | cut -d. -f1) / 1024)) MiB resident"
