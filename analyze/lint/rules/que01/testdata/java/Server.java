class Server {
  private static final int WAITING = 5_000;
  final Executor requests = new ThreadPoolExecutor(64, 64, 60L, TimeUnit.SECONDS, new ArrayBlockingQueue<>(WAITING)); // want QUE-01 "5,000 requests may wait for storage; 480 of them can be answered within the 400ms of edge"
}
