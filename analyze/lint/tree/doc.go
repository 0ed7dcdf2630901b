// Package tree holds YAML, JSON, TOML, XML, properties and INI files as one kind of
// tree whose nodes keep their places, so that a reader of objects need not know the
// syntax that they are written in.
//
// It knows no format's keys. Anchors and merges are resolved within named limits.
package tree
