package shop;

import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.File;
import java.io.IOException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.catalina.Context;
import org.apache.catalina.connector.Connector;
import org.apache.catalina.startup.Tomcat;
import org.apache.tomcat.util.threads.ThreadPoolExecutor;

/** A real Tomcat. It answers /fast at once; all else keeps the thread that serves it. It says how things stand whenever a line comes in. */
final class StallTomcat {
    static final CountDownLatch DATABASE = new CountDownLatch(1);
    static final AtomicInteger IN_SERVLET = new AtomicInteger();

    public static final class Checkout extends HttpServlet {
        @Override
        protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
            if (request.getRequestURI().equals("/fast")) {
                response.getWriter().print("ok");
                return;
            }
            IN_SERVLET.incrementAndGet();
            try {
                DATABASE.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    public static void main(String[] args) throws Exception {
        Tomcat tomcat = new Tomcat();
        tomcat.setBaseDir(args[1]);
        Connector connector = new Connector("org.apache.coyote.http11.Http11NioProtocol");
        connector.setPort(Integer.parseInt(args[0]));
        connector.setProperty("address", "127.0.0.1");
        connector.setProperty("maxThreads", "16");
        connector.setProperty("maxConnections", "20000");
        connector.setProperty("acceptCount", "2000");
        tomcat.setConnector(connector);
        Context context = tomcat.addContext("", new File(args[1]).getAbsolutePath());
        Tomcat.addServlet(context, "checkout", new Checkout());
        context.addServletMappingDecoded("/*", "checkout");
        tomcat.start();
        for (int c = System.in.read(); c >= 0; c = System.in.read()) {
            if (c != '\n') {
                continue;
            }
            ThreadPoolExecutor pool = (ThreadPoolExecutor) connector.getProtocolHandler().getExecutor();
            new Truth().with("pool_queue", pool.getQueue().size()).with("threads", pool.getPoolSize())
                .with("busy", pool.getActiveCount()).with("max_threads", pool.getMaximumPoolSize())
                .with("pool_queue_class", pool.getQueue().getClass().getName())
                .with("in_handler", IN_SERVLET.get()).say();
        }
        Runtime.getRuntime().halt(0);
    }
}
