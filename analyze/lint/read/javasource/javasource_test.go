package javasource

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"example.com/kneeline/analyze/lint/model"
	"example.com/kneeline/analyze/lint/readtest"
)

// The tables beside the files hold each value with its place and origin.
func TestModel(t *testing.T) { readtest.Golden(t, readFile, "testdata/model") }

// exec is what the pools of a class body come to: threads/least/queue of each.
func exec(t *testing.T, body string) string {
	t.Helper()
	var out []string
	for _, d := range readFile(readtest.Input(t, "A.java", []byte("class A {\n"+body+"\n}\n"))) {
		for _, p := range d.Problems {
			out = append(out, "problem: "+p.Err)
		}
		for _, s := range d.Services {
			e := s.Exec
			line := fmt.Sprintf("%s %s/%s/%s", s.Name, e.Threads, e.Min, e.Queue)
			if s.Listen.Backlog.Present() {
				line += " backlog " + s.Listen.Backlog.String()
			}
			for _, v := range s.SheddingLimits {
				line += " limit " + v.String()
			}
			out = append(out, line)
		}
	}
	return strings.ReplaceAll(strings.Join(out, "; "), "not set", "-")
}

func TestPools(t *testing.T) {
	const pool = "new ThreadPoolExecutor(8, 64, 60L, TimeUnit.SECONDS, "
	for name, tt := range map[string]struct{ body, want string }{
		"bounded":            {"p = " + pool + "new ArrayBlockingQueue<>(10_000));", "p (ThreadPoolExecutor) 64/8/10,000"},
		"generic":            {pool + "new java.util.concurrent.LinkedBlockingQueue<Map<String, List<? super T>>>(0x10), f);", "ThreadPoolExecutor 64/8/16"},
		"without limit":      {pool + "new LinkedBlockingQueue<>());", "ThreadPoolExecutor 8/8/no limit"},
		"the largest int":    {pool + "new LinkedBlockingDeque<>(Integer.MAX_VALUE));", "ThreadPoolExecutor 8/8/no limit"},
		"by priority":        {pool + "new PriorityBlockingQueue<>(100));", "ThreadPoolExecutor 8/8/no limit"},
		"handed over":        {pool + "new SynchronousQueue<>());", "ThreadPoolExecutor 64/8/0"},
		"variable":           {"BlockingQueue<Runnable> q = new ArrayBlockingQueue<>(7); Object p = " + pool + "this.q, g);", "p (ThreadPoolExecutor) 64/8/7"},
		"two under one name": {"q = new ArrayBlockingQueue<>(7); q = new ArrayBlockingQueue<>(9); Object p = " + pool + "q);", "p (ThreadPoolExecutor) 64/8/q"},
		"from elsewhere":     {pool + "queues.make(5));", "ThreadPoolExecutor 64/8/queues.make(5)"},
		"constants":          {"private static final int N = 4, M = 2; static final int Q = (N + 6) * 1000 / 3; " + "new ThreadPoolExecutor(N, A.N * 2, 1, S, new ArrayBlockingQueue<>(Q));", "ThreadPoolExecutor 8/4/3,333"},
		"no constant":        {"static int N = 4; new ThreadPoolExecutor(N, N, 1, S, new ArrayBlockingQueue<>(N));", "ThreadPoolExecutor N/N/N"},
		"constant hidden":    {"static final int N = 4; void f(int N) { new ThreadPoolExecutor(N, 9, 1, S, new ArrayBlockingQueue<>(5)); }", "ThreadPoolExecutor 9/N/5"},
		"made of itself":     {"static final int N = M + 1; static final int M = N + 1; new ThreadPoolExecutor(N, 9, 1, S, new ArrayBlockingQueue<>(5));", "ThreadPoolExecutor 9/N/5"},
		"too large":          {"new ThreadPoolExecutor(1, 9, 1, S, new ArrayBlockingQueue<>(2 * Integer.MAX_VALUE));", "ThreadPoolExecutor 9/1/2 * Integer.MAX_VALUE"},
		"a comma in a text":  {`new ThreadPoolExecutor(1, 9, f("a,\"b)", ','), S, new ArrayBlockingQueue<>(5));`, "ThreadPoolExecutor 9/1/5"},
		"comments":           {"/* " + pool + "q) */ // " + pool + "q)\n String s = \"Executors.newFixedThreadPool(3)\"; String b = \"\"\"\n Executors.newFixedThreadPool(3)\n \\\"\"\" \"\"\";", ""},
		"fixed":              {"x = Executors.newFixedThreadPool(16, factory);", "x (newFixedThreadPool) 16/-/no limit"},
		"fixed by processor": {"Executors.newFixedThreadPool(Runtime.getRuntime().availableProcessors() * 2);", "newFixedThreadPool Runtime.getRuntime().availableProcessors() * 2/-/no limit"},
		"cached":             {"Executors.newCachedThreadPool();", "newCachedThreadPool no limit/-/-"},
		"another's":          {"Pools.newFixedThreadPool(16);", ""},
		"jetty":              {"new QueuedThreadPool(200, 10, 60000, new BlockingArrayQueue<>(500));", "QueuedThreadPool 200/10/500"},
		"jetty, newer":       {"new QueuedThreadPool(200, 10, 60000, -1, new BlockingArrayQueue<>(8, 8, 5000), null);", "QueuedThreadPool 200/10/5,000"},
		"jetty alone":        {"QueuedThreadPool t = new QueuedThreadPool(); t.setMaxThreads(50); t.setMinThreads(4);", "t (QueuedThreadPool) 50/4/no limit"},
		"jetty's socket":     {"ServerConnector c = new ServerConnector(server); c.setAcceptQueueSize(2000);", "c (ServerConnector) -/-/- backlog 2,000"},
		"spring":             {"ThreadPoolTaskExecutor e = new ThreadPoolTaskExecutor(); e.setCorePoolSize(5); e.setMaxPoolSize(10); e.setQueueCapacity(500);", "e (ThreadPoolTaskExecutor) 10/5/500"},
		"spring, two beans":  {"A f() { e = new ThreadPoolTaskExecutor(); e.setQueueCapacity(5); } A g() { e = new ThreadPoolTaskExecutor(); e.setMaxPoolSize(10); }", "e (ThreadPoolTaskExecutor) no limit/1/5; e (ThreadPoolTaskExecutor) 1/1/no limit"},
		"tomcat":             {`import org.apache.catalina.connector.Connector; c.setProperty("maxThreads", "400"); c.setProperty("acceptCount", "300"); c.setProperty("port", "80");`, "c (Connector) 400/-/- backlog 300"},
		"no tomcat":          {`c.setProperty("maxThreads", "400"); c.setMaxThreads(3);`, ""},
		"permits":            {"Semaphore s = new Semaphore(50, true); lock = new Semaphore(1); n = new Semaphore(max);", "s (Semaphore) -/-/- limit 50"},
		"socket":             {"new ServerSocket(8080, 128); new ServerSocket(8080); new ServerSocket(8080, 0);", "ServerSocket -/-/- backlog 128"},
		"open at the end":    {"Executors.newFixedThreadPool(3); /* ", "problem: expected */ at the end of a comment, found the end of the file; newFixedThreadPool 3/-/no limit"},
		"open bracket":       {"new ThreadPoolExecutor(1, 2, 3, S, new ArrayBlockingQueue<>(5)", ""},
	} {
		t.Run(name, func(t *testing.T) {
			if got := exec(t, tt.body); got != tt.want {
				t.Errorf("found %q, want %q", got, tt.want)
			}
		})
	}
}

func TestRecognise(t *testing.T) {
	pool := []byte("x = Executors.newFixedThreadPool(3);")
	for name, want := range map[string]bool{"a/B.java": true, "src/test/java/B.java": false, "a/src/test/B.java": false, "BTest.java": false, "a/target/B.java": false, "B.kt": false} {
		if recognise(name, pool) != want {
			t.Errorf("%s: %v", name, !want)
		}
	}
	if recognise("B.java", []byte("class B { BlockingQueue q; }")) {
		t.Error("nothing to find, and yet recognised")
	}
}

// Whatever a file is, it takes time and memory in proportion to its size.
func TestLimits(t *testing.T) {
	for name, data := range map[string][]byte{
		"too large":   bytes.Repeat([]byte(" "), MaxFile+1),
		"many tokens": bytes.Repeat([]byte("a "), maxTokens+1),
	} {
		docs := readFile(readtest.Input(t, "A.java", data))
		if len(docs) != 1 || len(docs[0].Problems) != 1 {
			t.Errorf("%s: expected one problem: %s", name, readtest.Table(docs))
		}
	}
	deep := bytes.Repeat([]byte("new ThreadPoolExecutor(1, 2, 3, s, "), 20_000)
	deep = append(deep, bytes.Repeat([]byte(")"), 20_000)...)
	if docs := readFile(readtest.Input(t, "A.java", deep)); len(docs) != 1 || len(docs[0].Services) != 20_000-1 {
		t.Error("pools in pools are not all read")
	}
	long := []byte("static final int N = " + strings.Repeat("(", 10_000) + "1;")
	if v, ok := findConstants(firstOf(lex("A.java", long))).named("N"); ok {
		t.Error(v)
	}
}

func firstOf(s *source, _ *lexError) *source { return s }

// What is wrong whatever the load.
func TestCode(t *testing.T) {
	kinds := map[model.CodeKind]string{model.PoolNoLimit: "no limit", model.PoolNeverGrows: "never grows", model.PoolLongQueue: "long queue"}
	for body, want := range map[string]string{
		"new ThreadPoolExecutor(8, 64, 1, S, new LinkedBlockingQueue<>());":             "never grows 64",
		"new ThreadPoolExecutor(8, 8, 1, S, new LinkedBlockingQueue<>());":              "",
		"new ThreadPoolExecutor(8, 64, 1, S, new ArrayBlockingQueue<>(1000));":          "long queue 1,000",
		"new ThreadPoolExecutor(8, 64, 1, S, new ArrayBlockingQueue<>(999));":           "",
		"Executors.newCachedThreadPool();":                                              "no limit no limit",
		"e = new ThreadPoolTaskExecutor(); e.setMaxPoolSize(10);":                       "never grows 10",
		"e = new ThreadPoolTaskExecutor();":                                             "",
		"e = new ThreadPoolTaskExecutor(); e.setCorePoolSize(n); e.setMaxPoolSize(10);": "",
	} {
		var got []string
		for _, d := range readFile(readtest.Input(t, "A.java", []byte(body))) {
			for _, c := range d.Code {
				got = append(got, kinds[c.Kind]+" "+c.Size.String())
			}
		}
		if strings.Join(got, "; ") != want {
			t.Errorf("%s: found %q, want %q", body, got, want)
		}
	}
}

func FuzzRead(f *testing.F) {
	f.Add([]byte("class A { static final int N = 4 * (2 + 1); Object p = new ThreadPoolExecutor(N, N, 1, S, new ArrayBlockingQueue<Map<A, B>>(N)); }"))
	f.Add([]byte("p = Executors.newFixedThreadPool(3); c.setAcceptQueueSize(5); new Semaphore(3); \"\"\" \\\"\"\" \"\"\" '\\'' /* */ //"))
	f.Fuzz(func(t *testing.T, data []byte) { readtest.Sound(t, readFile, "A.java", data) })
}
