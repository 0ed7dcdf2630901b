//go:build e2e

package e2e

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"example.com/kneeline/analyze/lint/model"
	"example.com/kneeline/e2e/conformance"
)

// goCell is a piece of Go that calls a server, or is one. Seconds is the limit that is
// written in it; what the reader says is whether there is any.
type goCell struct {
	code    string
	server  bool
	seconds float64
}

const (
	goClientFile = "package %s\n\nimport (\n\t\"context\"\n\t\"io\"\n\t\"net/http\"\n\t\"time\"\n)\n\nvar _, _ = context.Background, time.Second\n\nfunc read(resp *http.Response, err error) error {\n\tif err != nil {\n\t\treturn err\n\t}\n\tdefer resp.Body.Close()\n\t_, err = io.Copy(io.Discard, resp.Body)\n\treturn err\n}\n\nfunc Do(at string) error {\n\t%s\n}\n"
	goServerFile = "package %s\n\nimport (\n\t\"net/http\"\n\t\"time\"\n)\n\nvar _ = time.Second\n\nfunc Do(at string) error {\n\t%s\n}\n"
	// goSilence is after how many seconds a call without a limit is taken for one.
	goSilence = 1.5
)

var (
	noClientLimit = []model.CodeKind{model.ClientNoLimit, model.LimitDropped}
	noServerLimit = []model.CodeKind{model.ServerNoLimit}
)

var goCells = []goCell{
	{code: `return read((&http.Client{Timeout: 600 * time.Millisecond}).Get("http://" + at))`, seconds: 0.6},
	{code: `return read(http.Get("http://" + at))`},
	{code: `return read((&http.Client{}).Get("http://" + at))`},
	{code: `return read((&http.Client{Transport: &http.Transport{ResponseHeaderTimeout: 600 * time.Millisecond}}).Get("http://" + at))`},
	{code: "ctx, cancel := context.WithTimeout(context.Background(), 600*time.Millisecond)\n\tdefer cancel()\n\treq, err := http.NewRequestWithContext(ctx, \"GET\", \"http://\"+at, nil)\n\tif err != nil {\n\t\treturn err\n\t}\n\treturn read(http.DefaultClient.Do(req))", seconds: 0.6},
	{code: "_, cancel := context.WithTimeout(context.Background(), 600*time.Millisecond)\n\tdefer cancel()\n\treq, err := http.NewRequestWithContext(context.Background(), \"GET\", \"http://\"+at, nil)\n\tif err != nil {\n\t\treturn err\n\t}\n\treturn read(http.DefaultClient.Do(req))"},
	{server: true, code: `return (&http.Server{Addr: at, ReadHeaderTimeout: 600 * time.Millisecond}).ListenAndServe()`, seconds: 0.6},
	{server: true, code: `return (&http.Server{Addr: at, ReadTimeout: 600 * time.Millisecond}).ListenAndServe()`, seconds: 0.6},
	{server: true, code: `return (&http.Server{Addr: at}).ListenAndServe()`},
	{server: true, code: `return http.ListenAndServe(at, nil)`},
	{server: true, code: `return (&http.Server{Addr: at, WriteTimeout: 600 * time.Millisecond}).ListenAndServe()`},
	{server: true, code: `return (&http.Server{Addr: at, IdleTimeout: 600 * time.Millisecond}).ListenAndServe()`},
}

func (c goCell) file(name string) string {
	if c.server {
		return fmt.Sprintf(goServerFile, name, c.code)
	}
	return fmt.Sprintf(goClientFile, name, c.code)
}

// limited says what the reader makes of the code.
func (c goCell) limited(t *testing.T, name string) bool {
	kinds := noClientLimit
	if c.server {
		kinds = noServerLimit
	}
	for _, d := range conformance.Read(t, name+".go", c.file(name), nil) {
		for _, code := range d.Code {
			for _, k := range kinds {
				if code.Kind == k {
					return false
				}
			}
		}
	}
	return true
}

// goCellsProgram builds one program of all cells, which takes the number of one and an
// address, and says how long the call took.
func goCellsProgram(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	put(t, dir, "go.mod", "module cells\n\ngo 1.24\n")
	var imports, list strings.Builder
	for i, c := range goCells {
		name := fmt.Sprintf("c%d", i)
		put(t, dir, name+"/"+name+".go", c.file(name))
		fmt.Fprintf(&imports, "\t\"cells/%s\"\n", name)
		fmt.Fprintf(&list, "%s.Do, ", name)
	}
	put(t, dir, "main.go", "package main\n\nimport (\n\t\"fmt\"\n\t\"os\"\n\t\"strconv\"\n\t\"time\"\n\n"+imports.String()+")\n\nfunc main() {\n\tn, _ := strconv.Atoi(os.Args[1])\n\tbegan := time.Now()\n\t_ = []func(string) error{"+
		strings.TrimSuffix(list.String(), ", ")+"}[n](os.Args[2])\n\tfmt.Println(time.Since(began).Seconds())\n}\n")
	program := filepath.Join(dir, "cells.bin")
	build := exec.Command(need(t, "go"), "build", "-o", program, ".")
	build.Dir = dir
	build.Env = append(os.Environ(), "GOWORK=off", "GOFLAGS=")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return program
}

func TestConformanceGo(t *testing.T) {
	program := goCellsProgram(t)
	rows := make([]conformance.Row, len(goCells))
	all := newCells(t)
	for i, c := range goCells {
		limited := c.limited(t, fmt.Sprintf("c%d", i))
		does, says, agrees := "the server sends a head and nothing more", "no limit: it waits on", how(limited)
		if c.server {
			does = "half a head is sent"
		}
		if limited {
			says = fmt.Sprintf("limited, here to %g s", c.seconds)
		}
		rows[i] = conformance.Row{Settings: "`" + shown(c.code) + "`", Request: does, Model: says, Agrees: agrees}
		if limited != (c.seconds > 0) {
			t.Errorf("%s: the reader says limited %v", c.code, limited)
			continue
		}
		all.run(fmt.Sprintf("c%d", i), func(t *testing.T) {
			measure := func(t *testing.T) conformance.Outcome {
				if c.server {
					return conformance.Outcome{Tries: 1, Seconds: serves(t, program, i)}
				}
				return conformance.Outcome{Tries: 1, Seconds: calls(t, program, i)}
			}
			if limited {
				conformance.Check(t, conformance.Outcome{Tries: 1, Seconds: c.seconds}, measure)
			} else if got := measure(t).Seconds; got < goSilence {
				t.Errorf("ended after %v s, though nothing is to limit it", got)
			}
		})
	}
	all.wait.Wait()
	page(t, "net/http", rows)
}

// how says how a limit was measured: a time, or that there is none.
func how(limited bool) string {
	if limited {
		return conformance.Closely
	}
	return conformance.Exactly
}

// shown is the part of a cell's code that sets the limit, on one line.
func shown(code string) string {
	line, _, several := strings.Cut(code, "\n")
	if several {
		line += " …"
	}
	return strings.TrimPrefix(line, "return ")
}

// calls runs a client against a server that sends a head and nothing more, and returns
// how long it took, at least goSilence for one that goes on.
func calls(t *testing.T, program string, n int) float64 {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			defer c.Close()
			_, _ = c.Read(make([]byte, 4096))
			_, _ = io.WriteString(c, "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n")
		}
	}()
	ctx, cancel := context.WithTimeout(context.Background(), time.Duration((goSilence+1)*float64(time.Second)))
	defer cancel()
	out, err := exec.CommandContext(ctx, program, strconv.Itoa(n), l.Addr().String()).Output()
	if ctx.Err() != nil {
		return goSilence
	}
	took, parse := strconv.ParseFloat(strings.TrimSpace(string(out)), 64)
	if err := errors.Join(err, parse); err != nil {
		t.Error(err)
	}
	return took
}

// serves runs a server, sends it half a head, and returns how long it takes until the
// connection is closed, at least goSilence for one that waits on.
func serves(t *testing.T, program string, n int) float64 {
	port := free(t)
	cmd := exec.Command(program, strconv.Itoa(n), fmt.Sprintf("127.0.0.1:%d", port))
	serve(t, port, cmd)
	c, err := net.Dial("tcp", fmt.Sprintf("127.0.0.1:%d", port))
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	_ = c.SetDeadline(time.Now().Add(time.Duration(goSilence * float64(time.Second))))
	began := time.Now()
	_, _ = io.WriteString(c, "GET / HTTP/1.1\r\nHost:")
	_, _ = io.Copy(io.Discard, c)
	return time.Since(began).Seconds()
}
