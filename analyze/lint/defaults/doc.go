// Package defaults is the versioned table of what programs do where a file says
// nothing: one YAML file a product, embedded, one row a setting and range of
// versions, each with its source.
//
// A row without a source is refused. Constants in source code beat documentation,
// which is known to be wrong in places.
package defaults
