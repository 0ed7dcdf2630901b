package loadgen

import (
	"io"
	"log"
)

// quietLog is for servers whose clients break off on purpose.
var quietLog = log.New(io.Discard, "", 0)
