package shop;

import java.util.concurrent.CountDownLatch;

/** A piece of work that came in at a known time and that no thread can finish. */
final class Order implements Runnable {
    static final CountDownLatch DATABASE = new CountDownLatch(1);

    final long createdAt;
    final int customer;
    final byte[] body = new byte[200];

    Order(long createdAt, int customer) {
        this.createdAt = createdAt;
        this.customer = customer;
    }

    @Override
    public void run() {
        try {
            DATABASE.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** The time of the n-th of many arrivals that were spread evenly over the last seconds. */
    static long arrival(long now, int n, int of, long seconds) {
        return now - seconds * 1000 + n * seconds * 1000 / of;
    }
}
