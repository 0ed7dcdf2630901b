//go:build e2e

package e2e

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// The programs of testdata/heap pile up work, say in one line of JSON what they
// hold, and stand still. What kneeline reads from their dumps is held against that.

// heapTruth is what a program says of itself, and what its driver knows.
type heapTruth struct {
	Name         string `json:"name"`
	Kind         string `json:"kind"` // pile-up or control
	Holds        string `json:"holds,omitempty"`
	Owner        string `json:"owner,omitempty"`
	QueueClass   string `json:"queue_class,omitempty"`
	PayloadClass string `json:"payload_class,omitempty"`
	Entries      int64  `json:"entries"`
	Requests     int64  `json:"requests,omitempty"` // that wait, where the driver sent them
	InService    int64  `json:"in_service,omitempty"`
	Capacity     *int64 `json:"capacity"` // absent: without bound
	Threads      *int64 `json:"threads,omitempty"`
	Busy         *int64 `json:"busy,omitempty"`
	Clock        string `json:"clock,omitempty"` // epoch or nano
	First        int64  `json:"first_ms,omitempty"`
	Last         int64  `json:"last_ms,omitempty"`
	Unordered    bool   `json:"unordered,omitempty"` // the first to go is not the first that came
	HeadOnly     bool   `json:"head_only,omitempty"` // only the first carry a time
	PendingBytes int64  `json:"pending_bytes,omitempty"`
	BytesEach    int64  `json:"bytes_each,omitempty"` // what the heap grew by, per request
	Dumped       int64  `json:"dump_ms,omitempty"`

	// What the servers say.
	PoolQueue      int64  `json:"pool_queue,omitempty"`
	PoolQueueClass string `json:"pool_queue_class,omitempty"`
	Idle           int64  `json:"idle,omitempty"`
	InHandler      int64  `json:"in_handler,omitempty"`
	Parked         int64  `json:"parked,omitempty"`
}

const debianJars = "/usr/share/java/"

// classpath is what the programs of testdata/heap are compiled and run with.
func classpath() string {
	var paths []string
	for _, name := range []string{
		"jetty9-server", "jetty9-util", "jetty9-io", "jetty9-http", "servlet-api",
		"netty-transport", "netty-common", "netty-buffer", "netty-resolver",
		"tomcat10-catalina", "tomcat10-coyote", "tomcat10-util", "tomcat10-util-scan", "tomcat10-servlet-api", "tomcat10-api",
		"tomcat10-juli", "tomcat10-annotations-api", "tomcat10-jaspic-api", "tomcat10-jni", "tomcat10-el-api", "tomcat10-jasper-el",
	} {
		paths = append(paths, debianJars+name+".jar")
	}
	return strings.Join(paths, ":")
}

var compileHeap = sync.OnceValues(func() (string, error) {
	dir := filepath.Join(filepath.Dir(program), "heap-classes")
	sources, err := filepath.Glob("testdata/heap/*.java")
	if err != nil {
		return "", err
	}
	args := append([]string{"-nowarn", "-d", dir, "-cp", classpath()}, sources...)
	if out, err := exec.Command("javac", args...).CombinedOutput(); err != nil {
		return "", fmt.Errorf("javac: %w\n%s", err, out)
	}
	return dir, nil
})

// heapClasses returns the directory of the compiled programs, or skips.
func heapClasses(t *testing.T) string {
	t.Helper()
	for _, tool := range []string{"java", "javac", "jmap", "jstack"} {
		need(t, tool)
	}
	for path := range strings.SplitSeq(classpath(), ":") {
		if _, err := os.Stat(path); err != nil {
			if os.Getenv("CI") == "true" {
				t.Fatal(err)
			}
			t.Skip(err)
		}
	}
	dir, err := compileHeap()
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

// jvm is a Java program that runs until its standard input is closed.
type jvm struct {
	cmd    *exec.Cmd
	stdin  io.WriteCloser
	truths chan heapTruth
	log    bytes.Buffer
	ended  chan struct{}
	// clients are the connections to it, which it is stopped with.
	clients clients
}

// startJava starts java; the test's end ends it.
func startJava(t *testing.T, dir string, args ...string) *jvm {
	t.Helper()
	j := &jvm{cmd: exec.Command(need(t, "java"), args...), truths: make(chan heapTruth, 8), ended: make(chan struct{})}
	j.cmd.Dir = dir
	j.cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	j.cmd.Stderr = &j.log
	stdout, err := j.cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if j.stdin, err = j.cmd.StdinPipe(); err != nil {
		t.Fatal(err)
	}
	if err := j.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	go func() {
		defer close(j.truths)
		for lines := bufio.NewScanner(stdout); lines.Scan(); {
			var said heapTruth
			if strings.HasPrefix(lines.Text(), "{") && json.Unmarshal(lines.Bytes(), &said) == nil {
				j.truths <- said
			}
		}
	}()
	go func() {
		_ = j.cmd.Wait()
		close(j.ended)
	}()
	t.Cleanup(func() { j.stop(t) })
	return j
}

func (j *jvm) stop(t *testing.T) {
	j.clients.close()
	_ = j.stdin.Close()
	select {
	case <-j.ended:
	case <-time.After(5 * time.Second):
		_ = syscall.Kill(-j.cmd.Process.Pid, syscall.SIGKILL)
		<-j.ended
	}
	if t.Failed() && j.log.Len() > 0 {
		t.Logf("java said: %s", j.log.String())
	}
}

// said waits for the next line the program says of itself.
func (j *jvm) said(t *testing.T) heapTruth {
	t.Helper()
	select {
	case truth, ok := <-j.truths:
		if !ok {
			<-j.ended
			t.Fatalf("java ended early: %s", j.log.String())
		}
		return truth
	case <-time.After(90 * time.Second):
		t.Fatal("the program did not say what it holds within 90 s")
	}
	return heapTruth{}
}

// ask has a server say how things stand.
func (j *jvm) ask(t *testing.T) heapTruth {
	t.Helper()
	if _, err := j.stdin.Write([]byte("\n")); err != nil {
		t.Fatalf("%v: %s", err, j.log.String())
	}
	return j.said(t)
}

// tool runs a tool of the JDK on the program and returns what it printed.
func (j *jvm) tool(t *testing.T, name string, args ...string) string {
	t.Helper()
	return passes(t, need(t, name), append(args, fmt.Sprint(j.cmd.Process.Pid))...)
}

// dump takes a dump with jmap; options go before the file, such as "live,".
func (j *jvm) dump(t *testing.T, path, options string) string {
	t.Helper()
	j.tool(t, "jmap", "-dump:"+options+"format=b,file="+path)
	return path
}

// liveBytes is what the VM counts as in use by reachable objects.
func (j *jvm) liveBytes(t *testing.T) int64 {
	t.Helper()
	fields := strings.Fields(lastLine(j.tool(t, "jmap", "-histo:live")))
	var n int64
	if len(fields) != 3 {
		t.Fatalf("no total in the histogram: %v", fields)
	}
	if _, err := fmt.Sscan(fields[2], &n); err != nil {
		t.Fatal(err)
	}
	return n
}

func lastLine(s string) string {
	s = strings.TrimSpace(s)
	return s[strings.LastIndexByte(s, '\n')+1:]
}

// dumpTime reads when a dump was taken from its header.
func dumpTime(t *testing.T, path string) int64 {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	head := make([]byte, 31)
	if _, err := io.ReadFull(f, head); err != nil {
		t.Fatal(err)
	}
	return int64(binary.BigEndian.Uint64(head[23:]))
}

// taken is a dump with what is known of it, and its companions.
type taken struct {
	path, threads, histogram string
	truth                    heapTruth
}

// keep, if set, is where dumps and truths are left for other work.
var keep = os.Getenv("KNEELINE_HEAP_KEEP")

// take dumps a program that stands still, with its threads and its histogram.
func (j *jvm) take(t *testing.T, name string, truth heapTruth) taken {
	t.Helper()
	dir := keep
	if dir == "" {
		dir = t.TempDir()
	}
	d := taken{path: filepath.Join(dir, name+".hprof"), truth: truth}
	_ = os.Remove(d.path)
	j.dump(t, d.path, "live,")
	d.truth.Name, d.truth.Dumped = name, dumpTime(t, d.path)
	d.threads = put(t, dir, name+".jstack.txt", j.tool(t, "jstack"))
	d.histogram = put(t, dir, name+".histo.txt", j.tool(t, "jmap", "-histo"))
	text, err := json.MarshalIndent(d.truth, "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	put(t, dir, name+".truth.json", string(text)+"\n")
	t.Logf("%s: %s", name, text)
	return d
}

// vms are the collectors and layouts that programs run with, by turns.
var vms = [][]string{
	{"-XX:+UseSerialGC"},
	{"-XX:+UseParallelGC"},
	{"-XX:+UseG1GC"},
	{"-XX:+UseG1GC", "-XX:-UseCompressedOops"},
	{"-XX:+UseZGC"},
}

// pile runs a program of testdata/heap until it stands still, and takes its dump.
func pile(t *testing.T, name, main string, args ...string) taken {
	t.Helper()
	classes := heapClasses(t)
	vm := append([]string{"-Xmx512m", "-cp", classes + ":" + classpath()}, vms[len(name)%len(vms)]...)
	j := startJava(t, t.TempDir(), append(append(vm, "shop."+main), args...)...)
	d := j.take(t, name, j.said(t))
	j.stop(t)
	return d
}
