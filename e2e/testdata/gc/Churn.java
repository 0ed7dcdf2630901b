import java.util.ArrayList;
import java.util.List;

/** Allocates, keeps some of it, and lets go of most: enough for every kind of collection. */
public class Churn {
    public static void main(String[] args) throws Exception {
        long end = System.nanoTime() + Long.parseLong(args[0]) * 1_000_000L;
        Thread[] threads = new Thread[2];
        for (int t = 0; t < threads.length; t++) {
            threads[t] = new Thread(() -> {
                List<byte[]> kept = new ArrayList<>();
                int turn = 0;
                while (System.nanoTime() < end) {
                    for (int i = 0; i < 1000; i++) {
                        byte[] some = new byte[200 + (turn * 31 + i) % 2000];
                        if (i % 10 == 0) {
                            kept.add(some);
                        }
                    }
                    if (++turn % 50 == 0) {
                        kept.add(new byte[700_000]); // more than half a region of G1
                    }
                    if (kept.size() > 8000) {
                        kept.subList(0, 6000).clear();
                    }
                }
            });
            threads[t].start();
        }
        for (Thread t : threads) {
            t.join();
        }
        System.gc();
    }
}
