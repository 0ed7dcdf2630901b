package v8

import (
	"encoding/json"
	"fmt"
	"slices"
)

// Meta is how a snapshot describes itself.
type Meta struct {
	// NodeFields and EdgeFields are the numbers of a node and an edge, in order.
	NodeFields, EdgeFields []string
	// NodeTypes and EdgeTypes are the words for the number in the field "type".
	NodeTypes, EdgeTypes []string
	// Nodes and Edges are how many there should be, as the snapshot says; 0 when it
	// does not.
	Nodes, Edges int64

	node nodeFields
	edge edgeFields
}

// nodeFields and edgeFields are the places of the fields that are read, -1 where a
// snapshot has none.
type nodeFields struct{ kind, name, id, size, edges, width int }
type edgeFields struct{ kind, name, to, width int }

// Limits of what a snapshot may say of itself.
const (
	maxMeta   = 1 << 20
	maxFields = 64
)

// rawMeta is the member "snapshot" as JSON.
type rawMeta struct {
	Meta struct {
		NodeFields []string          `json:"node_fields"`
		NodeTypes  []json.RawMessage `json:"node_types"`
		EdgeFields []string          `json:"edge_fields"`
		EdgeTypes  []json.RawMessage `json:"edge_types"`
	} `json:"meta"`
	Nodes int64 `json:"node_count"`
	Edges int64 `json:"edge_count"`
}

// parseMeta reads the member "snapshot".
func parseMeta(text []byte) (*Meta, error) {
	var raw rawMeta
	if err := json.Unmarshal(text, &raw); err != nil {
		return nil, fmt.Errorf("expected the member \"snapshot\" with its fields: %w", err)
	}
	m := &Meta{NodeFields: raw.Meta.NodeFields, EdgeFields: raw.Meta.EdgeFields, Nodes: max(raw.Nodes, 0), Edges: max(raw.Edges, 0)}
	if len(m.NodeFields) > maxFields || len(m.EdgeFields) > maxFields {
		return nil, fmt.Errorf("expected at most %d fields, found %d of a node and %d of an edge", maxFields, len(m.NodeFields), len(m.EdgeFields))
	}
	place := func(fields []string, name string) int { return slices.Index(fields, name) }
	m.node = nodeFields{place(m.NodeFields, "type"), place(m.NodeFields, "name"), place(m.NodeFields, "id"),
		place(m.NodeFields, "self_size"), place(m.NodeFields, "edge_count"), len(m.NodeFields)}
	m.edge = edgeFields{place(m.EdgeFields, "type"), place(m.EdgeFields, "name_or_index"), place(m.EdgeFields, "to_node"), len(m.EdgeFields)}
	for _, need := range []struct {
		at   int
		name string
	}{{m.node.kind, "type"}, {m.node.name, "name"}, {m.node.size, "self_size"}, {m.node.edges, "edge_count"}} {
		if need.at < 0 {
			return nil, fmt.Errorf("expected the field %q of a node, found %q", need.name, m.NodeFields)
		}
	}
	if m.edge.kind < 0 || m.edge.name < 0 || m.edge.to < 0 {
		return nil, fmt.Errorf("expected the fields \"type\", \"name_or_index\" and \"to_node\" of an edge, found %q", m.EdgeFields)
	}
	m.NodeTypes = typesAt(raw.Meta.NodeTypes, m.node.kind)
	m.EdgeTypes = typesAt(raw.Meta.EdgeTypes, m.edge.kind)
	if len(m.NodeTypes) == 0 || len(m.EdgeTypes) == 0 {
		return nil, fmt.Errorf("expected the types of nodes and edges by name")
	}
	return m, nil
}

// typesAt is the list of words of a field; the types of other fields are one word.
func typesAt(types []json.RawMessage, at int) []string {
	var words []string
	if at >= len(types) || json.Unmarshal(types[at], &words) != nil || len(words) > 255 {
		return nil
	}
	return words
}
