package pending

import (
	"strings"
	"testing"

	"example.com/kneeline/heapdump"
)

func TestDirectOf(t *testing.T) {
	s := newStore()
	atomic := s.Class("java.util.concurrent.atomic.AtomicLong", s.object, heapdump.Field{Name: "value", Type: typeLong})
	counter := func(n int64) uint64 { return uint64(s.New(atomic, map[string]any{"value": n})) }
	bits := s.Class("java.nio.Bits", s.object)
	bits.Statics = []heapdump.Static{
		{Name: "MAX_MEMORY", Type: typeLong, Value: 1 << 30}, {Name: "RESERVED_MEMORY", Type: typeObject, Value: counter(1 << 29)},
		{Name: "COUNT", Type: typeObject, Value: counter(8_192)},
	}
	netty := s.Class("io.netty.util.internal.PlatformDependent", s.object)
	netty.Statics = []heapdump.Static{{Name: "DIRECT_MEMORY_COUNTER", Type: typeObject, Value: counter(0)}}
	got := directOf(s.Heap())
	if len(got) != 1 || got[0] != (direct{of: "java.nio", count: 8_192, bytes: 1 << 29, limit: 1 << 30}) {
		t.Fatalf("%+v", got)
	}
	for _, tt := range []struct {
		d    direct
		heap int64
		want string
	}{
		{got[0], 1 << 30, "8,192 direct buffers of java.nio take 512MiB outside the heap"},
		{got[0], 1 << 40, ""},
		{direct{of: "Netty", bytes: 1 << 29, limit: 1<<29 + 1}, 1 << 40, "direct buffers of Netty take 512MiB"},
	} {
		if s := tt.d.sentence(tt.heap); tt.want == "" && s != "" || !strings.Contains(s, tt.want) {
			t.Errorf("%q, want %q", s, tt.want)
		}
	}
}
