package hprofgen

import (
	"bytes"
	"compress/gzip"
	"fmt"
)

// Gzip compresses data into one member.
func Gzip(data []byte) []byte { return member(nil, data, "") }

// GzipBlocks compresses as jmap -dump:gz= does: each block of size bytes is a
// member of its own, and the first says how big blocks are.
func GzipBlocks(data []byte, size int) []byte {
	var out []byte
	comment := fmt.Sprintf("HPROF BLOCKSIZE=%d", size)
	for len(data) > size {
		out = member(out, data[:size], comment)
		data, comment = data[size:], ""
	}
	return member(out, data, comment)
}

func member(out, data []byte, comment string) []byte {
	b := bytes.NewBuffer(out)
	z, err := gzip.NewWriterLevel(b, gzip.BestSpeed)
	if err != nil {
		panic(err)
	}
	z.Comment = comment
	if _, err := z.Write(data); err != nil {
		panic(err)
	}
	if err := z.Close(); err != nil {
		panic(err)
	}
	return b.Bytes()
}
