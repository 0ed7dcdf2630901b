package shop;

/** An application's own linked list used as a queue, with a count and a limit. */
final class ChainPile {
    static final class Link {
        final Order order;
        Link next;

        Link(Order order) {
            this.order = order;
        }
    }

    static final class OrderLine {
        Link first;
        Link last;
        int size;
        final int maxSize;

        OrderLine(int maxSize) {
            this.maxSize = maxSize;
        }

        synchronized boolean offer(Order order) {
            if (size == maxSize) {
                return false;
            }
            Link link = new Link(order);
            if (last == null) {
                first = link;
            } else {
                last.next = link;
            }
            last = link;
            size++;
            notify();
            return true;
        }

        synchronized Order take() throws InterruptedException {
            while (first == null) {
                wait();
            }
            Order order = first.order;
            first = first.next;
            if (first == null) {
                last = null;
            }
            size--;
            return order;
        }
    }

    static final OrderLine LINE = new OrderLine(50_000);

    public static void main(String[] args) throws Exception {
        int threads = 3, waiting = 15_000;
        long now = System.currentTimeMillis(), first = 0, last = 0;
        for (int i = 0; i < threads; i++) {
            Thread t = new Thread(() -> {
                try {
                    while (true) {
                        LINE.take().run();
                    }
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            }, "line-worker-" + i);
            t.setDaemon(true);
            t.start();
            LINE.offer(new Order(now - 26_000, i));
        }
        while (true) {
            synchronized (LINE) {
                if (LINE.size == 0) {
                    break;
                }
            }
            Thread.sleep(5);
        }
        for (int i = 0; i < waiting; i++) {
            last = Order.arrival(now, i, waiting, 25);
            first = i == 0 ? last : first;
            LINE.offer(new Order(last, i));
        }
        new Truth().with("kind", "pile-up").with("owner", "shop.ChainPile")
            .with("queue_class", "shop.ChainPile$OrderLine").with("payload_class", "shop.Order")
            .with("entries", LINE.size).with("capacity", LINE.maxSize)
            .with("clock", "epoch").with("first_ms", first).with("last_ms", last)
            .sayAndStandStill();
    }
}
