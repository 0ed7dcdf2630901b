// Package catalog lists all rules of lint. Each has a directory of its own in
// analyze/lint/rules, with the files that show it; the list is made from the
// directories:
//
//	go test ./analyze/lint/catalog -run List -update
package catalog
