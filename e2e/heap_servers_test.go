//go:build e2e

package e2e

import (
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// Real servers that cannot serve, with more requests than they have threads.

const (
	flooded   = 15_500
	floodRate = 2_500 // a second

	jettyPlaces = 60_000
)

// jettyPool has the 12 threads of the founding case, and so much room.
const jettyPool = `<?xml version="1.0"?><!DOCTYPE Configure PUBLIC "-//Jetty//Configure//EN" "https://jetty.org/configure_9_3.dtd">
<Configure>
  <New id="threadPool" class="org.eclipse.jetty.util.thread.QueuedThreadPool">
    <Arg name="maxThreads" type="int">12</Arg>
    <Arg name="minThreads" type="int">12</Arg>
    <Arg name="idleTimeout" type="int">60000</Arg>
    <Arg name="queue"><New class="org.eclipse.jetty.util.BlockingArrayQueue">
      <Arg type="int">12</Arg><Arg type="int">12</Arg><Arg type="int">%d</Arg>
    </New></Arg>
  </New>
</Configure>
`

// jetty starts the distribution with the handler of testdata/heap.
func jetty(t *testing.T, async bool, places int) (*jvm, int) {
	t.Helper()
	classes, port, base := heapClasses(t), free(t), t.TempDir()
	put(t, base, "etc/jetty-threadpool.xml", fmt.Sprintf(jettyPool, places))
	put(t, base, "start.d/server.ini", "--module=server\n")
	put(t, base, "start.d/http.ini", fmt.Sprintf("--module=http\njetty.http.host=127.0.0.1\njetty.http.port=%d\n"+
		"jetty.http.acceptQueueSize=4096\njetty.http.idleTimeout=600000\n", port))
	stall := put(t, base, "etc/stall.xml", fmt.Sprintf(`<?xml version="1.0"?><!DOCTYPE Configure PUBLIC "-//Jetty//Configure//EN" "https://jetty.org/configure_9_3.dtd">
<Configure id="Server" class="org.eclipse.jetty.server.Server">
  <Set name="handler"><New class="shop.Stall"><Set name="async" type="boolean">%v</Set></New></Set>
</Configure>
`, async))
	j := startJava(t, base, "-Xmx1g", "-XX:+UseParallelGC", "-jar", "/usr/share/jetty9/start.jar",
		"jetty.home=/usr/share/jetty9", "jetty.base="+base, "--lib="+classes, stall)
	listens(t, j, port)
	return j, port
}

// listens waits until a server takes connections.
func listens(t *testing.T, j *jvm, port int) {
	t.Helper()
	for range 600 {
		c, err := net.DialTimeout("tcp", fmt.Sprintf("127.0.0.1:%d", port), time.Second)
		if err == nil {
			c.Close()
			warm(t, port)
			return
		}
		select {
		case <-j.ended:
			t.Fatalf("the server ended early: %s", j.log.String())
		case <-time.After(100 * time.Millisecond):
		}
	}
	t.Fatalf("the server does not listen: %s", j.log.String())
}

// warm has some requests served, so that the classes for it are loaded.
func warm(t *testing.T, port int) {
	t.Helper()
	client := http.Client{Timeout: 30 * time.Second, Transport: &http.Transport{DisableKeepAlives: true}}
	for range 20 {
		resp, err := client.Get(fmt.Sprintf("http://127.0.0.1:%d/fast", port))
		if err != nil {
			t.Fatal(err)
		}
		resp.Body.Close()
		if resp.StatusCode != http.StatusOK {
			t.Fatal(resp.Status)
		}
	}
}

// until asks a server how things stand until they are as they should be, and
// stay so.
func (j *jvm) until(t *testing.T, what string, as func(heapTruth) bool) heapTruth {
	t.Helper()
	var now heapTruth
	same := 0
	for range 600 {
		before := now
		if now = j.ask(t); as(now) && now.counts() == before.counts() {
			if same++; same == 10 {
				return now
			}
		} else {
			same = 0
		}
		time.Sleep(50 * time.Millisecond)
	}
	t.Fatalf("never %s: %+v", what, now)
	return now
}

// counts are what a server that stands still does not change.
func (h heapTruth) counts() [5]int64 {
	if h.Threads == nil || h.Busy == nil {
		return [5]int64{-1} // It has not said anything yet.
	}
	return [5]int64{h.PoolQueue, h.InHandler, h.Parked, *h.Threads, *h.Busy}
}

// piledJetty floods a Jetty and takes its dump.
func piledJetty(t *testing.T, async bool) taken {
	j, port := jetty(t, async, jettyPlaces)
	defer j.stop(t)
	idle := j.liveBytes(t)
	first, last := j.clients.flood(t, port, flooded, floodRate)
	var truth heapTruth
	name := "jetty-blocking"
	if async {
		name = "jetty-async"
		truth = j.until(t, "all parked", func(now heapTruth) bool { return now.Parked == flooded })
		truth.Threads, truth.Busy = nil, nil // the pool does not drain it
		truth.Owner, truth.QueueClass = "shop.Stall", "java.util.concurrent.LinkedBlockingQueue"
		truth.PayloadClass, truth.Entries, truth.Requests = "org.eclipse.jetty.server.AsyncContextState", truth.Parked, truth.Parked
	} else {
		truth = j.until(t, "all queued", func(now heapTruth) bool { return now.PoolQueue+now.InHandler >= flooded && now.InHandler > 0 })
		truth.Owner, truth.QueueClass, truth.Entries = "org.eclipse.jetty.util.thread.QueuedThreadPool", truth.PoolQueueClass, truth.PoolQueue
		truth.HeadOnly = true // connections that are not accepted yet have no time
		truth.InService, truth.Requests, truth.Capacity = truth.InHandler, flooded-truth.InHandler, new(int64(jettyPlaces))
	}
	truth.Kind, truth.Clock, truth.First, truth.Last = "pile-up", "epoch", first, last
	truth.BytesEach = (j.liveBytes(t) - idle) / flooded
	return j.take(t, name, truth)
}

// piledTomcat floods a Tomcat and takes its dump.
func piledTomcat(t *testing.T) taken {
	classes, port, dir := heapClasses(t), free(t), t.TempDir()
	j := startJava(t, dir, "-Xmx1g", "-XX:+UseParallelGC", "-cp", classes+":"+classpath(), "shop.StallTomcat",
		fmt.Sprint(port), filepath.Join(dir, "base"))
	defer j.stop(t)
	listens(t, j, port)
	idle := j.liveBytes(t)
	first, last := j.clients.flood(t, port, flooded, floodRate)
	truth := j.until(t, "all queued", func(now heapTruth) bool { return now.PoolQueue+now.InHandler >= flooded })
	truth.Kind, truth.Owner, truth.QueueClass, truth.Entries = "pile-up", "org.apache.tomcat.util.threads.ThreadPoolExecutor", truth.PoolQueueClass, truth.PoolQueue
	truth.PayloadClass = "org.apache.tomcat.util.net.NioEndpoint$SocketProcessor"
	truth.InService, truth.Requests = truth.InHandler, flooded-truth.InHandler
	truth.Clock, truth.First, truth.Last = "epoch", first, last
	truth.BytesEach = (j.liveBytes(t) - idle) / flooded
	return j.take(t, "tomcat", truth)
}

// fullJetty has room for 5,000, which is all taken, and sheds the rest.
func fullJetty(t *testing.T) taken {
	const places = 5_000
	j, port := jetty(t, false, places)
	j.clients.flood(t, port, 7_000, floodRate)
	truth := j.until(t, "full", func(now heapTruth) bool { return now.PoolQueue == places && now.InHandler > 0 })
	truth.Kind, truth.Owner, truth.QueueClass = "pile-up", "org.eclipse.jetty.util.thread.QueuedThreadPool", truth.PoolQueueClass
	truth.Entries, truth.Requests, truth.InService, truth.Capacity = places, places, truth.InHandler, new(int64(places))
	return j.take(t, "jetty-full", truth)
}

// served opens connections and has a request served on each.
func (j *jvm) served(t *testing.T, port, count int) []net.Conn {
	t.Helper()
	var conns []net.Conn
	answer := make([]byte, 4096)
	for _, c := range j.clients.open(t, port, count, floodRate) {
		if _, err := io.WriteString(c, "GET /fast HTTP/1.1\r\nHost: shop\r\n\r\n"); err != nil {
			t.Fatal(err)
		}
		_ = c.SetReadDeadline(time.Now().Add(10 * time.Second))
		n, err := c.Read(answer)
		if err != nil || !strings.HasPrefix(string(answer[:n]), "HTTP/1.1 200") {
			t.Fatalf("%v: %q", err, answer[:n])
		}
		conns = append(conns, c)
	}
	return conns
}

// idleJetty has served a request on each of many connections, which their
// clients keep for the next.
func idleJetty(t *testing.T) taken {
	j, port := jetty(t, false, jettyPlaces)
	j.served(t, port, 2_000)
	truth := j.ask(t)
	truth.Kind, truth.Holds = "control", "an idle server with connections kept alive"
	return j.take(t, "control-idle-jetty", truth)
}

// reusedJetty is piled up with requests on connections that have been there for a
// while: their age is not that of the requests, and they come in no order.
func reusedJetty(t *testing.T) taken {
	const count = 3_000
	j, port := jetty(t, false, jettyPlaces)
	conns := j.served(t, port, count)
	rand.New(rand.NewPCG(1, 2)).Shuffle(len(conns), func(a, b int) { conns[a], conns[b] = conns[b], conns[a] })
	time.Sleep(2 * time.Second)
	var first, last int64
	for i, c := range conns {
		last = time.Now().UnixMilli()
		if i == 0 {
			first = last
		}
		if _, err := io.WriteString(c, "GET /order HTTP/1.1\r\nHost: shop\r\n\r\n"); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Second / floodRate)
	}
	truth := j.until(t, "all queued", func(now heapTruth) bool { return now.PoolQueue+now.InHandler >= count && now.InHandler > 0 })
	truth.Kind, truth.Owner, truth.QueueClass = "pile-up", "org.eclipse.jetty.util.thread.QueuedThreadPool", truth.PoolQueueClass
	truth.Entries, truth.Requests, truth.InService, truth.Capacity = truth.PoolQueue, count-truth.InHandler, truth.InHandler, new(int64(jettyPlaces))
	truth.First, truth.Last = first, last
	return j.take(t, "jetty-reused", truth)
}
