// Package rule is what a rule of lint is made of: its page, what it needs to know,
// and the check over the model.
//
// A rule reads no files and knows no format's grammar: where formats differ, their
// readers have put the difference into the model. The rules themselves are in
// analyze/lint/rules, one directory each.
package rule
