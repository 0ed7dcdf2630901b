package shop;

import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Comparator;
import java.util.PriorityQueue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.LinkedBlockingDeque;
import java.util.concurrent.LinkedTransferQueue;
import java.util.concurrent.PriorityBlockingQueue;

/** The queues of the JDK, each with orders in it that an inbox of the application holds. */
final class Queues {
    /** What the application keeps its orders in until it gets to them. */
    static final class Inbox {
        final Collection<Order> waiting;

        Inbox(Collection<Order> waiting) {
            this.waiting = waiting;
        }
    }

    static Object kept;

    public static void main(String[] args) throws Exception {
        if (args[0].equals("forkjoin")) {
            forkJoin();
            return;
        }
        Comparator<Order> byCustomer = Comparator.comparingInt(o -> o.customer);
        Integer capacity = null;
        Collection<Order> queue;
        switch (args[0]) {
            case "arraydeque": queue = new ArrayDeque<>(); break;
            case "concurrent": queue = new ConcurrentLinkedQueue<>(); break;
            case "transfer": queue = new LinkedTransferQueue<>(); break;
            case "priority": queue = new PriorityBlockingQueue<>(11, byCustomer); break;
            case "deque":
                capacity = 20_000;
                queue = new LinkedBlockingDeque<>(capacity);
                break;
            case "heap": queue = new PriorityQueue<>(byCustomer); break;
            default: throw new IllegalArgumentException(args[0]);
        }
        int waiting = 11_000;
        long now = System.currentTimeMillis(), first = 0, last = 0;
        for (int i = 0; i < 500; i++) { // So that something has gone through.
            queue.add(new Order(now, -i));
        }
        queue.clear();
        for (int i = 0; i < waiting; i++) {
            last = Order.arrival(now, i, waiting, 22);
            first = i == 0 ? last : first;
            queue.add(new Order(last, i));
        }
        kept = new Inbox(queue);
        new Truth().with("kind", "pile-up").with("owner", "shop.Queues$Inbox").with("queue_class", queue.getClass().getName())
            .with("payload_class", "shop.Order").with("entries", queue.size()).with("capacity", capacity)
            .with("unordered", args[0].equals("priority") || args[0].equals("heap"))
            .with("clock", "epoch").with("first_ms", first).with("last_ms", last).sayAndStandStill();
    }

    static void forkJoin() throws Exception {
        int threads = 4, waiting = 9_000;
        ForkJoinPool pool = new ForkJoinPool(threads);
        kept = pool;
        long now = System.currentTimeMillis(), first = 0, last = 0;
        for (int i = 0; i < threads; i++) {
            pool.execute(new Order(now - 19_000, -1 - i));
        }
        while (pool.getQueuedSubmissionCount() > 0) {
            Thread.sleep(5);
        }
        for (int i = 0; i < waiting; i++) {
            last = Order.arrival(now, i, waiting, 18);
            first = i == 0 ? last : first;
            pool.execute(new Order(last, i));
        }
        new Truth().with("kind", "pile-up").with("owner", "java.util.concurrent.ForkJoinPool")
            .with("queue_class", "java.util.concurrent.ForkJoinPool$WorkQueue").with("payload_class", "java.util.concurrent.ForkJoinTask$RunnableExecuteAction")
            .with("entries", pool.getQueuedSubmissionCount()).with("capacity", null)
            .with("threads", pool.getPoolSize()).with("busy", threads)
            .with("clock", "epoch").with("first_ms", first).with("last_ms", last).sayAndStandStill();
    }
}
