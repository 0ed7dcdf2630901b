package shop;

import java.io.IOException;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;
import javax.servlet.AsyncContext;
import javax.servlet.ServletException;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.handler.AbstractHandler;
import org.eclipse.jetty.util.thread.QueuedThreadPool;

/**
 * A handler for a real Jetty. It answers /fast at once; all else it keeps,
 * either with the thread that serves it or parked in the application's queue.
 */
public final class Stall extends AbstractHandler {
    static final CountDownLatch DATABASE = new CountDownLatch(1);
    final LinkedBlockingQueue<AsyncContext> parked = new LinkedBlockingQueue<>();
    final AtomicInteger inHandler = new AtomicInteger();
    private boolean async;

    public void setAsync(boolean async) {
        this.async = async;
    }

    @Override
    protected void doStart() throws Exception {
        super.doStart();
        Thread t = new Thread(this::report, "report");
        t.setDaemon(true);
        t.start();
    }

    @Override
    public void handle(String target, Request base, HttpServletRequest request, HttpServletResponse response)
        throws IOException, ServletException {
        base.setHandled(true);
        if (target.equals("/fast")) {
            response.getOutputStream().print("ok");
            return;
        }
        if (async) {
            AsyncContext context = request.startAsync();
            context.setTimeout(600_000);
            parked.add(context);
            return;
        }
        inHandler.incrementAndGet();
        try {
            DATABASE.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Says how things stand whenever a line comes in, and ends the server with its standard input. */
    private void report() {
        try {
            for (int c = System.in.read(); c >= 0; c = System.in.read()) {
                if (c != '\n') {
                    continue;
                }
                QueuedThreadPool pool = (QueuedThreadPool) getServer().getThreadPool();
                java.lang.reflect.Method get = QueuedThreadPool.class.getDeclaredMethod("getQueue");
                get.setAccessible(true);
                BlockingQueue<?> jobs = (BlockingQueue<?>) get.invoke(pool);
                new Truth().with("pool_queue", jobs.size())
                    .with("pool_queue_class", jobs.getClass().getName())
                    .with("threads", pool.getThreads()).with("idle", pool.getIdleThreads()).with("busy", pool.getBusyThreads())
                    .with("max_threads", pool.getMaxThreads()).with("in_handler", inHandler.get()).with("parked", parked.size()).say();
            }
        } catch (Exception e) {
            e.printStackTrace();
        }
        Runtime.getRuntime().halt(0);
    }
}
