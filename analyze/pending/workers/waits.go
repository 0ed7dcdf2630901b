package workers

import (
	"strings"

	"example.com/kneeline/heapdump/stacks"
)

// wait is what a thread waits for.
type wait struct {
	state string
	words string
	// lock is what it waits to get, where that is known.
	lock *stacks.Lock
}

// waitRow names a wait by a call anywhere on a stack that begins with a wait.
type waitRow struct {
	call
	state, words string
	source       string
}

// poolRows are calls that wait for a connection or another object of a pool.
var poolRows = []waitRow{
	{call{"com.zaxxer.hikari.pool.HikariPool", "getConnection"}, DatabasePool, "a connection of HikariCP", "brettwooldridge/HikariCP, src/main/java/com/zaxxer/hikari/pool/HikariPool.java"},
	{call{"org.apache.tomcat.jdbc.pool.ConnectionPool", "borrowConnection"}, DatabasePool, "a connection of Tomcat's JDBC pool", "apache/tomcat, modules/jdbc-pool/src/main/java/org/apache/tomcat/jdbc/pool/ConnectionPool.java"},
	{call{"com.alibaba.druid.pool.DruidDataSource", "getConnectionInternal"}, DatabasePool, "a connection of Druid", "alibaba/druid, core/src/main/java/com/alibaba/druid/pool/DruidDataSource.java"},
	{call{"com.mchange.v2.resourcepool.BasicResourcePool", "awaitAvailable"}, DatabasePool, "a connection of c3p0", "swaldman/c3p0, com/mchange/v2/resourcepool/BasicResourcePool.java"},
	{call{"org.apache.commons.dbcp2.PoolingDataSource", "getConnection"}, DatabasePool, "a connection of DBCP", "apache/commons-dbcp, src/main/java/org/apache/commons/dbcp2/PoolingDataSource.java"},
	{call{"com.mongodb.internal.connection.DefaultConnectionPool*", ""}, DatabasePool, "a connection of the MongoDB driver", "mongodb/mongo-java-driver, driver-core/src/main/com/mongodb/internal/connection/DefaultConnectionPool.java"},
	{call{"redis.clients.jedis.util.Pool", "getResource"}, ObjectPool, "a connection of Jedis", "redis/jedis, src/main/java/redis/clients/jedis/util/Pool.java"},
	{call{"org.apache.commons.pool2.impl.GenericObjectPool", "borrowObject"}, ObjectPool, "an object of a commons-pool", "apache/commons-pool, src/main/java/org/apache/commons/pool2/impl/GenericObjectPool.java"},
	{call{"org.apache.commons.pool2.impl.GenericKeyedObjectPool", "borrowObject"}, ObjectPool, "an object of a commons-pool", "apache/commons-pool, src/main/java/org/apache/commons/pool2/impl/GenericKeyedObjectPool.java"},
	{call{"org.apache.http.pool.AbstractConnPool*", ""}, ClientPool, "a connection of Apache HttpClient", "apache/httpcomponents-core, httpcore/src/main/java/org/apache/http/pool/AbstractConnPool.java"},
	{call{"org.apache.hc.core5.pool.StrictConnPool*", ""}, ClientPool, "a connection of Apache HttpClient", "apache/httpcomponents-core, httpcore5/src/main/java/org/apache/hc/core5/pool/StrictConnPool.java"},
	{call{"org.apache.hc.core5.pool.LaxConnPool*", ""}, ClientPool, "a connection of Apache HttpClient", "apache/httpcomponents-core, httpcore5/src/main/java/org/apache/hc/core5/pool/LaxConnPool.java"},
	{call{"org.apache.hc.client5.http.impl.io.PoolingHttpClientConnectionManager*", "get"}, ClientPool, "a connection of Apache HttpClient", "apache/httpcomponents-client, httpclient5/src/main/java/org/apache/hc/client5/http/impl/io/PoolingHttpClientConnectionManager.java"},
	{call{"io.github.resilience4j.bulkhead.internal.SemaphoreBulkhead", ""}, Permit, "a permit of a bulkhead", "resilience4j/resilience4j, resilience4j-bulkhead/src/main/java/io/github/resilience4j/bulkhead/internal/SemaphoreBulkhead.java"},
	{call{"io.github.resilience4j.ratelimiter.internal.AtomicRateLimiter", ""}, Permit, "a permit of a rate limiter", "resilience4j/resilience4j, resilience4j-ratelimiter/src/main/java/io/github/resilience4j/ratelimiter/internal/AtomicRateLimiter.java"},
	{call{"com.google.common.util.concurrent.RateLimiter", "acquire"}, Permit, "a permit of a rate limiter", "google/guava, guava/src/com/google/common/util/concurrent/RateLimiter.java"},
}

// remoteRows are callers that wait for an answer over a connection of their own.
var remoteRows = []waitRow{
	{call{"org.postgresql.*", ""}, Database, "an answer of the database (PostgreSQL)", "pgjdbc/pgjdbc"},
	{call{"com.mysql.*", ""}, Database, "an answer of the database (MySQL)", "mysql/mysql-connector-j"},
	{call{"org.mariadb.jdbc.*", ""}, Database, "an answer of the database (MariaDB)", "mariadb-corporation/mariadb-connector-j"},
	{call{"oracle.jdbc.*", ""}, Database, "an answer of the database (Oracle)", "Oracle JDBC driver, package oracle.jdbc"},
	{call{"oracle.net.*", ""}, Database, "an answer of the database (Oracle)", "Oracle JDBC driver, package oracle.net"},
	{call{"com.microsoft.sqlserver.jdbc.*", ""}, Database, "an answer of the database (SQL Server)", "microsoft/mssql-jdbc"},
	{call{"com.mongodb.*", ""}, Database, "an answer of the database (MongoDB)", "mongodb/mongo-java-driver"},
	{call{"redis.clients.jedis.*", ""}, Database, "an answer of Redis", "redis/jedis"},
	{call{"io.lettuce.core.*", ""}, Database, "an answer of Redis", "redis/lettuce"},
	{call{"org.apache.http.*", ""}, Client, "an answer over HTTP (Apache HttpClient)", "apache/httpcomponents-client"},
	{call{"org.apache.hc.*", ""}, Client, "an answer over HTTP (Apache HttpClient)", "apache/httpcomponents-client"},
	{call{"okhttp3.*", ""}, Client, "an answer over HTTP (OkHttp)", "square/okhttp"},
	{call{"sun.net.www.protocol.http*", ""}, Client, "an answer over HTTP (HttpURLConnection)", "OpenJDK, sun.net.www.protocol.http"},
	{call{"jdk.internal.net.http.*", ""}, Client, "an answer over HTTP (java.net.http)", "OpenJDK, jdk.internal.net.http"},
	{call{"io.grpc.stub.ClientCalls*", ""}, Client, "an answer of a gRPC call", "grpc/grpc-java, stub/src/main/java/io/grpc/stub/ClientCalls.java"},
}

// plainRows are the waits of the JDK itself, by the innermost call that matches. The
// classes are OpenJDK's, of JDK 8 to 25.
var plainRows = []waitRow{
	{call: call{"java.lang.Thread", "sleep"}, state: Sleep, words: "a time to pass (sleep)"},
	{call: call{"java.lang.Thread", "sleep0"}, state: Sleep, words: "a time to pass (sleep)"},
	{call: call{"java.lang.Thread", "sleepNanos0"}, state: Sleep, words: "a time to pass (sleep)"},
	{call: call{"java.lang.VirtualThread", "sleepNanos"}, state: Sleep, words: "a time to pass (sleep)"},
	{call: call{"java.lang.Thread", "join"}, state: Join, words: "a thread to end"},
	{call: call{"java.util.concurrent.CountDownLatch", "await"}, state: Latch, words: "a latch to open (CountDownLatch)"},
	{call: call{"java.util.concurrent.CyclicBarrier", "await"}, state: Latch, words: "other threads at a barrier (CyclicBarrier)"},
	{call: call{"java.util.concurrent.Phaser", ""}, state: Latch, words: "other threads at a barrier (Phaser)"},
	{call: call{"java.util.concurrent.Semaphore", ""}, state: Permit, words: "a permit (Semaphore)"},
	{call: call{"java.util.concurrent.FutureTask", "get"}, state: Result, words: "the result of another task (Future.get)"},
	{call: call{"java.util.concurrent.ForkJoinTask", "awaitDone"}, state: Result, words: "the result of another task (ForkJoinTask)"},
	{call: call{"java.util.concurrent.CompletableFuture", "get"}, state: Result, words: "the result of another task (CompletableFuture.get)"},
	{call: call{"java.util.concurrent.CompletableFuture", "join"}, state: Result, words: "the result of another task (CompletableFuture.join)"},
	{call: call{"java.util.concurrent.Exchanger", ""}, state: Condition, words: "another thread (Exchanger)"},
	{call: call{"java.util.concurrent.locks.ReentrantReadWriteLock*", ""}, state: Lock, words: "a lock (ReentrantReadWriteLock)"},
	{call: call{"java.util.concurrent.locks.StampedLock", ""}, state: Lock, words: "a lock (StampedLock)"},
	{call: call{"sun.nio.ch.Net", "accept"}, state: Accepting, words: "connections to accept"},
	{call: call{"sun.nio.ch.ServerSocketChannelImpl", ""}, state: Accepting, words: "connections to accept"},
	{call: call{"sun.nio.ch.NioSocketImpl", "accept"}, state: Accepting, words: "connections to accept"},
	{call: call{"java.net.PlainSocketImpl", "socketAccept"}, state: Accepting, words: "connections to accept"},
	{call: call{"sun.nio.ch.SelectorImpl", ""}, state: Selecting, words: "network events (select)"},
	{call: call{"sun.nio.ch.EPoll", "wait"}, state: Selecting, words: "network events (select)"},
	{call: call{"sun.nio.ch.EPollArrayWrapper", ""}, state: Selecting, words: "network events (select)"},
	{call: call{"sun.nio.ch.KQueue", "poll"}, state: Selecting, words: "network events (select)"},
	{call: call{"sun.nio.ch.NioSocketImpl", "connect"}, state: Connecting, words: "a connection to be made"},
	{call: call{"java.net.PlainSocketImpl", "socketConnect"}, state: Connecting, words: "a connection to be made"},
	{call: call{"sun.nio.ch.Net", "connect0"}, state: Connecting, words: "a connection to be made"},
	{call: call{"sun.nio.ch.NioSocketImpl", "implRead"}, state: SocketRead, words: "bytes from a connection"},
	{call: call{"java.net.SocketInputStream", "socketRead0"}, state: SocketRead, words: "bytes from a connection"},
	{call: call{"sun.nio.ch.SocketChannelImpl", "read"}, state: SocketRead, words: "bytes from a connection"},
	{call: call{"sun.nio.ch.SocketDispatcher", "read0"}, state: SocketRead, words: "bytes from a connection"},
	{call: call{"sun.nio.ch.NioSocketImpl", "implWrite"}, state: SocketWrite, words: "a peer to take bytes"},
	{call: call{"java.net.SocketOutputStream", "socketWrite0"}, state: SocketWrite, words: "a peer to take bytes"},
	{call: call{"sun.nio.ch.SocketChannelImpl", "write"}, state: SocketWrite, words: "a peer to take bytes"},
	{call: call{"java.io.FileInputStream", ""}, state: File, words: "a file or pipe"},
	{call: call{"java.io.FileOutputStream", ""}, state: File, words: "a file or pipe"},
	{call: call{"java.io.RandomAccessFile", ""}, state: File, words: "a file or pipe"},
	{call: call{"sun.nio.ch.FileDispatcherImpl", ""}, state: File, words: "a file or pipe"},
}

// putters and takers are the calls of queues that wait.
var (
	putters = map[string]bool{"put": true, "offer": true, "putFirst": true, "putLast": true, "offerFirst": true, "offerLast": true, "transfer": true}
	takers  = map[string]bool{"take": true, "poll": true, "takeFirst": true, "takeLast": true, "pollFirst": true, "pollLast": true}
)

// waitOf tells what a thread waits for.
func waitOf(t *stacks.Thread) wait {
	lock := wanted(t)
	blocked := blocks(t, lock)
	if !blocked {
		return wait{state: Running, words: "nothing: running"}
	}
	for _, rows := range [][]waitRow{poolRows, remoteRows} {
		if w, ok := firstOf(t.Frames, rows); ok {
			return w
		}
	}
	if lock != nil && lock.Kind == stacks.Entering {
		return wait{state: Lock, words: "a lock of " + short(lock.Class), lock: lock}
	}
	if w, ok := firstOf(t.Frames[:min(len(t.Frames), jdkEnd(t.Frames))], plainRows); ok {
		return w
	}
	return otherWait(t, lock)
}

// otherWait is for waits that no row names. Queues come first: they wait by a lock or
// condition of their own.
func otherWait(t *stacks.Thread, lock *stacks.Lock) wait {
	frames := t.Frames[:jdkEnd(t.Frames)]
	for _, f := range frames {
		if !strings.HasSuffix(f.Class, "Queue") && !strings.HasSuffix(f.Class, "Deque") {
			continue
		}
		if putters[f.Method] {
			return wait{state: QueueFull, words: "room in a queue (" + short(f.Class) + "." + f.Method + ")"}
		}
		if takers[f.Method] {
			return wait{state: QueueEmpty, words: "an entry of a queue (" + short(f.Class) + "." + f.Method + ")"}
		}
	}
	for _, f := range frames {
		switch {
		case f.Class == "java.util.concurrent.locks.ReentrantLock" || strings.HasPrefix(f.Class, "java.util.concurrent.locks.ReentrantLock$"):
			return wait{state: Lock, words: "a lock (ReentrantLock)", lock: lock}
		case strings.HasSuffix(f.Class, "$ConditionObject") || f.Class == "java.lang.Object":
			return wait{state: Condition, words: "a condition"}
		}
	}
	return wait{state: Parked, words: "to be woken (parked)"}
}

// wanted is the lock or other object that a thread waits for.
func wanted(t *stacks.Thread) *stacks.Lock {
	for i := range t.Locks {
		if k := t.Locks[i].Kind; k == stacks.Entering || k == stacks.Parking || k == stacks.WaitingOn {
			return &t.Locks[i]
		}
	}
	return nil
}

// blocks says whether a thread waits rather than runs. A thread in a native call of
// the network or of files counts as runnable in Java, so the call decides.
func blocks(t *stacks.Thread, lock *stacks.Lock) bool {
	switch t.State {
	case stacks.Blocked, stacks.Waiting, stacks.TimedWaiting:
		return true
	}
	if lock != nil {
		return true
	}
	if len(t.Frames) == 0 {
		return false
	}
	top := t.Frames[0]
	switch top.Class {
	case "jdk.internal.misc.Unsafe", "sun.misc.Unsafe":
		return top.Method == "park"
	case "java.lang.Object":
		return strings.HasPrefix(top.Method, "wait")
	case "java.lang.Thread":
		return strings.HasPrefix(top.Method, "sleep") || top.Method == "join"
	case "java.lang.VirtualThread":
		return strings.HasPrefix(top.Method, "park") || strings.HasPrefix(top.Method, "sleep") || strings.HasPrefix(top.Method, "yield")
	}
	return top.Native() && nativeWait(top)
}

// nativeWait says whether a native call is one that waits for the network or a file.
func nativeWait(f stacks.Frame) bool {
	for _, begin := range []string{"sun.nio.ch.", "java.net.", "java.io.File", "java.io.RandomAccess", "io.netty.channel.epoll.Native", "io.netty.channel.kqueue.Native", "sun.nio.fs."} {
		if strings.HasPrefix(f.Class, begin) {
			return true
		}
	}
	return false
}

func firstOf(frames []stacks.Frame, rows []waitRow) (wait, bool) {
	for _, f := range frames {
		for i := range rows {
			if rows[i].is(f) {
				return wait{state: rows[i].state, words: rows[i].words}, true
			}
		}
	}
	return wait{}, false
}

// short is the last part of a class's name.
func short(class string) string {
	if class, ok := strings.CutPrefix(class, "java.lang.Class for "); ok {
		return "class " + short(class)
	}
	return fold(class[strings.LastIndexByte(class, '.')+1:])
}
