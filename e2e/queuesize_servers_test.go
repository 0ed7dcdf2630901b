//go:build e2e

package e2e

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// The snippets of queuesize are loaded by the servers they are for. Where a
// server listens, the kernel says whether the accept queue is the one advised.

const advisedBacklog = "66"

// snippet returns the text of the n-th snippet for a server, for FollowFeed's
// numbers and the port given in place of 8080.
func snippet(t *testing.T, server string, n, port int) string {
	t.Helper()
	r := kneeline(t, "queuesize", "--capacity", "1200/s", "--timeout", "400ms", "--workers", "12",
		"--peak", "950/s", "--clients", "500", "--server", server, "-o", "json")
	if r.code != 0 {
		t.Fatalf("exit code %d: %s", r.code, r.stderr)
	}
	var doc struct {
		Server struct {
			Snippets []struct{ Code string }
		}
	}
	if err := json.Unmarshal([]byte(r.stdout), &doc); err != nil {
		t.Fatal(err)
	}
	code := doc.Server.Snippets[n].Code
	if port > 0 {
		code = strings.ReplaceAll(code, "8080", fmt.Sprint(port))
	}
	return code
}

func put(t *testing.T, dir, name, text string) string {
	t.Helper()
	path := filepath.Join(dir, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

func free(t *testing.T) int {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().(*net.TCPAddr).Port
}

// serve runs a server until the test ends and waits until it listens.
func serve(t *testing.T, port int, cmd *exec.Cmd) {
	t.Helper()
	var log bytes.Buffer
	cmd.Stdout, cmd.Stderr = &log, &log
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan struct{})
	go func() {
		_ = cmd.Wait()
		close(ended)
	}()
	t.Cleanup(func() {
		_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGTERM)
		select {
		case <-ended:
		case <-time.After(10 * time.Second):
			_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
			<-ended
		}
		if t.Failed() {
			t.Logf("%s said:\n%s", cmd.Path, log.String())
		}
	})
	for range 600 {
		c, err := net.DialTimeout("tcp", fmt.Sprintf("127.0.0.1:%d", port), time.Second)
		if err == nil {
			c.Close()
			return
		}
		select {
		case <-ended:
			t.Fatalf("%s ended early", cmd.Path)
		case <-time.After(100 * time.Millisecond):
		}
	}
	t.Fatalf("%s does not listen", cmd.Path)
}

// wantBacklog asks the kernel for the accept queue of a listening port.
func wantBacklog(t *testing.T, port int) {
	t.Helper()
	out, err := exec.Command(need(t, "ss"), "-Hltn", "sport", "=", fmt.Sprintf(":%d", port)).CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	fields := strings.Fields(string(out))
	if len(fields) < 3 || fields[2] != advisedBacklog {
		t.Errorf("the accept queue is not %s: %s", advisedBacklog, out)
	}
}

// passes runs a program to its end and returns what it said.
func passes(t *testing.T, name string, args ...string) string {
	t.Helper()
	out, err := exec.Command(name, args...).CombinedOutput()
	if err != nil {
		t.Fatalf("%s %v: %v\n%s", name, args, err, out)
	}
	return string(out)
}

func TestQueuesizeNginx(t *testing.T) {
	nginx, port, dir := need(t, "nginx"), free(t), t.TempDir()
	path := put(t, dir, "nginx.conf", fmt.Sprintf("daemon off;\npid %[1]s/pid;\nerror_log stderr;\nevents {}\nhttp {\naccess_log off;\n"+
		"client_body_temp_path %[1]s/b;\nproxy_temp_path %[1]s/p;\nfastcgi_temp_path %[1]s/f;\nuwsgi_temp_path %[1]s/u;\nscgi_temp_path %[1]s/s;\n%[2]s}\n",
		dir, snippet(t, "nginx", 0, port)))
	if said := passes(t, nginx, "-t", "-c", path); strings.Contains(said, "[warn]") {
		t.Error(said)
	}
	serve(t, port, exec.Command(nginx, "-c", path))
	wantBacklog(t, port)
}

func TestQueuesizeHAProxy(t *testing.T) {
	haproxy, port := need(t, "haproxy"), free(t)
	path := put(t, t.TempDir(), "haproxy.cfg", snippet(t, "haproxy", 0, port))
	if said := passes(t, haproxy, "-c", "-f", path); strings.Contains(said, "WARNING") {
		t.Error(said)
	}
	serve(t, port, exec.Command(haproxy, "-db", "-f", path))
	wantBacklog(t, port)
}

// jars lists Debian's jars, and skips when the first is not there.
func jars(t *testing.T, names ...string) string {
	t.Helper()
	var paths []string
	for _, n := range names {
		paths = append(paths, "/usr/share/java/"+n+".jar")
	}
	if _, err := os.Stat(paths[0]); err != nil {
		if os.Getenv("CI") == "true" {
			t.Fatal(err)
		}
		t.Skip(err)
	}
	return strings.Join(paths, ":")
}

// readPool loads the XML as Jetty does and says what pool came of it.
const readPool = `
import java.lang.reflect.Method;
import java.nio.file.Path;
import java.util.concurrent.BlockingQueue;
import org.eclipse.jetty.util.resource.Resource;
import org.eclipse.jetty.util.thread.QueuedThreadPool;
import org.eclipse.jetty.xml.XmlConfiguration;

public class ReadPool {
    public static void main(String[] args) throws Exception {
        XmlConfiguration xml = new XmlConfiguration(Resource.newResource(Path.of(args[0])));
        xml.configure();
        QueuedThreadPool pool = (QueuedThreadPool) xml.getIdMap().get("threadPool");
        Method queue = QueuedThreadPool.class.getDeclaredMethod("getQueue");
        queue.setAccessible(true);
        BlockingQueue<Runnable> jobs = (BlockingQueue<Runnable>) queue.invoke(pool);
        int places = 0;
        while (jobs.offer(() -> {})) places++;
        System.out.println("threads " + pool.getMaxThreads() + " places " + places);
    }
}
`

func TestQueuesizeJetty(t *testing.T) {
	java, port, base := need(t, "java"), free(t), t.TempDir()
	classes := jars(t, "jetty9-util", "jetty9-xml")
	pool := put(t, base, "etc/jetty-threadpool.xml", snippet(t, "jetty", 0, 0))
	said := passes(t, java, "-cp", classes, put(t, base, "ReadPool.java", readPool), pool)
	if !strings.Contains(said, "threads 20 places 402") {
		t.Errorf("the pool is not the one advised: %s", said)
	}
	put(t, base, "start.d/http.ini", snippet(t, "jetty", 1, 0)+fmt.Sprintf("jetty.http.host=127.0.0.1\njetty.http.port=%d\n", port))
	put(t, base, "start.d/server.ini", "--module=server\n")
	cmd := exec.Command(java, "-jar", "/usr/share/jetty9/start.jar", "jetty.home=/usr/share/jetty9", "jetty.base="+base)
	cmd.Dir = base
	serve(t, port, cmd)
	wantBacklog(t, port)
}

func TestQueuesizeTomcat(t *testing.T) {
	need(t, "java")
	const home = "/usr/share/tomcat10"
	if _, err := os.Stat(home + "/bin/catalina.sh"); err != nil {
		if os.Getenv("CI") == "true" {
			t.Fatal(err)
		}
		t.Skip(err)
	}
	port, base := free(t), t.TempDir()
	put(t, base, "conf/server.xml", `<Server port="-1"><Service name="Catalina">
`+snippet(t, "tomcat", 0, port)+`
<Engine name="Catalina" defaultHost="localhost"><Host name="localhost" appBase="webapps"/></Engine></Service></Server>`)
	put(t, base, "logs/empty", "")
	put(t, base, "webapps/empty", "")
	put(t, base, "temp/empty", "")
	catalina := func(verb string) *exec.Cmd {
		cmd := exec.Command(home+"/bin/catalina.sh", verb)
		cmd.Env = append(os.Environ(), "CATALINA_HOME="+home, "CATALINA_BASE="+base, "CATALINA_OPTS=-Xmx128m")
		return cmd
	}
	out, err := catalina("configtest").CombinedOutput()
	if err != nil || strings.Contains(string(out), "failed to set property") {
		t.Fatalf("%v: %s", err, out)
	}
	serve(t, port, catalina("run"))
	wantBacklog(t, port)
}

func TestQueuesizeNetty(t *testing.T) {
	java := need(t, "java")
	classes := jars(t, "netty-transport", "netty-common", "netty-buffer", "netty-resolver")
	path := put(t, t.TempDir(), "Server.java", `import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.ChannelOption;
import java.util.concurrent.*;

public class Server {
    public static void main(String[] args) {
`+snippet(t, "netty", 0, 0)+`
        Object backlog = bootstrap.config().options().get(ChannelOption.SO_BACKLOG);
        System.out.println("places " + requests.getQueue().remainingCapacity() + " threads " + requests.getMaximumPoolSize() + " backlog " + backlog);
    }
}`)
	if said := passes(t, java, "-cp", classes, path); !strings.Contains(said, "places 402 threads 12 backlog "+advisedBacklog) {
		t.Errorf("the limits are not those advised: %s", said)
	}
}

// The service config and the interceptor are accepted by gRPC for Go, which is
// fetched for this test alone.
func TestQueuesizeGRPC(t *testing.T) {
	goTool, dir := need(t, "go"), t.TempDir()
	put(t, dir, "limit.go", snippet(t, "grpc", 0, 0))
	put(t, dir, "limit_test.go", "package service\n\nimport (\n\t\"testing\"\n\n\t\"google.golang.org/grpc\"\n\t\"google.golang.org/grpc/credentials/insecure\"\n)\n\n"+
		"func TestLimits(t *testing.T) {\n\tNewServer().Stop()\n\tc, err := grpc.NewClient(\"127.0.0.1:1\", grpc.WithTransportCredentials(insecure.NewCredentials()), grpc.WithDefaultServiceConfig(`"+
		snippet(t, "grpc", 1, 0)+"`))\n\tif err != nil {\n\t\tt.Fatal(err)\n\t}\n\tc.Close()\n}\n")
	put(t, dir, "go.mod", "module example.com/service\n\ngo 1.24\n")
	run := func(args ...string) (string, error) {
		cmd := exec.Command(goTool, args...)
		cmd.Dir = dir
		cmd.Env = append(os.Environ(), "GOWORK=off", "GOFLAGS=-mod=mod")
		out, err := cmd.CombinedOutput()
		return string(out), err
	}
	if out, err := run("get", grpcVersion); err != nil {
		if os.Getenv("CI") == "true" {
			t.Fatalf("cannot fetch gRPC: %v: %s", err, out)
		}
		t.Skipf("cannot fetch gRPC: %v: %s", err, out)
	}
	if out, err := run("test", "."); err != nil {
		t.Errorf("%v: %s", err, out)
	}
}

// grpcVersion is the one the snippets were last tried with.
const grpcVersion = "google.golang.org/grpc@v1.73.0"

func TestQueuesizeNode(t *testing.T) {
	node, port := need(t, "node"), free(t)
	path := put(t, t.TempDir(), "server.js", snippet(t, "node", 0, 0))
	cmd := exec.Command(node, path)
	cmd.Env = append(os.Environ(), fmt.Sprintf("PORT=%d", port))
	serve(t, port, cmd)
	wantBacklog(t, port)
	codes := map[int]int{}
	for range 20 {
		resp, err := http.Get(fmt.Sprintf("http://127.0.0.1:%d/", port))
		if err != nil {
			t.Fatal(err)
		}
		resp.Body.Close()
		codes[resp.StatusCode]++
	}
	if codes[http.StatusOK] != 20 {
		t.Errorf("answers by code: %v", codes)
	}
}

// The kernel knows the keys; they are not set.
func TestQueuesizeSysctl(t *testing.T) {
	for line := range strings.Lines(snippet(t, "sysctl", 0, 0)) {
		key, _, _ := strings.Cut(line, " ")
		if _, err := os.Stat("/proc/sys/" + strings.ReplaceAll(key, ".", "/")); err != nil {
			t.Error(err)
		}
	}
}
