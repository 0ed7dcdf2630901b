// Package diagram draws directed graphs of a few dozen boxes in layers from left to right,
// as SVG, and writes them as DOT and Mermaid.
//
// It is a drawing of its own, without other programs: the same graph is always drawn the
// same. It knows nothing of what the boxes are.
package diagram
