// Package sysctl reads kernel settings that bound how connections are taken and given
// up: files of sysctl, and the sysctls of a Pod's security context.
//
// Settings of routing, memory and security are not its business.
package sysctl
