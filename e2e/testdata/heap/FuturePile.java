package shop;

import java.util.concurrent.CompletableFuture;

/** One answer that never comes, and a call for each order that waits for it. */
final class FuturePile {
    static final CompletableFuture<String> RATES = new CompletableFuture<>();

    /** What is left to do for an order once the answer is there. */
    static final class Priced implements java.util.function.Function<String, Order> {
        final Order order;

        Priced(Order order) {
            this.order = order;
        }

        @Override
        public Order apply(String rates) {
            return order;
        }
    }

    public static void main(String[] args) throws Exception {
        int waiting = 18_000;
        long now = System.currentTimeMillis(), first = 0, last = 0;
        for (int i = 0; i < waiting; i++) {
            last = Order.arrival(now, i, waiting, 20);
            first = i == 0 ? last : first;
            RATES.thenApply(new Priced(new Order(last, i)));
        }
        new Truth().with("kind", "pile-up").with("owner", "java.util.concurrent.CompletableFuture")
            .with("queue_class", "java.util.concurrent.CompletableFuture")
            .with("payload_class", "java.util.concurrent.CompletableFuture$UniApply")
            .with("entries", RATES.getNumberOfDependents()).with("capacity", null)
            .with("clock", "epoch").with("first_ms", first).with("last_ms", last)
            .sayAndStandStill();
    }
}
