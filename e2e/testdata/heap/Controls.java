package shop;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingDeque;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** Heaps full of things that are no requests: nothing here may be called a pile-up. */
final class Controls {
    /** A cached row; when it was loaded is no arrival. */
    static final class Product {
        final int id;
        final long loadedAt;
        final String name;

        Product(int id, long loadedAt) {
            this.id = id;
            this.loadedAt = loadedAt;
            this.name = "product-" + id;
        }
    }

    static final class Point {
        final double x, y;

        Point(double x, double y) {
            this.x = x;
            this.y = y;
        }
    }

    /** A line of a file that is worked through from first to last. */
    static final class Row {
        final long bookedAt;
        final int account;

        Row(long bookedAt, int account) {
            this.bookedAt = bookedAt;
            this.account = account;
        }
    }

    static final class Connection {
        final long openedAt;
        final int id;
        final byte[] buffer = new byte[512];

        Connection(long openedAt, int id) {
            this.openedAt = openedAt;
            this.id = id;
        }
    }

    /** Connections that nobody uses at the moment; a full pool is no full queue. */
    static final class ConnectionPool {
        final LinkedBlockingDeque<Connection> idle = new LinkedBlockingDeque<>(1_500);
    }

    static Object kept;

    public static void main(String[] args) throws Exception {
        long now = System.currentTimeMillis();
        switch (args[0]) {
            case "cache": {
                Map<Integer, Product> cache = new ConcurrentHashMap<>();
                for (int i = 0; i < 200_000; i++) {
                    cache.put(i, new Product(i, now - i * 100L));
                }
                kept = cache;
                break;
            }
            case "lru": { // Its entries are a chain in the order of their use.
                Map<Integer, Product> cache = new LinkedHashMap<>();
                for (int i = 0; i < 100_000; i++) {
                    cache.put(i, new Product(i, now - (100_000 - i)));
                }
                kept = cache;
                break;
            }
            case "small": {
                List<Object> all = new ArrayList<>();
                for (int i = 0; i < 300_000; i++) {
                    all.add(new Point(i, -i));
                }
                Map<Long, Point> byId = new HashMap<>();
                for (long i = 0; i < 50_000; i++) {
                    byId.put(i, new Point(i, i));
                }
                kept = new Object[] {all, byId};
                break;
            }
            case "batch": {
                List<Row> rows = new ArrayList<>();
                for (int i = 0; i < 80_000; i++) {
                    rows.add(new Row(now - 86_400_000L + i * 1000L, i % 977));
                }
                kept = rows;
                long[] sums = new long[1000];
                Thread worker = new Thread(() -> {
                    for (int i = 0; ; i = (i + 1) % rows.size()) {
                        Row row = rows.get(i);
                        sums[row.account] += row.bookedAt;
                        try {
                            Thread.sleep(1);
                        } catch (InterruptedException e) {
                            return;
                        }
                    }
                }, "batch");
                worker.setDaemon(true);
                worker.start();
                break;
            }
            case "free": { // Buffers that are kept to be used again.
                ArrayDeque<byte[]> free = new ArrayDeque<>();
                for (int i = 0; i < 4_000; i++) {
                    free.add(new byte[2048]);
                }
                kept = free;
                break;
            }
            case "connections": {
                ConnectionPool pool = new ConnectionPool();
                for (int i = 0; i < 1_500; i++) {
                    pool.idle.add(new Connection(now - 100_000 + i * 20, i));
                }
                kept = pool;
                break;
            }
            case "strings": { // Full of something else: many equal strings.
                List<String> names = new ArrayList<>();
                for (int i = 0; i < 150_000; i++) {
                    names.add(new String(("country-" + i % 200).toCharArray()));
                }
                kept = names;
                break;
            }
            case "history": { // The last of what happened, for a page of the administrator.
                ArrayDeque<Row> history = new ArrayDeque<>();
                for (int i = 0; i < 50_000; i++) {
                    if (history.size() == 5_000) {
                        history.removeFirst();
                    }
                    history.addLast(new Row(now - (50_000 - i) * 200L, i % 977));
                }
                kept = history;
                break;
            }
            case "timers": { // Sessions that will expire some day; nothing is late.
                ScheduledThreadPoolExecutor timers = new ScheduledThreadPoolExecutor(2);
                for (int i = 0; i < 10_000; i++) {
                    Row session = new Row(now, i);
                    timers.schedule(() -> session.account, 1_800 + i, TimeUnit.SECONDS);
                }
                kept = timers;
                break;
            }
            case "pool": { // A pool that has done its work, and keeps a short queue.
                ThreadPoolExecutor pool = new ThreadPoolExecutor(8, 8, 1, TimeUnit.MINUTES, new LinkedBlockingQueue<>());
                AtomicInteger done = new AtomicInteger();
                for (int i = 0; i < 50_000; i++) {
                    pool.execute(done::incrementAndGet);
                }
                while (done.get() < 50_000) {
                    Thread.sleep(5);
                }
                kept = pool;
                break;
            }
            default:
                throw new IllegalArgumentException(args[0]);
        }
        new Truth().with("kind", "control").with("holds", args[0]).sayAndStandStill();
    }
}
