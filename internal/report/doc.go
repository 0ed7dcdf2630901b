// Package report is the model of what a command tells its user, and the
// renderings of that model: text for a terminal or a pipe ([Text]), Markdown for
// a review ([Markdown]) and a self-contained HTML page ([HTML]).
//
// A command builds a [Report] from the result of an analysis. The package does
// not know what the numbers mean, does not read results or files, and decides
// neither colour nor width: those come in [TextOptions].
//
// Every string of a report may come from hostile input (a header, a file name,
// a log line). The renderings strip control characters and escape for their
// format, so callers pass strings as they are.
package report
