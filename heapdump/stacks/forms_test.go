package stacks

// Dumps of a small shop in the forms of the tools.

const jdk17 = `2026-11-29 17:43:58
Full thread dump OpenJDK 64-Bit Server VM (17.0.15+6 mixed mode, sharing):

Threads class SMR info:
_java_thread_list=0x00007f10f8001650, length=4, elements={
0x00007f1180017fd0, 0x00007f118019c7b0, 0x00007f118019db90, 0x00007f11801a55f0
}

"shop-1" #12 daemon prio=5 os_prio=0 cpu=57.34ms elapsed=97.35s allocated=1000K defined_classes=3 tid=0x00007f118029f3e0 nid=0x7baa waiting on condition  [0x00007f11652fd000]
   java.lang.Thread.State: WAITING (parking)
	at jdk.internal.misc.Unsafe.park(java.base@17.0.15/Native Method)
	- parking to wait for  <0x00000000801efbc0> (a java.util.concurrent.locks.ReentrantLock$NonfairSync)
	at java.util.concurrent.locks.LockSupport.park(java.base@17.0.15/LockSupport.java:211)
	at java.util.concurrent.locks.ReentrantLock.lock(java.base@17.0.15/ReentrantLock.java:322)
	at example.shop.Stock.take(Stock.java:37)
	at example.shop.Stock$$Lambda$70/0x00007f1108083728.run(Unknown Source)
	at java.lang.Thread.run(java.base@17.0.15/Thread.java:840)

   Locked ownable synchronizers:
	- <0x00000000801f0000> (a java.util.concurrent.ThreadPoolExecutor$Worker)

"shop "quoted" #7 x" #13 prio=5 os_prio=0 cpu=1.00ms elapsed=97.34s tid=0x00007f118029ff60 nid=0x7bab waiting for monitor entry  [0x00007f11651fe000]
   java.lang.Thread.State: BLOCKED (on object monitor)
	at example.shop.Till.pay(Till.java:12)
	- waiting to lock <0x00000000801efc00> (a java.lang.Class for example.shop.Till)
	- locked <0x00000000801efd00> (a java.lang.Object)
	at java.lang.Thread.run(java.base@17.0.15/Thread.java:840)

   Locked ownable synchronizers:
	- None

"C2 CompilerThread0" #7 daemon prio=9 os_prio=0 cpu=684.94ms elapsed=98.50s tid=0x00007f11801a9760 nid=0x7b6a waiting on condition  [0x0000000000000000]
   java.lang.Thread.State: RUNNABLE
   No compile task

   Locked ownable synchronizers:
	- None

"shop-2" #14 prio=5 os_prio=0 cpu=2.00ms elapsed=90.00s tid=0x00007f118029ff70 nid=0x7bac in Object.wait()  [0x00007f11651fe000]
   java.lang.Thread.State: TIMED_WAITING (on object monitor)
	at java.lang.Object.wait(java.base@17.0.15/Native Method)
	- waiting on <no object reference available>
	at example.shop.Till.await(Till.java:20)
	- waiting to re-lock in wait() <0x00000000801efd00> (a java.lang.Object)

   Locked ownable synchronizers:
	- None

"GC Thread#0" os_prio=0 cpu=128.73ms elapsed=98.82s tid=0x00007f1180053740 nid=0x7b4e runnable  

JNI global refs: 12, weak refs: 0


Found one Java-level deadlock:
=============================
"dead-a":
  waiting to lock monitor 0x00007f24c0012e80 (object 0x00000000ffd1b980, a java.lang.Object),
  which is held by "dead-b"

"dead-b":
  waiting for ownable synchronizer 0x00000000ffd1b970, (a java.util.concurrent.locks.ReentrantLock$NonfairSync),
  which is held by "dead-a"

Java stack information for the threads listed above:
===================================================
"dead-a":
	at example.shop.Till.on(Till.java:8)
	- waiting to lock <0x00000000ffd1b980> (a java.lang.Object)
"dead-b":
	at example.shop.Till.on(Till.java:8)

Found 1 deadlock.

`

const jdk8 = `2026-11-29 17:43:58
Full thread dump Java HotSpot(TM) 64-Bit Server VM (25.402-b08 mixed mode):

"shop-1" #12 daemon prio=5 os_prio=0 tid=0x00007f118029f3e0 nid=0x7baa waiting on condition [0x00007f11652fd000]
   java.lang.Thread.State: TIMED_WAITING (sleeping)
	at java.lang.Thread.sleep(Native Method)
	at example.shop.Stock.take(Stock.java:37)

"VM Thread" os_prio=0 tid=0x00007f118029f3e1 nid=0x7bae runnable 

JNI global references: 319

Heap
 PSYoungGen      total 37888K, used 5243K [0x00000000d6000000, 0x00000000d8a00000, 0x0000000100000000)
`

const jdk6 = `Full thread dump Java HotSpot(TM) 64-Bit Server VM (20.45-b01 mixed mode):

"shop-1" prio=10 tid=0x00007f118029f3e0 nid=0x7baa runnable [0x00007f11652fd000]
   java.lang.Thread.State: RUNNABLE
	at java.net.SocketInputStream.socketRead0(Native Method)
	at example.shop.Stock.take(Stock.java:37)

JNI global references: 319
`

const jdk25 = `2026-11-30 00:04:37
Full thread dump OpenJDK 64-Bit Server VM (25.0.3+9-LTS mixed mode, sharing):

Threads class SMR info:
_java_thread_list=0x00007f24b8003440, length=1, elements={
0x00007f24fc02a890
}

"ForkJoinPool-1-worker-1" #23 [6958] daemon prio=5 os_prio=0 cpu=2316.37ms elapsed=3.37s tid=0x00007f17040c5d10  [0x00007f16e0df7000]
   Carrying virtual thread #22
	at jdk.internal.vm.Continuation.run(java.base@25.0.3/Continuation.java:251)
	at java.util.concurrent.ForkJoinWorkerThread.run(java.base@25.0.3/ForkJoinWorkerThread.java:187)
   Mounted virtual thread #22
	at example.shop.Stock.count(Stock.java:4)
	at java.lang.VirtualThread.run(java.base@25.0.3/VirtualThread.java:460)

JNI global refs: 12, weak refs: 0
`

const agent = `Attaching to process ID 30029, please wait...
Debugger attached successfully.
Server compiler detected.
JVM version is 17.0.15+6
Deadlock Detection:

Found one Java-level deadlock:
=============================

"dead-b":
  waiting to lock Monitor@0x00007fcea8002660 (Object@0x00000000ffd1e2a8, a java/lang/Object),
  which is held by "dead-a"
"dead-a":
  waiting to lock Monitor@0x00007fce58002810 (Object@0x00000000ffd1e2b8, a java/lang/Object),
  which is held by "dead-b"

Found a total of 1 deadlock.

"shop-1" #12 daemon prio=5 tid=0x00007fced80dc1f0 nid=0x7561 waiting on condition [0x00007fceb1afd000]
   java.lang.Thread.State: WAITING (parking)
   JavaThread state: _thread_blocked
 - jdk.internal.misc.Unsafe.park(boolean, long) @bci=0 (Interpreted frame)
	- parking to wait for <0x00000000ffd1e278> (a java/util/concurrent/CountDownLatch$Sync)
 - example.shop.Stock.take(example.shop.Order, int) @bci=347, line=715 (Compiled frame)

Locked ownable synchronizers:
    - <0x00000000ffd36210>, (a java/util/concurrent/ThreadPoolExecutor$Worker)

`

const forced = `Attaching to process ID 30029, please wait...

Thread 30051: (state = BLOCKED)
 - java.lang.Object.wait(long) @bci=0 (Interpreted frame)
 - example.shop.Stock.take() @bci=3, line=20 (Interpreted frame)


Thread 30052: (state = IN_NATIVE)
 - java.net.SocketInputStream.socketRead0(java.io.FileDescriptor, byte[], int, int, int) @bci=0 (Interpreted frame)
`

const file25 = `27336
2026-11-29T23:57:11.261554139Z
25.0.3+9-LTS

#3 "main" TIMED_WAITING 2026-11-29T23:57:11.263163115Z
    at java.base/java.lang.Thread.sleep(Thread.java:540)
    at example.shop.Shop.main(Shop.java:41)

#22 "" virtual BLOCKED 2026-11-29T23:57:11.263163115Z
    at example.shop.Till.pay(Till.java:8)
    - waiting to lock <java.lang.Object@588fa570>
    at java.base/java.lang.VirtualThread.run(VirtualThread.java:460)

`

const file21 = `27336
2026-11-29T23:57:11.261554139Z
21.0.5+11-LTS

#1 "main"
      java.base/java.lang.Thread.sleep(Thread.java:540)
      example.shop.Shop.main(Shop.java:41)

#22 "" virtual
      example.shop.Till$$Lambda/0x00007f24a4001200.run(Unknown Source)
      java.base/java.lang.VirtualThread.run(VirtualThread.java:309)

`

const json25 = `{
  "threadDump": {
    "processId": "27336",
    "time": "2026-11-29T23:57:10.881325872Z",
    "runtimeVersion": "25.0.3+9-LTS",
    "threadContainers": [
      {
        "container": "<root>",
        "parent": null,
        "owner": null,
        "threads": [
          {
            "tid": "3",
            "time": "2026-11-29T23:57:10.904716219Z",
            "name": "main",
            "state": "BLOCKED",
            "blockedOn": "java.lang.Object@588fa570",
            "stack": [
              "example.shop.Till.pay(Till.java:8)",
              "java.base\/java.lang.Thread.run(Thread.java:1474)"
            ],
            "monitorsOwned": [ { "depth": 1, "locks": [ "java.lang.Object@3cf033b2", null ] } ]
          }
        ],
        "threadCount": "1"
      },
      {
        "container": "java.util.concurrent.ThreadPerTaskExecutor@65b54208",
        "parent": "<root>",
        "owner": null,
        "threads": [
          {
            "tid": 22,
            "virtual": true,
            "name": "",
            "state": "WAITING",
            "parkBlocker": { "object": "java.util.concurrent.locks.ReentrantLock$NonfairSync@34d710a7", "owner": "3" },
            "stack": [
              "java.base\/java.lang.VirtualThread.park(VirtualThread.java:742)",
              "example.shop.Stock.take(Stock.java:4)"
            ],
            "carrier": "30"
          }
        ],
        "threadCount": "1"
      }
    ]
  }
}`

const json21 = `{"threadDump":{"processId":"4711","time":"2026-11-29T23:57:10Z","runtimeVersion":"21.0.5+11-LTS","threadContainers":[
{"container":"<root>","parent":null,"owner":null,"threads":[{"tid":"1","name":"main","stack":["java.base\/java.lang.Thread.sleep(Thread.java:540)"]}],"threadCount":"1"}]}}`

const javacoreText = `0SECTION       TITLE subcomponent dump routine
NULL           ===============================
1TICHARSET     UTF-8
1TIDATETIME    Date: 2026/11/29 at 17:43:58:123
NULL           ------------------------------------------------------------------------
0SECTION       GPINFO subcomponent dump routine
1CIJAVAVERSION JRE 17 Linux amd64-64 (build 17.0.9+9)
1CIPROCESSID   Process ID: 4711 (0x1267)
0SECTION       THREADS subcomponent dump routine
NULL           =================================
1XMTHDINFO     Thread Details
3XMTHREADINFO      "shop-1" J9VMThread:0x0000000000112300, omrthread_t:0x00007F3A2C01A7B8, java/lang/Thread:0x00000000E0028020, state:B, prio=5
3XMJAVALTHREAD            (java/lang/Thread getId:0x1F, isDaemon:true)
3XMTHREADINFO1            (native thread ID:0x1268, native priority:0x5, native policy:UNKNOWN, vmstate:B, vm thread flags:0x00000201)
3XMCPUTIME               CPU usage total: 0.562500000 secs, user: 0.218750000 secs, system: 0.343750000 secs, current category="Application"
3XMTHREADBLOCK     Blocked on: java/lang/Object@0x00000000E0029AF8 Owned by: "shop-2" (J9VMThread:0x0000000000115600, java/lang/Thread:0x00000000E0029B28)
3XMHEAPALLOC             Heap bytes allocated since last GC cycle=0 (0x0)
3XMTHREADINFO3           Java callstack:
4XESTACKTRACE                at example/shop/Till.pay(Till.java:12(Compiled Code))
5XESTACKTRACE                   (entered lock: java/lang/String@0x00000000E0029B00, entry count: 1)
4XESTACKTRACE                at java/lang/Thread.run(Thread.java:853)
3XMTHREADINFO      Anonymous native thread
3XMTHREADINFO1            (native thread ID:0x1269, native priority:0x0, native policy:UNKNOWN)
NULL           ------------------------------------------------------------------------
0SECTION       CLASSES subcomponent dump routine
`
