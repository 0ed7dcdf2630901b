# What the scripts that measure heap dumps have in common, to be sourced at the top of the
# repository: a directory $work that goes at the end, the programs in it, and dump.
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' INT TERM
dumps=${HEAP_DUMPS:-$work}
bin=${JAVA_HOME:+$JAVA_HOME/bin/}
go build -o "$work/kneeline" .
go build -o "$work/speed" ./bench/gc/speed
"${bin}javac" -d "$work" bench/heap/Shapes.java

# dump NAME MEGABYTES OPTIONS: takes a dump of a heap that gives one of that size.
dump() {
	[ ! -e "$dumps/$1" ] || return 0
	mkfifo "$work/in"
	"${bin}java" -XX:+UseParallelGC "-Xmx$(($2 * 2 + 200))m" -cp "$work" Shapes "$2" <"$work/in" >"$work/out" &
	pid=$!
	exec 3>"$work/in"
	until grep -q filled "$work/out"; do sleep 1; kill -0 "$pid"; done
	"${bin}jmap" "-dump:live,format=b,file=$dumps/$1$3" "$pid" >/dev/null
	exec 3>&-
	wait "$pid"
	rm "$work/in"
}
