// Package compose reads Compose files: of each service how many containers it has, how
// long they are given to end, and their health checks.
//
// A health check asks the container itself, and its retries repeat no request. What
// programs read from their environment is their own formats'.
package compose
