// Package cmd is the command line: it reads flags, environment and config
// files, hands plain values to the analyses, builds reports from their results
// and decides exit codes.
//
// One file holds one subcommand, always in the same parts: an options struct,
// newX that declares flags, runX that does the work. What all commands share is
// in files of its own: the process state (state.go), the run of one command
// line (run.go), exit codes (exit.go), output formats (output.go), settings from
// environment and files (settings.go), messages on stderr (messages.go).
//
// It computes nothing that a user could want without a command line.
package cmd
