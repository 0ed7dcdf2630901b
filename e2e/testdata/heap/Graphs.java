package shop;

import java.net.URL;
import java.net.URLClassLoader;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** Heaps whose answer lies in who holds what. */
final class Graphs {
    /** What a web application would be: a class that a loader of its own has loaded. */
    public static final class Plugin {
        static final byte[] CACHE = new byte[1 << 20];
    }

    static final class Session {
        final long startedAt = System.currentTimeMillis();
        final String user;

        Session(int i) {
            user = "user-" + i;
        }
    }

    /** The only place that knows of sessions, and never forgets one. */
    static final Map<Integer, Session> SESSIONS = new HashMap<>();
    static final List<Object> DEPLOYED = new ArrayList<>();
    static final ThreadLocal<byte[]> BUFFER = new ThreadLocal<>();
    static final LinkedBlockingQueue<Order> WAITING = new LinkedBlockingQueue<>();

    public static void main(String[] args) throws Exception {
        switch (args[0]) {
            case "locals" -> locals(60, 256 << 10);
            case "loaders" -> loaders(12);
            case "map" -> map(100_000);
            case "garbage" -> garbage(20_000);
            case "growing" -> growing(5_000, 1_000, 4_000);
            default -> throw new IllegalArgumentException(args[0]);
        }
    }

    /** Threads of a pool, each with a buffer that stays as long as the thread. */
    private static void locals(int threads, int bytes) throws Exception {
        CountDownLatch set = new CountDownLatch(threads);
        for (int i = 0; i < threads; i++) {
            Thread t = new Thread(() -> {
                BUFFER.set(new byte[bytes]);
                set.countDown();
                try {
                    Thread.sleep(Long.MAX_VALUE);
                } catch (InterruptedException e) {
                    // The end.
                }
            }, "worker-" + i);
            t.setDaemon(true);
            t.start();
        }
        set.await();
        new Truth().with("kind", "locals").with("entries", threads).with("pending_bytes", (long) threads * bytes).sayAndStandStill();
    }

    /** An application that was deployed again and again, and of which something remains. */
    private static void loaders(int times) throws Exception {
        URL here = Graphs.class.getProtectionDomain().getCodeSource().getLocation();
        for (int i = 0; i < times; i++) {
            URLClassLoader loader = new URLClassLoader("app", new URL[] {here}, ClassLoader.getPlatformClassLoader());
            var made = loader.loadClass("shop.Graphs$Plugin").getDeclaredConstructor();
            made.setAccessible(true);
            DEPLOYED.add(made.newInstance());
        }
        new Truth().with("kind", "loaders").with("entries", times).with("pending_bytes", (long) times << 20).sayAndStandStill();
    }

    private static void map(int sessions) throws Exception {
        for (int i = 0; i < sessions; i++) {
            SESSIONS.put(i, new Session(i));
        }
        new Truth().with("kind", "map").with("entries", sessions).sayAndStandStill();
    }

    /** Requests that were all answered, and not collected yet. */
    private static void garbage(int answered) throws Exception {
        fillAndForget(answered);
        new Truth().with("kind", "garbage").with("entries", answered).sayAndStandStill();
    }

    private static void fillAndForget(int answered) throws Exception {
        CountDownLatch go = new CountDownLatch(1);
        ThreadPoolExecutor pool = new ThreadPoolExecutor(1, 1, 1, TimeUnit.MINUTES, new LinkedBlockingQueue<>());
        pool.execute(() -> {
            try {
                go.await();
            } catch (InterruptedException e) {
                // The end.
            }
        });
        long now = System.currentTimeMillis();
        for (int i = 0; i < answered; i++) {
            pool.execute(new Order(Order.arrival(now, i, answered, 40), i));
        }
        // What waited is left to the collector as it is.
        LinkedBlockingQueue<Runnable> forgotten = new LinkedBlockingQueue<>();
        if (pool.getQueue().drainTo(forgotten) != answered) {
            throw new IllegalStateException();
        }
        go.countDown();
        pool.shutdown();
        pool.awaitTermination(1, TimeUnit.MINUTES);
    }

    /** A queue that grows with each line of standard input: some leave, more come. */
    private static void growing(int first, int leave, int come) throws Exception {
        long now = System.currentTimeMillis();
        for (int i = 0; i < first; i++) {
            WAITING.add(new Order(Order.arrival(now, i, first, 40), i));
        }
        new Truth().with("kind", "pile-up").with("entries", WAITING.size()).say();
        while (System.in.read() >= 0) {
            for (int i = 0; i < leave; i++) {
                WAITING.take();
            }
            for (int i = 0; i < come; i++) {
                WAITING.add(new Order(System.currentTimeMillis(), i));
            }
            new Truth().with("kind", "pile-up").with("entries", WAITING.size()).say();
        }
        Runtime.getRuntime().halt(0);
    }
}
