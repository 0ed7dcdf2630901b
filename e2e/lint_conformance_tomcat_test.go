//go:build e2e

package e2e

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"example.com/kneeline/analyze/lint/model"
	"example.com/kneeline/e2e/conformance"
)

// slowServlet takes its time, reads what is sent, and says how many requests it had at
// once at most since that was last asked.
const slowServlet = `
import jakarta.servlet.http.*;
import java.util.concurrent.atomic.AtomicInteger;

public class Slow extends HttpServlet {
    private final AtomicInteger now = new AtomicInteger(), most = new AtomicInteger();

    @Override
    protected void service(HttpServletRequest request, HttpServletResponse response) throws java.io.IOException {
        if (request.getParameter("most") != null) {
            response.getWriter().print(most.getAndSet(0));
            return;
        }
        most.accumulateAndGet(now.incrementAndGet(), Math::max);
        try {
            request.getInputStream().readAllBytes();
            String wait = request.getParameter("ms");
            if (wait != null) Thread.sleep(Long.parseLong(wait));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            now.decrementAndGet();
        }
    }
}
`

const slowApp = `<web-app xmlns="https://jakarta.ee/xml/ns/jakartaee" version="6.0" metadata-complete="true">
<servlet><servlet-name>slow</servlet-name><servlet-class>Slow</servlet-class></servlet>
<servlet-mapping><servlet-name>slow</servlet-name><url-pattern>/slow</url-pattern></servlet-mapping>
</web-app>`

// slowRequest is how long a request takes that is to take long.
const slowRequest = 400 * time.Millisecond

// connectorCell is a connector, and what is held against it.
type connectorCell struct {
	attributes string
	// shown is what the page has in the place of attributes.
	shown string
	does  string
	value func(*model.Service) model.Value
	// says puts the value into words.
	says string
	// late is how much longer, in seconds, the server may take.
	late float64
	// wait is a time that is measured, count a number, given the address.
	wait  func(t *testing.T, address string) float64
	count func(t *testing.T, address string, v float64) float64
}

func backlogOf(s *model.Service) model.Value     { return s.Listen.Backlog }
func requestsOf(s *model.Service) model.Value    { return s.Listen.KeepRequests }
func threadsOf(s *model.Service) model.Value     { return s.Exec.Threads }
func connectionsOf(s *model.Service) model.Value { return s.Listen.MaxConnections }

// placesOf are the requests that are taken: one a thread, and those that wait.
func placesOf(s *model.Service) model.Value {
	return model.Of(model.Count, s.Exec.Threads.Amount+s.Exec.Queue.Amount, "threads and queue")
}

func sends(text string) func(t *testing.T, address string) float64 {
	return func(t *testing.T, address string) float64 { return idles(t, "tcp", address, text) }
}

// tomcatLooks is how often, in seconds, Tomcat looks for connections whose time is up.
const tomcatLooks = 1

// until is how long it is until the first byte of an answer to a text.
func until(text string) func(t *testing.T, address string) float64 {
	return func(t *testing.T, address string) float64 {
		c, err := net.DialTimeout("tcp", address, cellPatience)
		if err != nil {
			t.Error(err)
			return 0
		}
		defer c.Close()
		_ = c.SetDeadline(time.Now().Add(cellPatience))
		_, _ = io.WriteString(c, text)
		began := time.Now()
		if _, err := c.Read(make([]byte, 1)); err != nil {
			t.Error(err)
		}
		return time.Since(began).Seconds()
	}
}

const askSlow = "GET /slow HTTP/1.1\r\nHost: a\r\n\r\n"

var tomcatCells = []connectorCell{
	{attributes: `acceptCount="66"`, does: "it listens", value: backlogOf, says: "accept queue of %s", count: listenQueue},
	{attributes: ``, does: "it listens", value: backlogOf, says: "accept queue of %s", count: listenQueue},
	{attributes: `connectionTimeout="800"`, does: "half a head is sent", value: headOf, says: "closed after %s", late: tomcatLooks, wait: sends("GET / HTTP/1.1\r\nHost:")},
	{attributes: `connectionTimeout="800"`, does: "a connection is kept", value: idleOf, says: "closed after %s", late: tomcatLooks, wait: sends(askSlow)},
	{attributes: `connectionTimeout="5000" keepAliveTimeout="800"`, does: "a connection is kept", value: idleOf, says: "closed after %s", late: tomcatLooks, wait: sends(askSlow)},
	{attributes: `connectionUploadTimeout="800" disableUploadTimeout="false"`, does: "half a body is sent", value: bodyOf, says: "given up after %s",
		wait: until("POST /slow HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\nhal")},
	{attributes: `maxKeepAliveRequests="3"`, does: "requests are sent one after the other", value: requestsOf, says: "closed after %s requests",
		count: func(t *testing.T, address string, _ float64) float64 {
			return answers(t, "tcp", address, strings.Repeat(askSlow, 9))
		}},
	{attributes: `maxThreads="3" minSpareThreads="1"`, does: "12 requests at once", value: threadsOf, says: "%s are served at once", count: atOnceIn},
	{attributes: `executor="few"`, shown: tomcatExecutor, does: "12 requests at once", value: placesOf, says: "%s are answered, the others refused", count: answered},
	{attributes: `maxConnections="3"`, does: "connections are kept", value: connectionsOf, says: "%s are served", count: served},
}

const tomcatExecutor = `<Executor name="few" maxThreads="2" minSpareThreads="1" maxQueueSize="2"/>`

// listenQueue asks the kernel for the accept queue of an address.
func listenQueue(t *testing.T, address string, _ float64) float64 {
	_, port, _ := net.SplitHostPort(address)
	out, err := exec.Command(need(t, "ss"), "-Hltn", "sport", "=", ":"+port).CombinedOutput()
	if err != nil {
		t.Errorf("%v: %s", err, out)
		return 0
	}
	var state string
	var received, queue float64
	if _, err := fmt.Sscan(string(out), &state, &received, &queue); err != nil {
		t.Errorf("%v: %s", err, out)
	}
	return queue
}

// many sends requests at once, each on a connection of its own, and counts those that
// are answered well.
func many(t *testing.T, address string) float64 {
	var good atomic.Int64
	var wait sync.WaitGroup
	for range 12 {
		wait.Add(1)
		go func() {
			defer wait.Done()
			c := &http.Client{Timeout: cellPatience, Transport: &http.Transport{DisableKeepAlives: true}}
			resp, err := c.Get(fmt.Sprintf("http://%s/slow?ms=%d", address, slowRequest.Milliseconds()))
			if err != nil {
				return
			}
			defer resp.Body.Close()
			if _, err := io.Copy(io.Discard, resp.Body); err == nil && resp.StatusCode == http.StatusOK {
				good.Add(1)
			}
		}()
	}
	wait.Wait()
	return float64(good.Load())
}

func answered(t *testing.T, address string, _ float64) float64 { return many(t, address) }

// atOnceIn asks the servlet how many requests it had at once. Every other connector's
// requests are in it too, so this cell runs alone.
func atOnceIn(t *testing.T, address string, _ float64) float64 {
	most := func() float64 {
		resp, err := http.Get("http://" + address + "/slow?most=1")
		if err != nil {
			t.Error(err)
			return 0
		}
		defer resp.Body.Close()
		var n float64
		_, _ = fmt.Fscan(resp.Body, &n)
		return n
	}
	most()
	if good := many(t, address); good != 12 {
		t.Errorf("%v of 12 requests were answered", good)
	}
	return most()
}

// served counts the connections that are answered while all are kept, of two more than
// the limit.
func served(t *testing.T, address string, limit float64) float64 {
	n := 0.0
	for range int(limit) + 2 {
		c, err := net.Dial("tcp", address)
		if err != nil {
			break
		}
		defer c.Close()
		_, _ = io.WriteString(c, askSlow)
		_ = c.SetReadDeadline(time.Now().Add(time.Second))
		if got, _ := c.Read(make([]byte, 512)); got > 0 {
			n++
		}
	}
	return n
}

func TestConformanceTomcat(t *testing.T) {
	javac, base := need(t, "javac"), t.TempDir()
	need(t, "java")
	const home = "/usr/share/tomcat10"
	if _, err := os.Stat(home + "/bin/catalina.sh"); err != nil {
		if os.Getenv("CI") == "true" {
			t.Fatal(err)
		}
		t.Skip(err)
	}
	source := put(t, base, "Slow.java", slowServlet)
	put(t, base, "webapps/ROOT/WEB-INF/web.xml", slowApp)
	passes(t, javac, "-cp", home+"/lib/servlet-api.jar", "-d", filepath.Join(base, "webapps/ROOT/WEB-INF/classes"), source)
	for _, dir := range []string{"logs", "temp"} {
		put(t, base, dir+"/empty", "")
	}
	var connectors strings.Builder
	addresses, ports := make([]string, len(tomcatCells)), make([]int, len(tomcatCells))
	for i, c := range tomcatCells {
		ports[i] = free(t)
		addresses[i] = fmt.Sprintf("127.0.0.1:%d", ports[i])
		fmt.Fprintf(&connectors, "  <Connector port=\"%d\" address=\"127.0.0.1\" %s/>\n", ports[i], c.attributes)
	}
	text := "<Server port=\"-1\">\n<Service name=\"Catalina\">\n  " + tomcatExecutor + "\n" + connectors.String() +
		"  <Engine name=\"Catalina\" defaultHost=\"localhost\"><Host name=\"localhost\" appBase=\"webapps\"/></Engine>\n</Service>\n</Server>\n"
	put(t, base, "conf/server.xml", text)
	docs := conformance.Read(t, "server.xml", text, nil)
	cmd := exec.Command(home+"/bin/catalina.sh", "run")
	cmd.Env = append(os.Environ(), "CATALINA_HOME="+home, "CATALINA_BASE="+base, "CATALINA_OPTS=-Xmx128m")
	serve(t, ports[len(ports)-1], cmd)
	until(askSlow)(t, addresses[0]) // connectors listen before the application is there
	rows := checkConnectors(t, tomcatCells, addresses, func(i int) *model.Service {
		return conformance.Service(t, docs, fmt.Sprintf("connector %d", ports[i]))
	})
	page(t, "Tomcat", rows)
}

// checkConnectors holds connectors against the model: counts one after the other, since
// they load the server, times at once.
func checkConnectors(t *testing.T, all []connectorCell, addresses []string, of func(int) *model.Service) []conformance.Row {
	rows := make([]conformance.Row, len(all))
	timed := newCells(t)
	for i, c := range all {
		v := c.value(of(i))
		rows[i] = conformance.Row{Settings: or(conformance.Code(or(c.shown, c.attributes)), "the defaults"), Request: c.does, Model: fmt.Sprintf(c.says, v), Agrees: conformance.Closely}
		if c.late > 0 {
			rows[i].Agrees = fmt.Sprintf("no earlier, at most %g s later", c.late)
		}
		name := fmt.Sprintf("%d %s", i, c.does)
		if c.wait != nil {
			timed.run(name, func(t *testing.T) {
				conformance.Check(t, conformance.Outcome{Tries: 1, Seconds: v.Amount, Late: c.late}, func(t *testing.T) conformance.Outcome {
					return conformance.Outcome{Tries: 1, Seconds: c.wait(t, addresses[i])}
				})
			})
			continue
		}
		rows[i].Agrees = conformance.Exactly
	}
	timed.wait.Wait()
	for i, c := range all {
		if c.count == nil {
			continue
		}
		v := c.value(of(i))
		t.Run(fmt.Sprintf("%d %s", i, c.does), func(t *testing.T) {
			if got := c.count(t, addresses[i], v.Amount); got != v.Amount {
				t.Errorf("%s: measured %v, the model says %v", c.attributes, got, v.Amount)
			}
		})
	}
	return rows
}
