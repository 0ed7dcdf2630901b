package shop;

import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** Eight threads, all waiting, and orders in the pool's queue without bound. */
final class PoolPile {
    static ThreadPoolExecutor pool;

    public static void main(String[] args) throws Exception {
        int threads = 8, waiting = 20_000;
        pool = new ThreadPoolExecutor(threads, 32, 1, TimeUnit.MINUTES, new LinkedBlockingQueue<>());
        long now = System.currentTimeMillis();
        long first = 0, last = 0;
        for (int i = 0; i < threads + waiting; i++) {
            Order order = new Order(Order.arrival(now, i, threads + waiting, 40), i);
            if (i == threads) {
                first = order.createdAt;
            }
            last = order.createdAt;
            pool.execute(order);
        }
        while (pool.getActiveCount() < threads) {
            Thread.sleep(10);
        }
        new Truth().with("kind", "pile-up").with("owner", "java.util.concurrent.ThreadPoolExecutor")
            .with("queue_class", "java.util.concurrent.LinkedBlockingQueue").with("payload_class", "shop.Order")
            .with("entries", pool.getQueue().size()).with("capacity", null)
            .with("threads", pool.getPoolSize()).with("busy", pool.getActiveCount())
            .with("clock", "epoch").with("first_ms", first).with("last_ms", last)
            .sayAndStandStill();
    }
}
