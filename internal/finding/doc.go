// Package finding gives every command one shape for what it objects to: the
// [Finding], the [Rule] it breaks, and the [Registry] of all rules with the page
// that explains each.
//
// Rules here are documentation and defaults, not code: the analyses decide when
// a rule is broken, a command's flags decide what fails a gate, and package
// report decides how a page looks.
package finding
