package pending

import (
	"fmt"
	"strings"
	"time"

	"example.com/kneeline/analyze/queue/server"
	"example.com/kneeline/internal/units"
	"example.com/kneeline/queuecalc"
)

// usefulSource is where the value of a setting follows from.
const usefulSource = "useful queue: capacity × timeout (docs/methods/queueing.md)"

// setting says what to change at a queue that work piles up in, with the value that
// the useful length gives. A queue whose limit is no longer than that has nothing to
// be set: to let more wait would serve nobody.
func (a *analysis) setting(f *found, q *Queue) {
	if !q.waits() {
		return
	}
	s := &Setting{Source: usefulSource}
	if q.Capacity != nil {
		s.Today = units.Count(*q.Capacity)
	} else if q.Unbounded {
		s.Today = "no limit"
	}
	known := f.owner.row != nil && f.owner.row.Setting != ""
	if known {
		s.Name, s.Note, s.Source = f.owner.row.Setting, f.owner.row.Note, f.owner.row.Source
	}
	if q.Role == RoleWaiters {
		// What they wait for is short; more places for those that wait help nobody,
		// and the limit of the queue is not the limit of that.
		if s.Today = ""; known {
			s.Note = note(s.Note, "how many have what the others wait for; bound the wait below the clients' timeout first, and raise it only where what is behind it can take more")
			q.Setting = s
		}
		return
	}
	u, ok := a.useful(q)
	if ok && (q.fits() || places(u) >= noLimit) {
		return // no queue of Java is longer than that
	}
	n := int64(0)
	if ok {
		n = places(u)
	}
	way := limitOf(f, q, n)
	if !known {
		s.Name = way.name
	}
	s.Note = note(s.Note, way.note)
	q.Setting = s
	if !ok {
		if rate, _ := a.capacity(q); rate <= 0 || a.o.Timeout == nil {
			s.Note = note(s.Note, "the value follows from --capacity and --timeout")
		}
		return // else a warning says why there is none
	}
	if s.Value = way.value; s.Value == "" {
		s.Value = units.Count(n)
	}
	rate, _ := a.capacity(q)
	s.Note = note(s.Note, fmt.Sprintf("%s × %s = %s in the system, less what runs and a margin", units.Rate(rate), units.Seconds(*a.o.Timeout), units.Count(int64(u.InSystem))))
	a.dialect(f, q, s, u)
}

// nearly is how many times the useful length a limit may be and needs no change.
const nearly = 1.1

// fits reports whether a queue's limit is no longer than what is of use.
func (q *Queue) fits() bool {
	return q.Capacity != nil && q.UsefulPositions != nil && float64(*q.Capacity) <= nearly*float64(*q.UsefulPositions)
}

// places is the limit to set: at least one, as the constructors of queues take no 0
// and servers read 0 as no limit.
func places(u queuecalc.UsefulQueue) int64 { return max(int64(u.Positions), 1) }

// way is how a queue of a class gets a limit.
type way struct{ name, value, note string }

// limitOf is how a queue is limited to n entries where no configuration of a server
// does it: by its constructor where its class takes a limit, else by the program in
// front of it. Where n is 0 it has no value. Source: the classes' own documentation.
func limitOf(f *found, q *Queue, n int64) way {
	w := way{name: "length of the " + q.Name}
	made := func(class string, n int64) string {
		if n <= 0 {
			return ""
		}
		return fmt.Sprintf("new %s<>(%d)", class, n)
	}
	if f.row == nil {
		return w // its class is the program's own
	}
	switch class := f.class.Name; {
	case class == "java.util.concurrent.LinkedBlockingQueue", class == "java.util.concurrent.LinkedBlockingDeque", class == "java.util.concurrent.ArrayBlockingQueue":
		w.value = made(simple(class), n)
	case class == "org.jboss.threads.EnhancedQueueExecutor":
		w.name = "EnhancedQueueExecutor.Builder.setMaximumQueueSize"
	case strings.HasPrefix(class, "java.util.concurrent.ForkJoinPool"):
		w.note = "a ForkJoinPool takes any number of tasks: take a permit of a Semaphore before a task is submitted and give it back when the task ends"
	case strings.HasSuffix(class, ".PriorityQueue"), strings.HasSuffix(class, ".PriorityBlockingQueue"):
		w.note = simple(class) + " takes any number of entries: refuse in front of it what finds it that long"
	case q.Unbounded && strings.HasPrefix(class, "java.util."):
		instead := made("LinkedBlockingQueue", n)
		if instead == "" {
			instead = "a queue with a limit"
		}
		w.note = simple(class) + " takes any number of entries: put " + instead + " in its place, and refuse what offer() does not take"
	}
	return w
}

// Called is the name as a sentence has it: a thing of another has an article, a key
// of a configuration has none.
func (s *Setting) Called() string {
	if strings.Contains(s.Name, " of ") {
		return "the " + s.Name
	}
	return s.Name
}

func note(first, second string) string {
	if first == "" || second == "" {
		return first + second
	}
	return first + "; " + second
}

// dialect writes the setting as the server's own configuration has it, where the
// queue is that of its requests. What the dump says of the pool stays as it is.
func (a *analysis) dialect(f *found, q *Queue, s *Setting, u queuecalc.UsefulQueue) {
	if q.Role != RoleRequests || q.Server != "jetty" && q.Server != "tomcat" && q.Server != "undertow" || f.owner.row == nil {
		return
	}
	v := server.Values{Queue: places(u), InSystem: int64(u.Safe), Workers: int(a.workersOf(q)),
		Timeout: time.Duration(*a.o.Timeout * float64(time.Second))}
	if most := a.number(f, f.owner.row.MaxThreads); most != nil && *most > 0 && *most < noLimit {
		v.Threads = *most
	}
	if least := a.number(f, f.owner.row.MinThreads); least != nil && *least > 0 && *least < noLimit {
		v.MinThreads = *least
	}
	if idle := a.number(f, "_idleTimeout"); idle != nil && *idle > 0 && q.Server == "jetty" {
		v.IdleTimeout = time.Duration(*idle) * time.Millisecond
	}
	settings, err := server.Write(q.Server, v)
	if err != nil || len(settings.Items) == 0 {
		return
	}
	for _, item := range settings.Items {
		if item.Kind == server.Queue && item.Key != "" {
			s.Name, s.Value, s.Source = item.Key, item.Value, item.Source
			break
		}
	}
	if len(settings.Snippets) > 0 {
		s.Snippet = settings.Snippets[0].Code
	}
}
