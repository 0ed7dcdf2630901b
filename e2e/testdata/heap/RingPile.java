package shop;

/** An application's own ring buffer that wraps round, drained by threads of its own. */
final class RingPile {
    /** The queue: a fixed array, the place to take from and how many are in. */
    static final class OrderRing {
        final Object[] slots;
        int next;
        int filled;

        OrderRing(int places) {
            slots = new Object[places];
        }

        synchronized void put(Object order) {
            if (filled == slots.length) {
                throw new IllegalStateException("full");
            }
            slots[(next + filled++) % slots.length] = order;
            notify();
        }

        synchronized Object take() throws InterruptedException {
            while (filled == 0) {
                wait();
            }
            Object order = slots[next];
            slots[next] = null;
            next = (next + 1) % slots.length;
            filled--;
            return order;
        }
    }

    static OrderRing ring;

    public static void main(String[] args) throws Exception {
        int threads = 4, waiting = 12_000;
        ring = new OrderRing(16_384);
        for (int i = 0; i < 6_000; i++) { // So that the filled part crosses the end.
            ring.put("warm");
            ring.take();
        }
        for (int i = 0; i < threads; i++) {
            Thread t = new Thread(() -> {
                try {
                    while (true) {
                        ((Runnable) ring.take()).run();
                    }
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            }, "order-worker-" + i);
            t.setDaemon(true);
            t.start();
        }
        long now = System.currentTimeMillis(), first = 0, last = 0;
        for (int i = 0; i < threads; i++) {
            ring.put(new Order(now - 31_000, i));
        }
        while (true) {
            synchronized (ring) {
                if (ring.filled == 0) {
                    break;
                }
            }
            Thread.sleep(5);
        }
        for (int i = 0; i < waiting; i++) {
            last = Order.arrival(now, i, waiting, 30);
            first = i == 0 ? last : first;
            ring.put(new Order(last, i));
        }
        new Truth().with("kind", "pile-up").with("owner", "shop.RingPile")
            .with("queue_class", "shop.RingPile$OrderRing").with("payload_class", "shop.Order")
            .with("entries", ring.filled).with("capacity", ring.slots.length)
            .with("clock", "epoch").with("first_ms", first).with("last_ms", last)
            .sayAndStandStill();
    }
}
