// Package grpcgo holds what lint reads in service configs against grpc-go. All of it is
// in its tests.
package grpcgo
