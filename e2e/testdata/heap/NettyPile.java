package shop;

import io.netty.bootstrap.Bootstrap;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.EventLoop;
import io.netty.channel.nio.NioEventLoopGroup;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.util.concurrent.SingleThreadEventExecutor;
import java.net.InetSocketAddress;

/** Netty with an event loop that a handler blocks, or with a peer that does not read. */
final class NettyPile {
    static final NioEventLoopGroup GROUP = new NioEventLoopGroup(1);
    static Channel slow;

    public static void main(String[] args) throws Exception {
        if (args[0].equals("loop")) {
            loop();
        } else {
            outbound();
        }
    }

    static void loop() throws Exception {
        int waiting = 25_000;
        EventLoop loop = GROUP.next();
        long now = System.currentTimeMillis(), first = 0, last = 0;
        loop.execute(new Order(now - 16_000, -1));
        while (((SingleThreadEventExecutor) loop).pendingTasks() > 0) {
            Thread.sleep(10);
        }
        for (int i = 0; i < waiting; i++) {
            last = Order.arrival(now, i, waiting, 15);
            first = i == 0 ? last : first;
            loop.execute(new Order(last, i));
        }
        new Truth().with("kind", "pile-up").with("owner", loop.getClass().getName())
            .with("queue_class", "io.netty.util.internal.shaded.org.jctools.queues.MpscUnboundedArrayQueue")
            .with("payload_class", "shop.Order")
            .with("entries", waiting).with("capacity", null).with("threads", 1).with("busy", 1)
            .with("clock", "epoch").with("first_ms", first).with("last_ms", last)
            .sayAndStandStill();
    }

    /** The server's side of the connection never reads, so that what is written waits in the client's. */
    static void outbound() throws Exception {
        int writes = 30_000;
        Channel server = new ServerBootstrap().group(GROUP).channel(NioServerSocketChannel.class)
            .childOption(io.netty.channel.ChannelOption.AUTO_READ, false)
            .childOption(io.netty.channel.ChannelOption.SO_RCVBUF, 4096)
            .childHandler(new ChannelInitializer<Channel>() {
                @Override
                protected void initChannel(Channel c) {
                    c.pipeline().addLast(new ChannelInboundHandlerAdapter());
                }
            }).bind(new InetSocketAddress("127.0.0.1", 0)).sync().channel();
        slow = new Bootstrap().group(new NioEventLoopGroup(1)).channel(NioSocketChannel.class)
            .option(io.netty.channel.ChannelOption.SO_SNDBUF, 4096)
            .handler(new ChannelInboundHandlerAdapter()).connect(server.localAddress()).sync().channel();
        for (int i = 0; i < writes; i++) {
            slow.write(Unpooled.wrappedBuffer(new byte[256]));
        }
        slow.flush();
        int[] entries = new int[1];
        do { // Until the socket takes no more.
            Thread.sleep(300);
            entries[0] = slow.eventLoop().submit(() -> slow.unsafe().outboundBuffer().size()).get();
        } while (slow.eventLoop().submit(() -> slow.unsafe().outboundBuffer().size()).get() != entries[0]);
        new Truth().with("kind", "pile-up").with("queue_class", "io.netty.channel.ChannelOutboundBuffer")
            .with("payload_class", "io.netty.channel.ChannelOutboundBuffer$Entry")
            .with("entries", entries[0]).with("capacity", null)
            .with("pending_bytes", slow.unsafe().outboundBuffer().totalPendingWriteBytes())
            .sayAndStandStill();
    }
}
