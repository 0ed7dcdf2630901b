// Package config reads settings files: a small, strict part of YAML in which
// every key is a setting or a section that the caller declared, with the line of
// each for messages.
//
// It does not know what the settings mean, nor in which order files,
// environment and flags win: package cmd does.
package config
