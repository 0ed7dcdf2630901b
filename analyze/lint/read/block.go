package read

import (
	"bytes"

	"example.com/kneeline/analyze/lint/tree"
)

// Block returns the bytes of the file that a scalar's text takes, those of a block of
// YAML (| or >) included: the lines below it that are indented deeper than its key.
func (in *Input) Block(n *tree.Node) (from, to int) {
	if n == nil || n.Kind != tree.Scalar {
		return 0, 0
	}
	from, to = n.At.Offset, n.At.End
	if to > from || from >= len(in.Data) || in.Data[from] != '|' && in.Data[from] != '>' {
		return from, to
	}
	key := bytes.LastIndexByte(in.Data[:n.KeyAt.Offset], '\n') + 1
	indent := n.KeyAt.Offset - key
	from = nextLine(in.Data, from)
	for to = from; to < len(in.Data); {
		end := nextLine(in.Data, to)
		line := bytes.TrimRight(in.Data[to:end], " \t\r\n")
		if len(line) > 0 && len(line)-len(bytes.TrimLeft(line, " ")) <= indent {
			break
		}
		to = end
	}
	return from, to
}

// nextLine returns where the line after a place begins.
func nextLine(data []byte, at int) int {
	i := bytes.IndexByte(data[at:], '\n')
	if i < 0 {
		return len(data)
	}
	return at + i + 1
}
