// Package pattern is the table of class and field names by which queues, their
// owners, the work in them and the limits of servers are recognised in a Java
// heap. The built-in table is table.yaml, each row with its source; users add
// rows in files of the same form.
//
// It knows names alone. It reads no heap and judges nothing.
//
// A file has up to five sections, each a list of rows; a sixth, go, is read by
// package goproc. Every row has class and source. A class is written with dots,
// and $ before inner classes; * stands for any characters. Subclasses count, and
// the row for the nearest class is taken. Paths are fields joined by dots, from
// the object on; a field may be qualified by the last part of the name of the
// class that declares it, as in PoolBase#poolName, and the last one may be the
// length of an array.
//
//	queues   name, kind (ring, linked, array, heap, chunks, map, count); server, role
//	         array, head or indexes: of rings; array: of arrays, heaps and chunks
//	         first, next, item: of chains; without item the node is the entry;
//	         self: an item that is the node itself was taken
//	         count, minus, capacity: numbers; unbounded: it has no limit
//	         via: classes that the paths lead through, so that they are kept
//	         collection: programs keep anything in it, not only work
//	owners   field, what; each: the field is an array of queues; named: its name;
//	         role, server, capacity, max_threads, min_threads, setting, note
//	items    means; request, internal, server; ages: paths of times of arrival;
//	         via: classes that these lead through; keep: fields with objects of its own
//	limits   field, name; unit, server
//	plain    why: what has the shape of a queue and is none
package pattern
