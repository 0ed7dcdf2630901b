package hprofgen

// Atomic makes a java.util.concurrent.atomic.AtomicInteger.
func (d *Dump) Atomic(value int32) ID {
	return d.Object(d.Class("java.util.concurrent.atomic.AtomicInteger", nil, F("value", Int)), "value", value)
}

func (d *Dump) lock() ID {
	owner := d.Class("java.util.concurrent.locks.AbstractOwnableSynchronizer", nil, F("exclusiveOwnerThread", Object))
	sync := d.Class("java.util.concurrent.locks.AbstractQueuedSynchronizer", owner, F("head", Object), F("tail", Object), F("state", Int))
	fair := d.Class("java.util.concurrent.locks.ReentrantLock$NonfairSync", d.Class("java.util.concurrent.locks.ReentrantLock$Sync", sync))
	return d.Object(d.Class("java.util.concurrent.locks.ReentrantLock", nil, F("sync", Object)), "sync", d.Object(fair))
}

func (d *Dump) abstractQueue() *Class {
	return d.Class("java.util.AbstractQueue", d.Class("java.util.AbstractCollection", nil))
}

// Unbounded is the capacity of a LinkedBlockingQueue without bound.
const Unbounded = 1<<31 - 1

func (d *Dump) linkedBlockingQueue() *Class {
	return d.Class("java.util.concurrent.LinkedBlockingQueue", d.abstractQueue(),
		F("capacity", Int), F("count", Object), F("head", Object), F("last", Object),
		F("takeLock", Object), F("notEmpty", Object), F("putLock", Object), F("notFull", Object))
}

// LinkedBlockingQueue makes one with items in it, head first.
func (d *Dump) LinkedBlockingQueue(capacity int32, items ...ID) ID {
	return d.linked(d.linkedBlockingQueue(), capacity, items)
}

func (d *Dump) linked(class *Class, capacity int32, items []ID) ID {
	node := d.Class("java.util.concurrent.LinkedBlockingQueue$Node", nil, F("item", Object), F("next", Object))
	head := d.Object(node)
	last := head
	for _, item := range items {
		n := d.Object(node, "item", item)
		d.Set(last, "next", n)
		last = n
	}
	return d.Object(class, "capacity", capacity, "count", d.Atomic(int32(len(items))),
		"head", head, "last", last, "takeLock", d.lock(), "putLock", d.lock())
}

// ArrayBlockingQueue makes one with items in it, head first, the head in the
// middle of the array.
func (d *Dump) ArrayBlockingQueue(capacity int, items ...ID) ID {
	slots, head, tail := ring(capacity, items)
	return d.Object(d.Class("java.util.concurrent.ArrayBlockingQueue", d.abstractQueue(),
		F("items", Object), F("takeIndex", Int), F("putIndex", Int), F("count", Int),
		F("lock", Object), F("notEmpty", Object), F("notFull", Object), F("itrs", Object)),
		"items", d.Array("java.lang.Object", slots...), "takeIndex", head, "putIndex", tail,
		"count", len(items), "lock", d.lock())
}

// ring lays items round an array, beginning at its middle.
func ring(capacity int, items []ID) (slots []ID, head, tail int) {
	slots = make([]ID, capacity)
	head = capacity / 2
	for i, item := range items {
		slots[(head+i)%capacity] = item
	}
	return slots, head, (head + len(items)) % capacity
}

// ArrayDeque makes a java.util.ArrayDeque (JDK 11 and later: one slot is free).
func (d *Dump) ArrayDeque(items ...ID) ID {
	slots, head, tail := ring(len(items)+len(items)/2+1, items)
	return d.Object(d.Class("java.util.ArrayDeque", d.Class("java.util.AbstractCollection", nil),
		F("elements", Object), F("head", Int), F("tail", Int)),
		"elements", d.Array("java.lang.Object", slots...), "head", head, "tail", tail)
}

// OwnQueue makes a queue of a class that no table knows: a ring with the fields
// ring, first, used and limit.
func (d *Dump) OwnQueue(class string, limit int, items ...ID) ID {
	slots, head, _ := ring(limit, items)
	return d.Object(d.Class(class, nil, F("ring", Object), F("first", Int), F("used", Int), F("limit", Int)),
		"ring", d.Array("java.lang.Object", slots...), "first", head, "used", len(items), "limit", limit)
}

// Pile makes a linked chain of a class that no table knows, with the fields
// following and load: a stack of items, the first on top.
func (d *Dump) Pile(class string, items ...ID) ID {
	c := d.Class(class, nil, F("following", Object), F("load", Object))
	var top ID
	for i := len(items) - 1; i >= 0; i-- {
		top = d.Object(c, "following", top, "load", items[i])
	}
	return top
}

// CompletableFutures makes one future on whose completion n others wait, and
// returns it.
func (d *Dump) CompletableFutures(n int) ID {
	future := d.Class("java.util.concurrent.CompletableFuture", nil, F("result", Object), F("stack", Object))
	fork := d.Class("java.util.concurrent.ForkJoinTask", nil, F("status", Int), F("aux", Object))
	completion := d.Class("java.util.concurrent.CompletableFuture$Completion", fork, F("next", Object))
	uni := d.Class("java.util.concurrent.CompletableFuture$UniCompletion", completion, F("executor", Object), F("dep", Object), F("src", Object))
	apply := d.Class("java.util.concurrent.CompletableFuture$UniApply", uni, F("fn", Object))
	source := d.Object(future)
	var top ID
	for range n {
		top = d.Object(apply, "next", top, "dep", d.Object(future), "src", source)
	}
	d.Set(source, "stack", top)
	return source
}
