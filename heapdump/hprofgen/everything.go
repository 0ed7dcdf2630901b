package hprofgen

import "fmt"

// Everything makes a small dump that has one of each thing that the package makes,
// but for what breaks the format.
func Everything(opt Options) *Dump {
	d := New(opt)
	at := func(i int) int64 { return Taken.UnixMilli() - int64(100_000-100*i) }
	tasks := d.Tasks("com.example.Task", 120, 64, at)
	var threads []*Thread
	for i := range 4 {
		t := d.Thread(fmt.Sprintf("worker-%d", i), nil, At("com.example.Handler", "handle", 17), At("java.lang.Thread", "run", -1))
		t.Local(0, tasks[i])
		threads = append(threads, t)
	}
	d.ThreadPoolExecutor(4, 4, d.LinkedBlockingQueue(1000, tasks...), threads...)
	d.TomcatExecutor(10, 200, Unbounded, d.SocketProcessors(150, at), threads...)
	d.QueuedThreadPool("qtp1", 8, 12, 2, d.BlockingArrayQueue(60_000, 256, d.Endpoints(200, at, at)...), threads...)
	d.ArrayBlockingQueue(300, tasks...)
	d.OwnQueue("com.example.Ring", 500, tasks...)
	d.Pile("com.example.Link", tasks...)
	d.ArrayDeque(tasks...)
	d.CompletableFutures(110)
	d.Cache(50)
	d.DeepList("com.example.Deep", 200)
	d.WeakHashMap([]ID{tasks[0], d.String("held weakly")}, tasks)
	d.Weak(tasks[1])
	d.StackChunk(250)
	d.Object(d.Class("com.example.Handler$$Lambda/0x00007f10a4001c00", nil))
	d.Small(30)
	d.String("Grüße, 世界 \x00 \U0001f600")
	d.Longs(1, 2, 3)
	d.RootJNI(tasks[0], 0x1234)
	d.Class("com.example.Statics", nil, S("count", Int, 3), S("task", Object, tasks[0]), S("<resolved_references>", Object, nil))
	return d
}
