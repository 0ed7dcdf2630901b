package retained

import (
	"strconv"

	"example.com/kneeline/heapdump"
)

// Result is what the graph of a heap tells, as part of the document of the
// command. Sizes are bytes; retained is what would be freed if the object were.
type Result struct {
	// Sizes is whose shallow sizes are added up: "vm" or "mat".
	Sizes string `json:"sizes"`
	// Objects and Bytes are those that roots reach, Unreachable those that they do
	// not: garbage that waits for its collection.
	Objects          int64 `json:"object_count"`
	Bytes            int64 `json:"bytes"`
	Unreachable      int64 `json:"unreachable_count"`
	UnreachableBytes int64 `json:"unreachable_bytes"`
	// References counts those between objects, Dangling those to nothing in the
	// dump. NotFollowed are the kinds of references that count as holding nothing.
	References  int64    `json:"reference_count"`
	Dangling    int64    `json:"dangling_count"`
	NotFollowed []string `json:"references_not_followed,omitempty"`
	// Holders are who holds what waits in the queues.
	Holders []Holder `json:"holders"`
	// Dominators are the objects that retain most of those that nothing else holds
	// alone.
	Dominators []Object `json:"top_dominators"`
	// Classes are by what their objects retain together, most first.
	Classes  []ClassRow `json:"classes"`
	Suspects []Suspect  `json:"suspects"`
	Threads  []Thread   `json:"threads"`
	// ThreadCount is how many threads there are, of which Threads are those that hold
	// most; LocalBytes is what the thread-local variables of all of them retain.
	ThreadCount int64    `json:"thread_count"`
	LocalBytes  int64    `json:"thread_local_bytes"`
	Loaders     []Loader `json:"class_loaders"`
	// Tree is the dominator tree, objects of one class below one object as one node.
	Tree *Node `json:"tree,omitempty"`
}

// Object is one object of the dump.
type Object struct {
	Class string `json:"class"`
	// Name is that of a thread, or the class that a class object stands for.
	Name    string `json:"name,omitempty"`
	Address string `json:"address"`
	// Field is by which the one before it in a path holds it, where that is known;
	// Strength names references that are not strong.
	Field    string `json:"field,omitempty"`
	Strength string `json:"reference,omitempty"`
	// Roots is how roots hold it, empty when they do not.
	Roots     string  `json:"roots,omitempty"`
	Shallow   int64   `json:"shallow_bytes"`
	Retained  int64   `json:"retained_bytes"`
	HeapShare float64 `json:"heap_ratio"`
	// Children is how many objects it dominates at once, where that was counted.
	Children *int64 `json:"child_count,omitempty"`
	// ID is the address for programs of this module.
	ID heapdump.ID `json:"-"`
}

// What names the object for people: its class, and the thread or class it is.
func (o *Object) What() string {
	switch {
	case o.Name == "":
		return o.Class + " at " + o.Address
	case o.Class == "java.lang.Class":
		return "class " + o.Name
	}
	return o.Class + " " + strconv.Quote(o.Name)
}

// ClassRow is what the objects of a class retain together.
type ClassRow struct {
	Class     string  `json:"class"`
	Count     int64   `json:"count"`
	Shallow   int64   `json:"shallow_bytes"`
	Retained  int64   `json:"retained_bytes"`
	HeapShare float64 `json:"heap_ratio"`
}

// Holder is who holds the entries of one queue.
type Holder struct {
	// Queue is the index in the queues of the document, Name its name.
	Queue int    `json:"queue_index"`
	Name  string `json:"queue"`
	// Entries is how many of them roots reach, Unreachable how many are garbage
	// already. Sampled is true when they are a sample of those that there are.
	Entries     int64 `json:"entry_count"`
	Unreachable int64 `json:"unreachable_count"`
	Sampled     bool  `json:"sampled,omitempty"`
	// Retained is what would be freed if all entries were, with what comes with each of
	// them: the objects of the classes With, that are there in equal numbers, and the nodes
	// of collections that refer to one of these. It is exact also where several objects
	// hold them. Each is the mean of an entry.
	Retained int64    `json:"retained_bytes"`
	Each     float64  `json:"entry_bytes"`
	With     []string `json:"with_classes"`
	// Entry is the same of the entries alone.
	Entry     int64   `json:"entries_alone_retained_bytes"`
	HeapShare float64 `json:"heap_ratio"`
	// QueueRetained is what the queue object retains alone. What it lacks of Retained
	// others hold as well.
	QueueRetained *int64 `json:"queue_retained_bytes,omitempty"`
	// Alone is how many entries would be freed with the queue.
	Alone *int64 `json:"held_by_queue_alone_count,omitempty"`
	// Path is the shortest way of strong references from a root to the queue,
	// Dominators who retains it, the outermost first.
	Path       []Object `json:"path"`
	Dominators []Object `json:"dominators"`
	// Others are who else refers to entries, by class, the most frequent first;
	// counted in Looked of the entries.
	Others []Other `json:"other_holders"`
	Looked int64   `json:"looked_at_count"`
}

// Other is a class whose objects refer to entries of a queue beside it.
type Other struct {
	Class string `json:"class"`
	// Entries is how many entries they refer to.
	Entries  int64  `json:"entry_count"`
	Strength string `json:"reference,omitempty"`
	// Held is the object that dominates the most of the referring ones, such as the
	// thread or map they are in.
	Held *Object `json:"held_by,omitempty"`
}

// Kinds of a [Suspect].
const (
	SuspectObject = "object"       // one object retains much
	SuspectGroup  = "group"        // many objects of a class do together
	SuspectThread = "thread"       // what a thread's frames and thread locals hold
	SuspectLoader = "class-loader" // what the statics of its classes hold
	SuspectClass  = "class"        // what static fields hold
)

// Suspect is something that retains a large part of the heap.
type Suspect struct {
	Kind string `json:"kind"`
	// Object is the dominator, absent of a group.
	Object *Object `json:"object,omitempty"`
	// Class, Count and Retained are of the group, or of the one object.
	Class     string  `json:"class"`
	Count     int64   `json:"count"`
	Retained  int64   `json:"retained_bytes"`
	HeapShare float64 `json:"heap_ratio"`
	// Point is where it comes together: the innermost object that still retains
	// most of it. Below are the classes of what is held there.
	Point *Object    `json:"accumulation_point,omitempty"`
	Way   []Object   `json:"way"`
	Below []ClassRow `json:"below"`
}

// Thread is what a thread holds.
type Thread struct {
	Name      string  `json:"name"`
	Retained  int64   `json:"retained_bytes"`
	HeapShare float64 `json:"heap_ratio"`
	// Locals is what its thread-local variables retain.
	Locals int64 `json:"thread_local_bytes"`
	// Largest is the largest object that it alone holds.
	Largest *Object `json:"largest,omitempty"`
}

// Loader is the class loaders of one class.
type Loader struct {
	Class string `json:"class"`
	// Count is how many there are, Loaded how many classes they loaded.
	Count  int64 `json:"count"`
	Loaded int64 `json:"class_count"`
	// Copies is how many of them have a class of the same name, at most.
	Copies int64 `json:"copies_of_one_class_count"`
	// Retained is what would be freed with them: of those of which several have copies as
	// a set with the classes they loaded and the objects of these, of others what each
	// retains alone.
	Retained int64   `json:"retained_bytes"`
	Share    float64 `json:"heap_ratio"`
}

// Node is a node of the dominator tree.
type Node struct {
	// Class is empty of the whole.
	Class    string  `json:"class,omitempty"`
	Name     string  `json:"name,omitempty"`
	Count    int64   `json:"count"`
	Shallow  int64   `json:"shallow_bytes"`
	Retained int64   `json:"retained_bytes"`
	Children []*Node `json:"children,omitempty"`
}
