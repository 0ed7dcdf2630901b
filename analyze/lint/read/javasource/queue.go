package javasource

import (
	"example.com/kneeline/analyze/lint/model"
	"example.com/kneeline/analyze/lint/read/bind"
)

// bounded are the queues whose first argument is how much they hold.
var bounded = map[string]bool{"ArrayBlockingQueue": true, "LinkedBlockingQueue": true, "LinkedBlockingDeque": true}

// unbounded are those that hold any number, whatever their arguments.
var unbounded = map[string]bool{"PriorityBlockingQueue": true, "LinkedTransferQueue": true}

func isQueue(class string) bool {
	return bounded[class] || unbounded[class] || class == "BlockingArrayQueue" || class == "SynchronousQueue"
}

// noteQueues finds the queues that variables stand for.
func (r *reader) noteQueues() {
	for i := range r.tokens {
		if r.word(i) != "new" {
			continue
		}
		class, _, ok := r.creates(i)
		name := r.assigned(i)
		if ok && name != "" && isQueue(class) {
			r.queues[name] = append(r.queues[name], span{i, len(r.tokens)})
		}
	}
}

// queueNamed reports whether an argument is a variable that stands for queues.
func (r *reader) queueNamed(e span) bool {
	return len(r.queues[r.variable(e)]) > 0
}

// variable is the name of an argument that is one: queue or this.queue.
func (r *reader) variable(e span) string {
	if e.to-e.from == 3 && r.word(e.from) == "this" && r.char(e.from+1) == '.' {
		e.from += 2
	}
	if e.to-e.from != 1 {
		return ""
	}
	return r.word(e.from)
}

// queue reads how much the queue of an argument holds. It is a hole where the file does not
// tell.
func (r *reader) queue(e span) model.Value {
	if r.word(e.from) == "new" {
		return r.newQueue(e.from)
	}
	if made := r.queues[r.variable(e)]; len(made) == 1 {
		return r.newQueue(made[0].from)
	}
	return model.Value{Key: "queue", Raw: clip(r.text(e.from, e.to)), Unit: model.Count, Origin: model.Hole, At: r.position(e)}
}

// newQueue reads the queue that is made at i.
func (r *reader) newQueue(i int) model.Value {
	class, args, ok := r.creates(i)
	at := r.position(span{i, i + 2})
	hole := model.Value{Key: "queue", Raw: "new " + clip(class), Unit: model.Count, Origin: model.Hole, At: at}
	key := "length of " + class
	switch {
	case !ok || !isQueue(class):
		return hole
	case class == "SynchronousQueue":
		return model.Value{Key: key, Raw: "SynchronousQueue", Unit: model.Count, Origin: model.Set, At: at}
	case class == "BlockingArrayQueue": // a size, or a size, what it grows by and where it ends
		switch len(args) {
		case 1:
			return r.size(args[0], key)
		case 3:
			return r.size(args[2], key)
		}
	case bounded[class] && len(args) > 0:
		return r.size(args[0], key)
	}
	return r.standard("java", key, at)
}

// size reads the size of a queue. A collection that it begins with is no size.
func (r *reader) size(e span, key string) model.Value {
	return bind.NoLimitFromInt(r.count(e, key))
}
