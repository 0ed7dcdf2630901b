//go:build e2e

package e2e

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"path/filepath"
	"testing"
	"time"
)

// Real servers that cannot serve, with more requests than they have threads.

const (
	flooded   = 15_500
	floodRate = 2_500 // a second

	jettyPlaces = 60_000
)

// jettyPool is the founding case's: 12 threads and room for 60,000.
const jettyPool = `<?xml version="1.0"?><!DOCTYPE Configure PUBLIC "-//Jetty//Configure//EN" "https://jetty.org/configure_9_3.dtd">
<Configure>
  <New id="threadPool" class="org.eclipse.jetty.util.thread.QueuedThreadPool">
    <Arg name="maxThreads" type="int">12</Arg>
    <Arg name="minThreads" type="int">12</Arg>
    <Arg name="idleTimeout" type="int">60000</Arg>
    <Arg name="queue"><New class="org.eclipse.jetty.util.BlockingArrayQueue">
      <Arg type="int">12</Arg><Arg type="int">12</Arg><Arg type="int">60000</Arg>
    </New></Arg>
  </New>
</Configure>
`

// jetty starts the distribution with the handler of testdata/heap.
func jetty(t *testing.T, async bool) (*jvm, int) {
	t.Helper()
	classes, port, base := heapClasses(t), free(t), t.TempDir()
	put(t, base, "etc/jetty-threadpool.xml", jettyPool)
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

// until asks a server how things stand until they are as they should be.
func (j *jvm) until(t *testing.T, what string, as func(heapTruth) bool) heapTruth {
	t.Helper()
	var now heapTruth
	for range 300 {
		if now = j.ask(t); as(now) {
			return now
		}
		time.Sleep(100 * time.Millisecond)
	}
	t.Fatalf("never %s: %+v", what, now)
	return now
}

// piledJetty floods a Jetty and takes its dump.
func piledJetty(t *testing.T, async bool) taken {
	j, port := jetty(t, async)
	idle := j.liveBytes(t)
	first, last := flood(t, port, flooded, floodRate)
	var truth heapTruth
	name := "jetty-blocking"
	if async {
		name = "jetty-async"
		truth = j.until(t, "all parked", func(now heapTruth) bool { return now.Parked == flooded })
		truth.Owner, truth.QueueClass = "java.util.concurrent.LinkedBlockingQueue", "java.util.concurrent.LinkedBlockingQueue"
		truth.PayloadClass, truth.Entries, truth.Requests = "org.eclipse.jetty.server.AsyncContextState", truth.Parked, truth.Parked
	} else {
		truth = j.until(t, "all queued", func(now heapTruth) bool { return now.PoolQueue+now.InHandler >= flooded && now.InHandler > 0 })
		truth.Owner, truth.QueueClass, truth.Entries = "org.eclipse.jetty.util.thread.QueuedThreadPool", truth.PoolQueueClass, truth.PoolQueue
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
	listens(t, j, port)
	idle := j.liveBytes(t)
	first, last := flood(t, port, flooded, floodRate)
	truth := j.until(t, "all queued", func(now heapTruth) bool { return now.PoolQueue+now.InHandler >= flooded })
	truth.Kind, truth.Owner, truth.QueueClass, truth.Entries = "pile-up", "org.apache.tomcat.util.threads.ThreadPoolExecutor", truth.PoolQueueClass, truth.PoolQueue
	truth.PayloadClass = "org.apache.tomcat.util.net.NioEndpoint$SocketProcessor"
	truth.InService, truth.Requests = truth.InHandler, flooded-truth.InHandler
	truth.Clock, truth.First, truth.Last = "epoch", first, last
	truth.BytesEach = (j.liveBytes(t) - idle) / flooded
	return j.take(t, "tomcat", truth)
}

// idleJetty has served some requests and waits for more.
func idleJetty(t *testing.T) taken {
	j, port := jetty(t, false)
	client := http.Client{Timeout: 10 * time.Second}
	for range 500 {
		resp, err := client.Get(fmt.Sprintf("http://127.0.0.1:%d/fast", port))
		if err != nil {
			t.Fatal(err)
		}
		_, _ = io.Copy(io.Discard, resp.Body)
		resp.Body.Close()
	}
	truth := j.ask(t)
	truth.Kind, truth.Holds = "control", "an idle server"
	return j.take(t, "control-idle-jetty", truth)
}
