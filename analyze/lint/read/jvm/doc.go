// Package jvm reads flags of Java virtual machines: files of options, and variables
// such as JAVA_OPTS in Dockerfiles, start scripts and the environment of containers.
//
// A virtual machine bounds no request; its heap and its collector bound how long it may
// stand still. Logging, debugging and class loading are not this reader's business.
package jvm
