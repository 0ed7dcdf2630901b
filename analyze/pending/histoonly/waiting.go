package histoonly

import (
	"strings"

	"example.com/kneeline/analyze/pending"
)

// waitingRow is a class whose objects are only there while something waits.
type waitingRow struct {
	// class may have a star at its end.
	class, server string
	// means says what one object is; queue where it waits.
	means, queue string
	role         string
	// kept is how many of them the server keeps at most for use again; so many tell
	// nothing.
	kept int64
	// running is true when the object is also there while a worker is in it.
	running bool
	// setting is what to limit; it may be empty.
	setting string
	source  string
}

// waitingRows are in the order in which they are named where several apply.
var waitingRows = []waitingRow{
	{class: "org.eclipse.jetty.io.ManagedSelector$Accept", server: "jetty", means: "accepted, not yet registered", queue: "job queue of QueuedThreadPool",
		role: pending.RoleRequests, setting: "queue of QueuedThreadPool (4th argument of its constructor)",
		source: "jetty/jetty.project, jetty-io/src/main/java/org/eclipse/jetty/io/ManagedSelector.java"},
	{class: "org.eclipse.jetty.io.ManagedSelector$CreateEndPoint*", server: "jetty", means: "accepted, endpoint not yet made", queue: "job queue of QueuedThreadPool",
		role: pending.RoleRequests, setting: "queue of QueuedThreadPool (4th argument of its constructor)",
		source: "jetty/jetty.project, jetty-io/src/main/java/org/eclipse/jetty/io/ManagedSelector.java"},
	{class: "org.eclipse.jetty.server.AsyncContextState", server: "jetty", means: "asynchronous request", queue: "application, which started them asynchronously",
		role: pending.RoleRequests, source: "jetty/jetty.project 9 to 11, jetty-server/src/main/java/org/eclipse/jetty/server/AsyncContextState.java"},
	{class: "org.eclipse.jetty.server.handler.QoSHandler$Entry", server: "jetty", means: "suspended request", queue: "QoSHandler",
		role: pending.RoleRequests, setting: "QoSHandler.maxSuspendedRequestCount",
		source: "jetty/jetty.project 12, jetty-core/jetty-server/src/main/java/org/eclipse/jetty/server/handler/QoSHandler.java"},
	{class: "org.apache.tomcat.util.net.NioEndpoint$SocketProcessor", server: "tomcat", means: "request ready to be read", queue: "task queue of Tomcat's executor",
		role: pending.RoleRequests, kept: 500, running: true, setting: "Executor maxQueueSize",
		source: "apache/tomcat, java/org/apache/tomcat/util/net/NioEndpoint.java; socket.processorCache keeps 500"},
	{class: "org.apache.tomcat.util.net.Nio2Endpoint$SocketProcessor", server: "tomcat", means: "request ready to be read", queue: "task queue of Tomcat's executor",
		role: pending.RoleRequests, kept: 500, running: true, setting: "Executor maxQueueSize",
		source: "apache/tomcat, java/org/apache/tomcat/util/net/Nio2Endpoint.java; socket.processorCache keeps 500"},
	{class: "org.apache.catalina.core.AsyncContextImpl", server: "tomcat", means: "asynchronous request", queue: "application, which started them asynchronously",
		role: pending.RoleRequests, source: "apache/tomcat, java/org/apache/catalina/core/AsyncContextImpl.java"},
	{class: "io.undertow.server.handlers.RequestLimit$SuspendedRequest", server: "undertow", means: "suspended request", queue: "RequestLimit",
		role: pending.RoleRequests, setting: "RequestLimit queueSize",
		source: "undertow-io/undertow, core/src/main/java/io/undertow/server/handlers/RequestLimit.java"},
	{class: "io.undertow.servlet.spec.AsyncContextImpl", server: "undertow", means: "asynchronous request", queue: "application, which started them asynchronously",
		role: pending.RoleRequests, source: "undertow-io/undertow, servlet/src/main/java/io/undertow/servlet/spec/AsyncContextImpl.java"},
	{class: "io.netty.channel.ChannelOutboundBuffer$Entry", server: "netty", means: "write not yet sent", queue: "outbound buffers of Netty's channels",
		role: pending.RoleResponses, setting: "WRITE_BUFFER_WATER_MARK", kept: 4096,
		source: "netty/netty, transport/src/main/java/io/netty/channel/ChannelOutboundBuffer.java; Recycler keeps 4,096 a thread"},
	{class: "io.netty.channel.PendingWriteQueue$PendingWrite", server: "netty", means: "write not yet sent", queue: "PendingWriteQueue of Netty's channels",
		role: pending.RoleResponses, kept: 4096, source: "netty/netty, transport/src/main/java/io/netty/channel/PendingWriteQueue.java"},
	{class: "java.util.concurrent.CompletableFuture$Uni*", means: "stage that waits for a future", queue: "stages of CompletableFuture",
		role: pending.RoleWaiters, source: "OpenJDK, java.util.concurrent.CompletableFuture"},
	{class: "java.util.concurrent.CompletableFuture$Bi*", means: "stage that waits for futures", queue: "stages of CompletableFuture",
		role: pending.RoleWaiters, source: "OpenJDK, java.util.concurrent.CompletableFuture"},
	{class: "okhttp3.internal.connection.RealCall$AsyncCall", server: "okhttp", means: "call that waits for its turn", queue: "Dispatcher of OkHttp",
		role: pending.RoleWaiters, running: true, setting: "Dispatcher.maxRequestsPerHost",
		source: "square/okhttp, okhttp/src/main/kotlin/okhttp3/internal/connection/RealCall.kt"},
	{class: "okhttp3.RealCall$AsyncCall", server: "okhttp", means: "call that waits for its turn", queue: "Dispatcher of OkHttp",
		role: pending.RoleWaiters, running: true, setting: "Dispatcher.maxRequestsPerHost",
		source: "square/okhttp 3, okhttp/src/main/java/okhttp3/RealCall.java"},
}

func (r *waitingRow) is(class string) bool {
	if begin, ok := strings.CutSuffix(r.class, "*"); ok {
		return strings.HasPrefix(class, begin)
	}
	return class == r.class
}

// nodeClasses hold one entry each in a queue of the JDK: as many of them as there are
// of another class support that those wait in a queue.
var nodeClasses = []string{
	"java.util.concurrent.LinkedBlockingQueue$Node", "java.util.concurrent.LinkedBlockingDeque$Node", "java.util.concurrent.ConcurrentLinkedQueue$Node",
	"java.util.concurrent.ConcurrentLinkedDeque$Node", "java.util.concurrent.LinkedTransferQueue$Node", "java.util.concurrent.LinkedTransferQueue$DualNode",
	"org.jboss.threads.EnhancedQueueExecutor$TaskNode", "java.util.concurrent.FutureTask", "java.util.concurrent.ForkJoinTask$RunnableExecuteAction",
}
