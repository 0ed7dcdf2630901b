package pending

// KindObjects is the kind of a [Queue] that is no queue as an object: requests that
// are open, each held by its connection.
const KindObjects = "objects"
