package hprof

// stackWords is the field of a stack chunk that says how many words of stack
// follow its fields. The stack itself is not in the dump.
const stackWords = "size"

// stacked is what stack chunks of a class take beyond their fields.
func (r *reader) stacked(class int, fields uint64) int64 {
	var bytes int64
	for in := range r.heap.Instances(class) {
		if words, ok := in.Int(stackWords); ok && words > 0 {
			bytes += int64(r.heap.Layout.Chunk(fields, uint64(words)) - fields)
		}
	}
	return bytes
}
