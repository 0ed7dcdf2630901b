package graph

import (
	"errors"
	"fmt"

	"example.com/kneeline/internal/units"
)

// errNoRoots is what a dump gives that was cut before its roots.
var errNoRoots = errors.New("no root of the dump refers to an object of it, so nothing can be said of what holds what; HotSpot before JDK 22 writes the roots last, and a dump that was cut has none")

func tooMany(n int64) error {
	return fmt.Errorf("there are %d objects or references, and %d are the most that can be told apart", n, int64(MaxObjects))
}

func tooLarge(sum uint64) error {
	return fmt.Errorf("the dump claims %s of objects, more than can be added up", units.Size(int64(min(sum, 1<<62))))
}
