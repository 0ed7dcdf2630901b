// Command speed measures how fast a GC log is read: megabytes per second of CPU
// time, user and system of all threads, and the resident memory at its peak.
//
// usage: speed lines|read|parallel FILE
//
//	speed command FILE PROGRAM ARGUMENT...
//
//	lines     finds line ends and nothing else: the floor
//	read      reads events with one thread; FILE may be - for standard input
//	parallel  reads events with as many threads as there are processors; likewise
//	command   runs a program that reads FILE, and measures that
package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"time"

	"golang.org/x/sys/unix"

	"example.com/kneeline/gcparse"
	"example.com/kneeline/internal/input"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "speed:", err)
		os.Exit(2)
	}
}

func run(args []string) error {
	if len(args) < 2 || (args[0] == "command") != (len(args) > 2) {
		return fmt.Errorf("usage: speed lines|read|parallel FILE, or speed command FILE PROGRAM and its arguments")
	}
	begin, of := time.Now(), unix.RUSAGE_SELF
	if args[0] == "command" {
		of = unix.RUSAGE_CHILDREN
	}
	size, found, err := measure(args)
	if err != nil {
		return err
	}
	elapsed := time.Since(begin).Seconds()
	var u unix.Rusage
	if err := unix.Getrusage(of, &u); err != nil {
		return err
	}
	cpu := float64(u.Utime.Nano()+u.Stime.Nano()) / 1e9
	mb := float64(size) / 1e6
	fmt.Printf("%-8s %6.0f MB: %6.0f MB per CPU second, %6.0f MB/s, %5.1f MiB resident; %s\n",
		args[0], mb, mb/cpu, mb/elapsed, float64(u.Maxrss)/1024, found)
	return nil
}

func measure(args []string) (size int64, found string, err error) {
	how, path := args[0], args[1]
	switch how {
	case "lines":
		return lines(path)
	case "read":
		return read(path, 1)
	case "parallel":
		return read(path, runtime.NumCPU())
	case "command":
		return command(path, args[2:])
	}
	return 0, "", fmt.Errorf("expected lines, read, parallel or command, found %q", how)
}

// command runs a program; its answer is not of interest, its failure is.
func command(path string, args []string) (size int64, found string, err error) {
	info, err := os.Stat(path)
	if err != nil {
		return 0, "", err
	}
	c := exec.Command(args[0], args[1:]...)
	c.Stderr = os.Stderr
	return info.Size(), args[0], c.Run()
}

func lines(path string) (size int64, found string, err error) {
	f, err := os.Open(path)
	if err != nil {
		return 0, "", err
	}
	defer f.Close()
	buf := make([]byte, 256<<10)
	n := 0
	for {
		m, err := f.Read(buf)
		size += int64(m)
		for b := buf[:m]; ; n++ {
			i := bytes.IndexByte(b, '\n')
			if i < 0 {
				break
			}
			b = b[i+1:]
		}
		if err == io.EOF {
			return size, fmt.Sprintf("%d lines", n), nil
		}
		if err != nil {
			return 0, "", err
		}
	}
}

func read(path string, workers int) (size int64, found string, err error) {
	var pauses, full, total, longest int64
	stream := gcparse.Stream{Name: path, Sources: []input.Source{{Name: path, Path: path}}}
	res, err := gcparse.Read(context.Background(), stream, gcparse.Options{Workers: workers, Stdin: os.Stdin}, func(e *gcparse.Event) {
		if !e.Stops() {
			return
		}
		pauses++
		total += e.Duration
		longest = max(longest, e.Duration)
		if e.Flags.Any(gcparse.Full | gcparse.ConcurrentModeFailure) {
			full++
		}
	})
	if err != nil {
		return 0, "", err
	}
	for _, p := range res.Problems {
		return 0, "", p
	}
	return res.Bytes, fmt.Sprintf("%d lines, %d pauses, %d full, %.6f s, longest %.6f s, %d unknown lines", res.Ledger.Total(),
		pauses, full, float64(total)/1e9, float64(longest)/1e9, res.Ledger.Unknown()), nil
}
