package example;

import java.util.concurrent.*;

/** Pools of a server: {@code new ThreadPoolExecutor(1, 1, …)} in a comment is none. */
final class Pools {
    private static final int CORE = 8;
    private static final int WAITING = 5 * 1_000;

    final ExecutorService requests = new ThreadPoolExecutor(
            CORE, CORE * 8, 60L, TimeUnit.SECONDS,
            new ArrayBlockingQueue<>(WAITING), new ThreadPoolExecutor.AbortPolicy());
    final ExecutorService mails = Executors.newFixedThreadPool(CORE);
    final Executor any = Executors.newCachedThreadPool(r -> new Thread(r, "any, (other)"));
    final Semaphore uploads = new Semaphore(20);

    Server server() {
        QueuedThreadPool threads = new QueuedThreadPool(200, 10, 60_000, new BlockingArrayQueue<>(500));
        Server server = new Server(threads);
        ServerConnector http = new ServerConnector(server);
        http.setAcceptQueueSize(2000);
        return server;
    }
}
