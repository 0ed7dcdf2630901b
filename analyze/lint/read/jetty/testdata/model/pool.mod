[description]
A pool of threads.

[xml]
etc/jetty-threadpool.xml

[ini-template]
#jetty.threadPool.maxThreads=200
