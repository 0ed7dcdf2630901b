package shop;

import java.util.concurrent.CompletableFuture;

/** One answer that never comes, and a call for each order that waits for it. */
final class FuturePile {
    static final CompletableFuture<String> RATES = new CompletableFuture<>();

    public static void main(String[] args) throws Exception {
        int waiting = 18_000;
        long now = System.currentTimeMillis(), first = 0, last = 0;
        for (int i = 0; i < waiting; i++) {
            last = Order.arrival(now, i, waiting, 20);
            first = i == 0 ? last : first;
            Order order = new Order(last, i);
            RATES.thenApply(rates -> rates + order.customer);
        }
        new Truth().with("kind", "pile-up").with("owner", "shop.FuturePile")
            .with("queue_class", "java.util.concurrent.CompletableFuture")
            .with("payload_class", "java.util.concurrent.CompletableFuture$UniApply")
            .with("entries", RATES.getNumberOfDependents()).with("capacity", null)
            .with("clock", "epoch").with("first_ms", first).with("last_ms", last)
            .sayAndStandStill();
    }
}
