import java.io.File;
import java.util.ArrayList;
import java.util.List;
import org.graalvm.visualvm.lib.jfluid.heap.Heap;
import org.graalvm.visualvm.lib.jfluid.heap.HeapFactory;
import org.graalvm.visualvm.lib.jfluid.heap.JavaClass;

/**
 * Reads a heap dump with VisualVM's heap library and prints the classes that take most:
 * the same question as the histogram of {@code kneeline heap}, for measuring beside it.
 *
 * <p>usage: java -cp org-graalvm-visualvm-lib-jfluid-heap.jar:... Histogram DUMP
 */
public final class Histogram {
    public static void main(String[] arguments) throws Exception {
        Heap heap = HeapFactory.createHeap(new File(arguments[0]));
        List<JavaClass> classes = new ArrayList<>(heap.getAllClasses());
        classes.sort((a, b) -> Long.compare(b.getAllInstancesSize(), a.getAllInstancesSize()));
        System.out.println(heap.getSummary().getTotalLiveInstances() + " objects, " + heap.getSummary().getTotalLiveBytes() + " bytes");
        for (JavaClass c : classes.subList(0, Math.min(20, classes.size()))) {
            System.out.println(c.getInstancesCount() + "\t" + c.getAllInstancesSize() + "\t" + c.getName());
        }
    }
}
