import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;

/** Holds objects whose sizes depend on how the VM lays them out, until stdin ends. */
public final class Layout {
    static class OneByte { byte b; }
    static class LongAfterByte extends OneByte { long l; byte c; }
    static class RefAfterLong extends LongAfterByte { Object o; short s; char d; }
    static class OneInt { int a; }
    static class LongAfterInt extends OneInt { long l; boolean z; Object r; }
    static class Statics { static final byte[] BYTES = {1}; static long a = 1, b = 2; static boolean c; static Object d; int x; }

    static final List<Object> kept = new ArrayList<>();

    static void deep(int n) {
        if (n > 0) {
            deep(n - 1);
        } else {
            LockSupport.park();
        }
    }

    /** Since JDK 21: parked virtual threads with stacks of different depth. */
    static void parkVirtualThreads() throws Exception {
        if (Runtime.version().feature() < 21) return;
        Method start = Thread.class.getMethod("startVirtualThread", Runnable.class);
        for (int i = 0; i < 500; i++) {
            int depth = i % 40;
            kept.add(start.invoke(null, (Runnable) () -> deep(depth)));
        }
        Thread.sleep(1_000);
    }

    public static void main(String[] arguments) throws Exception {
        Random r = new Random(1);
        for (int i = 0; i < 20_000; i++) {
            kept.add(new RefAfterLong());
            kept.add(new LongAfterInt());
            kept.add(new byte[r.nextInt(80)]);
            kept.add(new boolean[r.nextInt(7)]);
            kept.add(new char[r.nextInt(30)]);
            kept.add(new short[r.nextInt(7)]);
            kept.add(new int[r.nextInt(9)]);
            kept.add(new long[r.nextInt(9)]);
            kept.add(new float[r.nextInt(5)]);
            kept.add(new double[r.nextInt(5)]);
            kept.add(new Object[r.nextInt(20)]);
            kept.add("text " + i);
        }
        kept.add(new Statics());
        ConcurrentHashMap<Object, Object> map = new ConcurrentHashMap<>();
        LinkedBlockingQueue<Object> queue = new LinkedBlockingQueue<>();
        for (int i = 0; i < 5_000; i++) {
            map.put(i, "value " + i);
            queue.add(new AtomicLong(i));
        }
        kept.add(map);
        kept.add(queue);
        kept.add(new LongAdder());
        kept.add(new int[20_000_000]);
        ForkJoinPool.commonPool().submit(() -> 1).get(); // padded fields
        for (int i = 0; i < 3; i++) {
            Thread t = new Thread(() -> { try { Thread.sleep(3_600_000); } catch (InterruptedException e) { } });
            t.setDaemon(true);
            t.start();
        }
        parkVirtualThreads();
        System.out.println("ready");
        while (System.in.read() >= 0) { }
    }
}
