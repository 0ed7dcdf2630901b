//go:build e2e

package e2e

import (
	"fmt"
	"os/exec"
	"strings"
	"testing"

	"example.com/kneeline/analyze/lint/model"
	"example.com/kneeline/e2e/conformance"
)

// jettyCells are connectors; attributes are what their XML sets.
var jettyCells = []connectorCell{
	{attributes: `acceptQueueSize 66`, does: "it listens", value: backlogOf, says: "accept queue of %s", count: listenQueue},
	{attributes: ``, does: "it listens", value: backlogOf, says: "accept queue of %s", count: listenQueue},
	{attributes: `acceptQueueSize 0`, does: "it listens", value: backlogOf, says: "accept queue of %s", count: listenQueue},
	{attributes: `idleTimeout 800`, does: "a connection is kept", value: idleOf, says: "closed after %s", wait: sends(oneRequest)},
	{attributes: `idleTimeout 800`, does: "half a head is sent", value: idleOf, says: "closed after %s", wait: sends("GET / HTTP/1.1\r\nHost:")},
}

// jettyPools are pools of threads, with what stands for their queue.
var jettyPools = []struct{ shown, queue string }{
	{"BlockingArrayQueue(6, 6, 40)", `<New class="org.eclipse.jetty.util.BlockingArrayQueue"><Arg type="int">6</Arg><Arg type="int">6</Arg><Arg type="int">40</Arg></New>`},
	{"ArrayBlockingQueue(50)", `<New class="java.util.concurrent.ArrayBlockingQueue"><Arg type="int">50</Arg></New>`},
}

const jettyHead = `<?xml version="1.0"?><!DOCTYPE Configure PUBLIC "-//Jetty//Configure//EN" "https://www.eclipse.org/jetty/configure_9_3.dtd">` + "\n"

func TestConformanceJetty(t *testing.T) {
	java, base := need(t, "java"), t.TempDir()
	classes := jars(t, "jetty9-util", "jetty9-xml")
	var xml strings.Builder
	xml.WriteString(jettyHead + "<Configure id=\"Server\" class=\"org.eclipse.jetty.server.Server\">\n")
	ports, addresses := make([]int, len(jettyCells)), make([]string, len(jettyCells))
	for i, c := range jettyCells {
		ports[i] = free(t)
		addresses[i] = fmt.Sprintf("127.0.0.1:%d", ports[i])
		set := ""
		if name, value, ok := strings.Cut(c.attributes, " "); ok {
			set = fmt.Sprintf("<Set name=%q>%s</Set>", name, value)
		}
		fmt.Fprintf(&xml, "  <Call name=\"addConnector\"><Arg><New class=\"org.eclipse.jetty.server.ServerConnector\"><Arg name=\"server\"><Ref refid=\"Server\"/></Arg>"+
			"<Set name=\"host\">127.0.0.1</Set><Set name=\"port\">%d</Set>%s</New></Arg></Call>\n", ports[i], set)
	}
	xml.WriteString("</Configure>\n")
	put(t, base, "etc/shop.xml", xml.String())
	put(t, base, "start.ini", "--module=server\netc/shop.xml\n")
	docs := conformance.Read(t, "shop.xml", xml.String(), nil)
	var services []*model.Service
	for _, d := range docs {
		services = append(services, d.Services...)
	}
	if len(services) != len(jettyCells) {
		t.Fatalf("%d services of %d connectors", len(services), len(jettyCells))
	}
	cmd := exec.Command(java, "-Xmx128m", "-jar", "/usr/share/jetty9/start.jar", "jetty.home=/usr/share/jetty9", "jetty.base="+base)
	cmd.Dir = base
	serve(t, ports[len(ports)-1], cmd)
	rows := checkConnectors(t, jettyCells, addresses, func(i int) *model.Service { return services[i] })
	source := put(t, base, "ReadPool.java", readPool)
	for i, p := range jettyPools {
		text := jettyHead + "<Configure><New id=\"threadPool\" class=\"org.eclipse.jetty.util.thread.QueuedThreadPool\"><Arg type=\"int\">20</Arg><Arg type=\"int\">4</Arg><Arg type=\"int\">60000</Arg><Arg>" + p.queue + "</Arg></New></Configure>\n"
		pool := conformance.Read(t, "jetty-threadpool.xml", text, nil)[0].Services[0].Exec
		rows = append(rows, conformance.Row{Settings: conformance.Code("QueuedThreadPool(20, 4, 60000, " + p.shown + ")"), Request: "requests wait for a thread",
			Model: fmt.Sprintf("%s threads, %s places", pool.Threads, pool.Queue), Agrees: conformance.Exactly})
		said := passes(t, java, "-cp", classes, source, put(t, base, fmt.Sprintf("pool%d.xml", i), text))
		if want := fmt.Sprintf("threads %.0f places %.0f", pool.Threads.Amount, pool.Queue.Amount); !strings.Contains(said, want) {
			t.Errorf("%s: the model says %s, Jetty %s", p.shown, want, said)
		}
	}
	page(t, "Jetty", rows)
}
