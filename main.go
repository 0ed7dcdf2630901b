// Kneeline tells service owners how much load a service takes, what happens
// past that, and which settings make it worse.
package main

import (
	"os"

	"example.com/kneeline/cmd"
)

func main() { os.Exit(cmd.Main()) }
