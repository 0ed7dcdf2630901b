// Package configmap reads the files that ConfigMaps and Secrets of Kubernetes hold:
// nginx.conf, envoy.yaml, application.yml and the like, each by the reader of its own
// format, in its place in the file.
//
// It knows none of these formats. What a controller reads from the keys of its own
// ConfigMap is that controller's reader's.
package configmap
