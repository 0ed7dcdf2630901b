// Package haproxy reads HAProxy configuration into the model: each backend as a hop,
// each frontend as a service, with what they inherit from defaults sections.
//
// Its lexer is HAProxy's: lines of words with quotes, escapes and environment
// variables. It judges nothing; what HAProxy would refuse is said as such.
package haproxy
