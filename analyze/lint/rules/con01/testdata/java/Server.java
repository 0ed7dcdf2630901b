class Server {
  private static final int WAITING = 402;
  final Executor requests = new ThreadPoolExecutor(20, 20, 60L, TimeUnit.SECONDS, new ArrayBlockingQueue<>(WAITING)); // want CON-01 "20 threads carry 500/s at most, the peak is 950/s"
}
