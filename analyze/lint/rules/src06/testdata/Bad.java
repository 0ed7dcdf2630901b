class Bad {
  Object a = new ThreadPoolExecutor(4, 8, 60L, TimeUnit.SECONDS, new ArrayBlockingQueue<>(10000)); // want SRC-06 "the queue of ThreadPoolExecutor in Bad holds 10,000"
  Object b = Executors.newFixedThreadPool(4); // want SRC-06 "the queue of Executors.newFixedThreadPool in Bad has no end"
}
