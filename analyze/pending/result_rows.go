package pending

// Limit is one setting as the dump holds it.
type Limit struct {
	// Object is whose it is, Name its key as the server's configuration has it.
	Object string `json:"object"`
	Field  string `json:"field"`
	Name   string `json:"name,omitempty"`
	Value  int64  `json:"value"`
	Unit   string `json:"unit,omitempty"`
	// Unbounded is true when the value stands for no limit.
	Unbounded bool `json:"unbounded,omitempty"`
}

// ClassRow is one row of the histogram.
type ClassRow struct {
	Class string `json:"class"`
	Count int64  `json:"count"`
	// Bytes is as the VM counts, MATBytes as Eclipse MAT shows.
	Bytes     int64    `json:"bytes"`
	MATBytes  *int64   `json:"mat_bytes,omitempty"`
	HeapShare *float64 `json:"heap_ratio,omitempty"`
}

// ArrayRow is one large array.
type ArrayRow struct {
	Class   string `json:"class"`
	Address string `json:"address,omitempty"`
	Length  int64  `json:"length"`
	Bytes   int64  `json:"bytes"`
	// NonNil is how many of its slots hold a reference.
	NonNil *int64 `json:"used_count,omitempty"`
	// Owner is the class and field that hold it, where known.
	Owner string `json:"owner,omitempty"`
}

// StringRow is what equal strings waste.
type StringRow struct {
	Count int64 `json:"string_count"`
	Bytes int64 `json:"bytes"`
	// Duplicates is how many could be spared, Wasted their bytes; estimated from a
	// sample where Sampled is set.
	Duplicates int64 `json:"duplicate_count"`
	Wasted     int64 `json:"wasted_bytes"`
	Sampled    bool  `json:"sampled,omitempty"`
	// Top are the most wasteful values.
	Top []StringValue `json:"top,omitempty"`
}

// StringValue is one content that is there many times.
type StringValue struct {
	// Value is there only when values may be shown.
	Value  *string `json:"value,omitempty"`
	Length int64   `json:"length_bytes"`
	Count  int64   `json:"count"`
	Wasted int64   `json:"wasted_bytes"`
}

// FillRow is how full the arrays of one class are.
type FillRow struct {
	Class string `json:"class"`
	Count int64  `json:"count"`
	Slots int64  `json:"slot_count"`
	Used  int64  `json:"used_count"`
	// Fill is Used of Slots, Wasted the bytes of the rest.
	Fill   float64 `json:"fill_ratio"`
	Wasted int64   `json:"wasted_bytes"`
}
