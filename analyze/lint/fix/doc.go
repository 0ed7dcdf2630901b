// Package fix writes the fixes of findings that have exactly one right value: it finds
// the text that a rule wants replaced in the file's own bytes, plans the edits of a file
// so that holding the rules against the outcome proves them, and shows them as a diff.
//
// It decides no value: rules do. It opens no files and writes none.
package fix
