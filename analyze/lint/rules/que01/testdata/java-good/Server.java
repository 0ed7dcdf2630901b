class Server {
  private static final int WAITING = 402;
  final Executor requests = new ThreadPoolExecutor(64, 64, 60L, TimeUnit.SECONDS, new ArrayBlockingQueue<>(WAITING));
}
