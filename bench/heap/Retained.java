import java.io.File;
import java.util.List;
import org.graalvm.visualvm.lib.jfluid.heap.Heap;
import org.graalvm.visualvm.lib.jfluid.heap.HeapFactory;
import org.graalvm.visualvm.lib.jfluid.heap.Instance;

/**
 * Reads a heap dump with VisualVM's heap library and prints the objects that retain most:
 * the question of {@code kneeline heap --graph}, for measuring beside it.
 *
 * <p>usage: java -cp org-graalvm-visualvm-lib-jfluid-heap.jar:... Retained DUMP
 */
public final class Retained {
    public static void main(String[] arguments) throws Exception {
        Heap heap = HeapFactory.createHeap(new File(arguments[0]));
        List<Instance> biggest = heap.getBiggestObjectsByRetainedSize(25);
        for (Instance i : biggest) {
            System.out.printf("%d\t%s\t%x%n", i.getRetainedSize(), i.getJavaClass().getName(), i.getInstanceId());
        }
    }
}
