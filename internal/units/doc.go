// Package units reads and writes quantities as users type and read them: rates,
// durations, sizes, shares and counts.
//
// Parsers are strict about units, since a number without one is the usual way
// to be wrong by a factor of a thousand. Formatters come in two kinds: the plain
// ones round to what a reader can use; those named Exact… lose nothing and can
// be parsed back. No formatter prints NaN or an infinity: what is no number is
// [NotAvailable], what has no bound is [Unbounded].
//
// It is not for JSON, whose keys carry base SI units with full precision.
package units
