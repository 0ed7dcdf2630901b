class Pools {
  Object a = new ThreadPoolExecutor(8, 8, 60L, TimeUnit.SECONDS, new LinkedBlockingQueue<>()); // want QUE-04 "requests wait for a thread in a queue without a limit: length of LinkedBlockingQueue is not set"
  Object b = Executors.newFixedThreadPool(8); // want QUE-04 "length of the queue of newFixedThreadPool is not set"
  Object c = new ThreadPoolExecutor(8, 8, 60L, TimeUnit.SECONDS, new LinkedBlockingQueue<>(400));
  Object d = new ThreadPoolExecutor(8, 8, 60L, TimeUnit.SECONDS, new LinkedBlockingQueue<>(Integer.MAX_VALUE)); // want QUE-04 "length of LinkedBlockingQueue is Integer.MAX_VALUE"
}
