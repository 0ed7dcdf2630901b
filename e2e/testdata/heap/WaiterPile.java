package shop;

import java.util.concurrent.Semaphore;

/** A pool of ten connections handed out by a semaphore, and threads that wait for one. */
final class WaiterPile {
    static final class ConnectionPool {
        final Semaphore connections = new Semaphore(10, true);

        void query() {
            connections.acquireUninterruptibly();
            try {
                Order.DATABASE.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            } finally {
                connections.release();
            }
        }
    }

    static final ConnectionPool POOL = new ConnectionPool();

    public static void main(String[] args) throws Exception {
        int threads = 1_200;
        for (int i = 0; i < threads; i++) {
            Thread t = new Thread(null, POOL::query, "http-" + i, 128 << 10);
            t.setDaemon(true);
            t.start();
        }
        while (POOL.connections.getQueueLength() < threads - 10) {
            Thread.sleep(10);
        }
        new Truth().with("kind", "pile-up").with("owner", "shop.WaiterPile$ConnectionPool")
            .with("queue_class", "java.util.concurrent.Semaphore").with("payload_class", "java.lang.Thread")
            .with("entries", POOL.connections.getQueueLength()).with("capacity", null)
            .with("in_service", 10)
            .sayAndStandStill();
    }
}
