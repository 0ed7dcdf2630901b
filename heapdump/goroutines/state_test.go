package goroutines

import "testing"

func TestStateOf(t *testing.T) {
	for _, c := range []struct {
		want   string
		hidden bool
		stack  []string
	}{
		{StateChanSend, false, []string{"runtime.gopark", "runtime.chansend", "runtime.chansend1", "main.work"}},
		{StateChanReceive, false, []string{"runtime.gopark", "runtime.chanrecv", "runtime.chanrecv2", "main.work"}},
		{StateSelect, false, []string{"runtime.gopark", "runtime.selectgo", "main.work"}},
		{StateForever, false, []string{"runtime.gopark", "runtime.block", "main.main"}},
		{StateIO, false, []string{"runtime.gopark", "runtime.netpollblock", "internal/poll.runtime_pollWait", "net.(*conn).Read"}},
		{StateSleep, false, []string{"runtime.gopark", "time.Sleep", "main.work"}},
		{StateMutex, false, []string{"runtime.gopark", "runtime.goparkunlock", "runtime.semacquire1", "internal/sync.runtime_SemacquireMutex", "internal/sync.(*Mutex).lockSlow", "internal/sync.(*Mutex).Lock", "sync.(*Mutex).Lock", "main.work"}},
		{StateMutex, false, []string{"runtime.gopark", "runtime.goparkunlock", "runtime.semacquire1", "sync.runtime_SemacquireRWMutexR", "sync.(*RWMutex).RLock", "main.work"}},
		{StateWaitGroup, false, []string{"runtime.gopark", "runtime.goparkunlock", "runtime.semacquire1", "sync.runtime_SemacquireWaitGroup", "sync.(*WaitGroup).Wait", "main.work"}},
		{StateWaitGroup, false, []string{"runtime.gopark", "runtime.goparkunlock", "runtime.semacquire1", "sync.runtime_Semacquire", "sync.(*WaitGroup).Wait", "main.work"}},
		{StateSemacquire, false, []string{"runtime.gopark", "runtime.goparkunlock", "runtime.semacquire1", "main.work"}},
		{StateCond, false, []string{"runtime.gopark", "runtime.goparkunlock", "sync.runtime_notifyListWait", "sync.(*Cond).Wait", "main.work"}},
		{StateGCAssist, false, []string{"runtime.gopark", "runtime.goparkunlock", "runtime.gcParkAssist", "runtime.gcAssistAlloc", "runtime.mallocgc", "main.work"}},
		{StateSyscall, false, []string{"internal/runtime/syscall.Syscall6", "syscall.RawSyscall6", "syscall.Syscall", "os.(*File).Read"}},
		{StateSyscall, false, []string{"runtime.notetsleepg", "os/signal.signal_recv", "os/signal.loop"}},
		{StateRunning, false, []string{"main.work", "main.main"}},
		{StateRunning, false, []string{"runtime.asyncPreempt", "main.work"}},
		{StateUnknown, false, []string{"runtime.gopark", "main.work"}},
		{StateUnknown, true, []string{"main.work", "main.main"}},
		{StateMutex, true, []string{"sync.(*Mutex).Lock", "main.main"}},
		{StateRunning, false, nil},
	} {
		var frames []Frame
		for _, f := range c.stack {
			frames = append(frames, Frame{Func: f})
		}
		if got := StateOf(frames, c.hidden); got != c.want {
			t.Errorf("%v: %q, want %q", c.stack, got, c.want)
		}
	}
}
