// Package dropwizard reads the YAML of Dropwizard programs: its server, its HTTP clients
// and its pools of connections to databases.
//
// A program may put clients and databases under keys of its own: they are known by the
// settings in them. It knows nothing of what a program sets in code.
package dropwizard
