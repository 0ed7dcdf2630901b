// Command biglog writes a large synthetic GC log to standard output.
//
// usage: biglog g1|cms MEGABYTES > FILE
package main

import (
	"fmt"
	"os"
	"strconv"

	"example.com/kneeline/gcparse/biglog"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "biglog:", err)
		os.Exit(2)
	}
}

func run(args []string) error {
	if len(args) != 2 {
		return fmt.Errorf("usage: biglog g1|cms MEGABYTES")
	}
	megabytes, err := strconv.ParseInt(args[1], 10, 32)
	if err != nil || megabytes < 1 {
		return fmt.Errorf("expected a number of megabytes, found %q", args[1])
	}
	write := biglog.G1
	switch args[0] {
	case "g1":
	case "cms":
		write = biglog.CMS
	default:
		return fmt.Errorf("expected g1 or cms, found %q", args[0])
	}
	truth, err := write(os.Stdout, megabytes*1e6, 1)
	if err != nil {
		return err
	}
	fmt.Fprintf(os.Stderr, "%d bytes, %d lines, %d pauses, %d full, %.6f s, longest %.6f s\n",
		truth.Bytes, truth.Lines, truth.Pauses, truth.Full, float64(truth.Total)/1e9, float64(truth.Longest)/1e9)
	return nil
}
