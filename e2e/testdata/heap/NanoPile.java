package shop;

import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** A bounded queue whose items know only the value of nanoTime, filled in real time. */
final class NanoPile {
    static final class Job implements Runnable {
        final long queuedNanos = System.nanoTime();
        final int id;

        Job(int id) {
            this.id = id;
        }

        @Override
        public void run() {
            try {
                Order.DATABASE.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    static ThreadPoolExecutor pool;

    public static void main(String[] args) throws Exception {
        int threads = 6, waiting = 9_000, places = 10_000, perSecond = 1_500;
        pool = new ThreadPoolExecutor(threads, threads, 0, TimeUnit.SECONDS, new ArrayBlockingQueue<>(places));
        for (int i = 0; i < threads; i++) {
            pool.execute(new Job(-1 - i));
        }
        while (pool.getQueue().size() > 0) {
            Thread.sleep(5);
        }
        long first = System.currentTimeMillis(), started = System.nanoTime();
        for (int i = 0; i < waiting; i++) {
            long due = started + i * 1_000_000_000L / perSecond;
            for (long left = due - System.nanoTime(); left > 0; left = due - System.nanoTime()) {
                TimeUnit.NANOSECONDS.sleep(left);
            }
            pool.execute(new Job(i));
        }
        long last = System.currentTimeMillis();
        new Truth().with("kind", "pile-up").with("owner", "java.util.concurrent.ThreadPoolExecutor")
            .with("queue_class", "java.util.concurrent.ArrayBlockingQueue").with("payload_class", "shop.NanoPile$Job")
            .with("entries", pool.getQueue().size()).with("capacity", places)
            .with("threads", pool.getPoolSize()).with("busy", pool.getActiveCount())
            .with("clock", "nano").with("first_ms", first).with("last_ms", last)
            .sayAndStandStill();
    }
}
