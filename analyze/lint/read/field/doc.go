// Package field reads the settings of one object of a format: what is set, what holds
// where nothing is, what the program would refuse, and keys that it does not know.
//
// It serves readers of objects whose program refuses what it does not understand, such
// as Envoy and the resources of Kubernetes. It knows no format itself, and maps nothing
// to hops or services.
package field
