// Package javasource finds the pools, queues and limits that Java programs make with
// numbers in their code: ThreadPoolExecutor, Executors, Jetty's and Spring's pools, the
// queues that they are given, accept queues, semaphores.
//
// It reads one file at a time, by its tokens: comments, strings and text blocks are passed
// over, brackets are matched, and numbers are followed to the constants of the same file.
// It is no compiler: it knows no types, follows no values from one method to another, and
// says nothing of what it cannot compute.
package javasource
