// Package javasource reads Java sources for the queues of thread pools that are made in
// them: new ThreadPoolExecutor(…, new LinkedBlockingQueue<>()), Executors.newFixedThreadPool.
//
// It is no parser of Java: it takes texts and comments out and looks at constructors with
// literals. What a constant or a variable holds is not known.
package javasource
