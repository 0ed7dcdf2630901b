// Package compare holds two judgements of one process against each other: by how much
// its heap, its classes and its queues of requests grew between them, what came and
// what was served meanwhile, and when it is full if it goes on. It reads no dumps: what
// [pending.Result] has of each is enough, and so it compares saved results too.
package compare
