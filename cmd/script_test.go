package cmd

import (
	"errors"
	"flag"
	"os"
	"os/exec"
	"strconv"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

var update = flag.Bool("update", false, "rewrite the expected output in testdata/script")

// TestMain lets this test binary also be the program kneeline, for scripts.
func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){
		"kneeline": func() { os.Exit(Main()) },
	})
}

// TestScripts runs the program as users do: testdata/script/*.txtar, in a
// directory of its own and with an environment of nothing but PATH and HOME.
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:                 "../testdata/script",
		UpdateScripts:       *update,
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Cmds: map[string]func(ts *testscript.TestScript, neg bool, args []string){
			"exitcode": exitCodeCommand,
			"heapdump": heapDumpCommand,

			"headroomresult": headroomResultCommand,
			"damage":         damageCommand,
		},
	})
}

// exitCodeCommand is the script command "exitcode N program args...", which runs
// a program and wants it to end with that code. Its output is what a following
// stdout, stderr or cmp looks at.
func exitCodeCommand(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exitcode N program [args...]")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	got := 0
	if err := ts.Exec(args[1], args[2:]...); err != nil {
		var exit *exec.ExitError
		if !errors.As(err, &exit) {
			ts.Fatalf("%s: %v", args[1], err)
		}
		got = exit.ExitCode()
	}
	if got != want {
		ts.Fatalf("exit code %d, want %d", got, want)
	}
}
