// Package grpcconfig reads service configs of gRPC clients, in JSON: limits, retries and
// hedging of methods, and the throttling of retries of a server name.
//
// What grpc-go's parser refuses or leaves out is noted as the model's rejections. The
// package is no validator of load balancing policies, which it passes over.
package grpcconfig
