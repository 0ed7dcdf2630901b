package redact

import "example.com/kneeline/heapdump"

// marker is the record in which a copy says that it is one, and what its texts were
// like: [heapdump.Redacted].
func marker(t heapdump.Texts, ids int) []byte {
	text := heapdump.Redacted(t)
	b := make([]byte, 9, 9+ids+len(text))
	b[0] = recString
	be.PutUint32(b[5:], uint32(ids+len(text)))
	for range ids {
		b = append(b, 0xff)
	}
	return append(b, text...)
}
