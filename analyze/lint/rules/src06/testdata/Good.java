class Good {
  // new ThreadPoolExecutor(4, 64, 60L, TimeUnit.SECONDS, new LinkedBlockingQueue<>())
  Object a = new ThreadPoolExecutor(64, 64, 60L, TimeUnit.SECONDS, new ArrayBlockingQueue<>(400));
  Object b = new ThreadPoolExecutor(4, 8, 60L, TimeUnit.SECONDS, new LinkedBlockingQueue<>(size));
  Object c = new ThreadPoolExecutor(8, 8, 60L, TimeUnit.SECONDS, new SynchronousQueue<>());
  Object d = Executors.newFixedThreadPool(8); // its queue is QUE-04's
}
