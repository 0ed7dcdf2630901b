class Bad {
  static final int WAITING = 10_000;
  Object requests = new ThreadPoolExecutor(4, 8, 60L, TimeUnit.SECONDS, new ArrayBlockingQueue<>(WAITING)); // want SRC-06 "the queue of requests \(ThreadPoolExecutor\) holds 10,000: at 1,000/s the last of a full one waits 10s"
  Object mails = new ThreadPoolExecutor(
      4,
      64, // want SRC-06 "mails \(ThreadPoolExecutor\) never has 64 threads: threads beyond corePoolSize 4 are started when the queue is full, and length of LinkedBlockingQueue has no limit"
      60L, TimeUnit.SECONDS, new LinkedBlockingQueue<>());
  Object others = Executors.newCachedThreadPool(); // want SRC-06 "others \(newCachedThreadPool\) has no limit of threads"
}
