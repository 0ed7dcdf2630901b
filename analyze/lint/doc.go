// Package lint checks the timeouts, retries, queues and pools that configuration
// files set: it finds the files that it can read, has their readers put them into one
// model, and holds the rules against it.
//
// It judges what files say, not what services do, and fetches nothing.
package lint
