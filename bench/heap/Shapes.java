import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;

/**
 * Fills a heap with what services hold, up to a number of bytes, and waits until its
 * standard input ends, so that a dump can be taken.
 *
 * <p>usage: java Shapes MEGABYTES
 *
 * <p>Every tenth of a fill goes to: a queue of pending requests with arrival times, a
 * cache of articles in a hash map, sessions with attributes, trees of prices, boxed
 * numbers in lists, one linked chain, a graph, short strings, buffers of mixed sizes,
 * and futures that wait. The same number gives the same heap.
 */
public final class Shapes {
    static final class Pending {
        final long arrived;
        final String path;
        final byte[] body;
        final CompletableFuture<Object> answer = new CompletableFuture<>();

        Pending(long arrived, String path, byte[] body) {
            this.arrived = arrived;
            this.path = path;
            this.body = body;
        }
    }

    static final class Article {
        int number;
        long price;
        double weight;
        boolean sold;
        String title;
    }

    static final class Session {
        long seen;
        final List<Article> basket = new ArrayList<>();
        final Map<String, Object> attributes = new HashMap<>();
    }

    static final class Link {
        Link next;
        long value;
    }

    static final class Vertex {
        final Vertex[] near = new Vertex[3];
        int mark;
    }

    static final LinkedBlockingQueue<Pending> queue = new LinkedBlockingQueue<>();
    static final Map<Integer, Article> cache = new HashMap<>();
    static final ConcurrentHashMap<String, Session> sessions = new ConcurrentHashMap<>();
    static final List<TreeMap<Long, Double>> trees = new ArrayList<>();
    static final List<List<Object>> numbers = new ArrayList<>();
    static final List<Vertex> graph = new ArrayList<>();
    static final List<String> strings = new ArrayList<>();
    static final ArrayDeque<Object> buffers = new ArrayDeque<>();
    static final List<CompletableFuture<?>> futures = new ArrayList<>();
    static Link chain;

    static Article article(Random r, int i) {
        Article a = new Article();
        a.number = i;
        a.price = r.nextInt(10_000);
        a.title = "article " + r.nextInt(5_000);
        return a;
    }

    /** Adds about 10 kB, 1 kB of each shape. */
    static void add(Random r, int i) {
        for (int k = 0; k < 4; k++) {
            queue.add(new Pending(System.currentTimeMillis(), "/orders/" + i, new byte[r.nextInt(200)]));
        }
        for (int k = 0; k < 7; k++) cache.put(7 * i + k, article(r, i));
        Session s = new Session();
        s.seen = System.currentTimeMillis();
        for (int k = 0; k < 4; k++) {
            s.basket.add(article(r, k));
            s.attributes.put("attribute" + k, r.nextInt());
        }
        sessions.put("session-" + i, s);
        TreeMap<Long, Double> t = new TreeMap<>();
        for (int k = 0; k < 12; k++) t.put(r.nextLong(), r.nextDouble());
        trees.add(t);
        List<Object> list = new ArrayList<>();
        for (int k = 0; k < 24; k++) list.add((long) r.nextInt());
        numbers.add(list);
        for (int k = 0; k < 40; k++) {
            Link l = new Link();
            l.value = k;
            l.next = chain;
            chain = l;
        }
        for (int k = 0; k < 18; k++) {
            Vertex v = new Vertex();
            for (int n = 0; n < 3 && !graph.isEmpty(); n++) v.near[n] = graph.get(r.nextInt(graph.size()));
            graph.add(v);
        }
        for (int k = 0; k < 18; k++) strings.add("name " + r.nextInt(1 << 20));
        buffers.add(new byte[r.nextInt(900)]);
        buffers.add(new int[r.nextInt(60)]);
        buffers.add(new char[r.nextInt(200)]);
        for (int k = 0; k < 9; k++) {
            CompletableFuture<Object> f = new CompletableFuture<>();
            futures.add(f.thenApply(x -> x));
            futures.add(f);
        }
    }

    public static void main(String[] arguments) throws Exception {
        long bytes = Long.parseLong(arguments[0]) * 1_000_000;
        Random r = new Random(1);
        for (int i = 0; i < bytes / 13_500; i++) add(r, i);
        System.out.println("filled");
        while (System.in.read() >= 0) { }
    }
}
