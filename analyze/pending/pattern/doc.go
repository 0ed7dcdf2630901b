// Package pattern is the table of class and field names by which queues, their
// owners, the work in them and the limits of servers are recognised in a Java
// heap. The built-in table is table.yaml, each row with its source; users add
// rows in files of the same form.
//
// It knows names alone. It reads no heap and judges nothing.
package pattern
