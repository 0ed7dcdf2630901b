package pending

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"example.com/kneeline/analyze/pending/pattern"
	"example.com/kneeline/heapdump"
)

// noise returns classes that have nothing to do with each other: their counts are
// spread evenly by their logarithm, as those of a VM at rest are.
func noise(rng *rand.Rand, classes int, most float64) []classCount {
	out := make([]classCount, classes)
	for i := range out {
		n := int64(math.Exp(rng.Float64() * math.Log(most)))
		out[i] = classCount{fmt.Sprintf("java.noise.C%d", i), n, n * int64(16+8*rng.IntN(10))}
	}
	return out
}

func clustersFrom(rows []classCount, anchors ...anchor) ([]Cluster, []int) {
	return newTextClusterer(rows, pattern.Builtin()).clusters(anchors)
}

func classNames(cl Cluster) []string {
	var out []string
	for _, m := range cl.Classes {
		out = append(out, m.Class)
	}
	slices.Sort(out)
	return out
}

// TestJettyCluster has the counts of a Jetty with 19,491 jobs in its pool's queue
// and a connection for each, measured by jmap -histo; next to them what every VM
// has.
func TestJettyCluster(t *testing.T) {
	rows := []classCount{
		{"sun.nio.ch.SocketChannelImpl", 19500, 2184000}, {"byte[]", 21392, 1654848}, {"java.lang.Object", 100463, 1607408},
		{"java.util.concurrent.locks.ReentrantLock$NonfairSync", 43076, 1378432}, {"java.net.InetAddress$InetAddressHolder", 39005, 1248160},
		{"java.net.Inet4Address", 39003, 936072}, {"java.net.InetSocketAddress$InetSocketAddressHolder", 39001, 936024},
		{"sun.nio.ch.SelectionKeyImpl", 19500, 936000}, {"sun.nio.ch.SocketAdaptor", 19500, 936000},
		{"java.util.concurrent.ConcurrentHashMap$Node", 27247, 871904}, {"java.io.FileDescriptor", 19510, 780400},
		{"java.util.concurrent.locks.ReentrantLock", 43076, 689216}, {"sun.nio.ch.DummySocketImpl", 19501, 624032},
		{"java.net.InetSocketAddress", 39001, 624016}, {"org.eclipse.jetty.io.ManagedSelector$Accept", 17467, 558944},
		{"java.lang.Object[]", 5758, 509200}, {"java.nio.channels.SelectionKey[]", 19500, 468000}, {"char[]", 492, 450168},
		{"java.lang.String", 13938, 334512}, {"org.eclipse.jetty.http.HttpField[]", 4067, 325360},
		{"org.eclipse.jetty.server.Request", 2033, 325280}, {"org.eclipse.jetty.http.HttpParser", 2033, 292752},
		{"org.eclipse.jetty.server.HttpChannelOverHttp", 2033, 243960}, {"java.util.HashMap$Node", 6784, 217088},
		{"org.eclipse.jetty.io.SocketChannelEndPoint", 2033, 211432}, {"org.eclipse.jetty.server.HttpConnection", 2033, 211432},
		{"org.eclipse.jetty.io.ChannelEndPoint$1", 2033, 48792},
	}
	got, at := clustersFrom(rows, anchor{
		count: 19491, classes: []string{"org.eclipse.jetty.io.ManagedSelector$Accept", "org.eclipse.jetty.io.ChannelEndPoint$1"}, request: true,
	})
	if at[0] != 0 {
		t.Fatalf("the queue's cluster is %d, want 0", at[0])
	}
	names := classNames(got[0])
	for _, want := range []string{
		"sun.nio.ch.SocketChannelImpl", "sun.nio.ch.SelectionKeyImpl", "java.io.FileDescriptor", "java.nio.channels.SelectionKey[]",
		"java.net.InetSocketAddress", "java.net.Inet4Address", "org.eclipse.jetty.io.ManagedSelector$Accept", "org.eclipse.jetty.io.ChannelEndPoint$1",
	} {
		if !slices.Contains(names, want) {
			t.Errorf("%s is missing in %v", want, names)
		}
	}
	for _, not := range []string{"byte[]", "java.lang.Object", "java.lang.String", "java.util.concurrent.locks.ReentrantLock", "org.eclipse.jetty.server.Request"} {
		if slices.Contains(names, not) {
			t.Errorf("%s is in it", not)
		}
	}
	if got[0].BytesEach < 480 || got[0].BytesEach > 624 {
		t.Errorf("%.0f bytes each, want about 500 to 624, which a connection not yet accepted retains", got[0].BytesEach)
	}
	var parsed *Cluster
	for i := range got {
		if got[i].Name == "org.eclipse.jetty.server.Request" {
			parsed = &got[i]
		}
	}
	if parsed == nil || parsed.Count != 2033 || !parsed.Request || !slices.Contains(classNames(*parsed), "org.eclipse.jetty.http.HttpParser") {
		t.Errorf("the requests that were parsed: %+v", parsed)
	}
}

// TestNoClusterAtLowCounts has a hundred and more equal counts of the VM's own
// classes, which are there in any heap.
func TestNoClusterAtLowCounts(t *testing.T) {
	var rows []classCount
	for i := range 40 {
		rows = append(rows, classCount{fmt.Sprintf("java.util.C%d", i), int64(110 + i%3), 4000})
	}
	got, at := clustersFrom(rows, anchor{count: 111, classes: []string{"shop.Order"}}, anchor{count: 40, classes: []string{"shop.Few"}})
	if len(got) != 0 || at[0] != -1 || at[1] != -1 {
		t.Errorf("clusters %+v at %v", got, at)
	}
}

// TestKinship ties classes at a low count by the references between their
// objects.
func TestKinship(t *testing.T) {
	b := heapdump.NewBuilder(shapeTaken)
	object := b.Named("java.lang.Object")
	body := b.Class("java.util.Body", object)
	call := b.Class("shop.Call", object, heapdump.Field{Name: "body", Type: typeObject}, heapdump.Field{Name: "shared", Type: typeObject})
	stranger := b.Class("java.util.Stranger", object)
	shared := b.New(b.Class("shop.Config", object), nil)
	for range 300 {
		b.New(call, map[string]any{"body": b.New(body, nil), "shared": shared})
		b.New(stranger, nil)
	}
	got, at := newClusterer(b.Heap(), pattern.Builtin()).clusters([]anchor{{count: 300, classes: []string{"shop.Call"}}})
	if at[0] != 0 {
		t.Fatal("no cluster")
	}
	if names := fmt.Sprint(classNames(got[0])); names != "[java.util.Body shop.Call]" {
		t.Errorf("cluster is %s", names)
	}
	if got[0].Confidence != ConfidenceMedium || got[0].BytesEach != 40 {
		t.Errorf("%+v", got[0])
	}
}

// TestChanceProperty: classes that have nothing to do with each other make no
// cluster that nothing points at, and add hardly any class to one around a
// count. With 600 classes, some 20 pairs of them are equal by chance.
func TestChanceProperty(t *testing.T) {
	swept, strays := 0, 0
	const rounds = 400
	for seed := range uint64(rounds) {
		rng := rand.New(rand.NewPCG(seed, 0))
		rows := noise(rng, 50+rng.IntN(2950), 1e6)
		n := int64(math.Exp(math.Log(1e3) + rng.Float64()*math.Log(1e3)))
		rows = append(rows, classCount{"shop.Order", n, 24 * n})
		got, at := clustersFrom(rows, anchor{count: n, classes: []string{"shop.Order"}})
		swept += len(got)
		if at[0] >= 0 {
			swept--
			strays += len(got[at[0]].Classes) - 1
		}
	}
	// So many heaps have half a million counts around which something might stand out.
	if swept > 1 || strays > rounds/20 {
		t.Errorf("in %d heaps of noise %d clusters, and %d strays around a count", rounds, swept, strays)
	}
}

// TestPlantedProperty: eight and more classes of one request are found whole among
// others, with their bytes.
func TestPlantedProperty(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 0))
		n := rapid.Int64Range(5_000, 500_000).Draw(t, "requests")
		kinds := rapid.IntRange(8, 30).Draw(t, "classes of a request")
		rows := noise(rng, rapid.IntRange(50, 200).Draw(t, "classes"), 1e6)
		var want int64
		for i := range kinds {
			count := n + int64(float64(n)*0.005*(2*rng.Float64()-1))
			size := int64(16 + 8*rng.IntN(20))
			rows = append(rows, classCount{fmt.Sprintf("java.own.Part%d", i), count, count * size})
			want += count * size
		}
		got, at := clustersFrom(rows, anchor{count: n, classes: []string{"java.own.Part0"}})
		if at[0] != 0 {
			t.Fatal("no cluster")
		}
		found := 0
		for _, m := range got[0].Classes {
			var k int
			if c, _ := fmt.Sscanf(m.Class, "java.own.Part%d", &k); c == 1 {
				found++
			}
		}
		if found != kinds {
			t.Errorf("%d of %d classes found", found, kinds)
		}
		if got[0].Bytes < want {
			t.Errorf("%d bytes, want at least %d", got[0].Bytes, want)
		}
	})
}

// TestPoissonTail is held against the tail as tables have it.
func TestPoissonTail(t *testing.T) {
	for _, tt := range []struct {
		mean float64
		m    int
		want float64
	}{{1, 1, 0.632121}, {2, 5, 0.052653}, {0.5, 3, 0.014388}, {10, 20, 0.003454}, {0.1, 8, 2.2693e-13}, {3, 0, 1}} {
		if got := poissonTail(tt.mean, tt.m); math.Abs(got/tt.want-1) > 1e-3 {
			t.Errorf("P(N >= %d) with mean %g is %g, want %g", tt.m, tt.mean, got, tt.want)
		}
	}
}

func TestFamily(t *testing.T) {
	for class, want := range map[string]string{
		"org.eclipse.jetty.io.X": "org.eclipse.jetty", "shop.Order": "shop", "io.netty.channel.X[]": "io.netty", "java.lang.String": "",
		"byte[]": "", "com.acme.web.Call": "com.acme",
	} {
		if got := family(class); got != want {
			t.Errorf("family of %s is %q, want %q", class, got, want)
		}
	}
}
