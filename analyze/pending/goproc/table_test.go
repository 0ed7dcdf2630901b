package goproc

import (
	"slices"
	"strings"
	"testing"

	"example.com/kneeline/analyze/pending"
	"example.com/kneeline/heapdump/pprof"
	"example.com/kneeline/internal/fault"
)

// Every row of the built-in table says where it is from, and can hold.
func TestBuiltInTable(t *testing.T) {
	rows := Default().Rows
	if len(rows) < 50 {
		t.Fatalf("%d rows", len(rows))
	}
	for _, r := range rows {
		if r.Source == "" {
			t.Errorf("%s %s has no source", r.Role, r.Function)
		}
		if (r.Role == roleRequest || r.Role == roleIdle || r.Role == roleReading || r.Role == roleConnection) && r.Protocol == "" {
			t.Errorf("%s has no protocol", r.Function)
		}
		if r.Role == roleWait && slices.Contains([]string{howLimit, howPool, howRate, howShared}, r.How) && r.Setting == "" {
			t.Errorf("nothing bounds the wait of %s", r.Function)
		}
	}
}

func TestParse(t *testing.T) {
	for text, want := range map[string]string{
		"go:\n  - {name: a, role: reqest, function: f}\n":           `p.yaml:2: "role": expected one of self, stream, work, request, idle, reading, connection, companion, wait, accept, memory-connection, memory-request, found "reqest" (did you mean "request"?)`,
		"go:\n  - {name: a, role: wait, function: f}\n":             `p.yaml:2: "how": expected with the roles wait and accept, and only there`,
		"go:\n  - {name: a, role: wait, how: pol, function: f}\n":   `"how": expected one of`,
		"go:\n  - {name: a, role: request, function: f, form: x}\n": `p.yaml:2: unknown key of a row of go "form"`,
		"go:\n  - {name: a, role: request}\n":                       `expected the keys "name" and "function"`,
		"go:\n  - {name: a, role: request, function: '*'}\n":        `"function": expected a name`,
		"go: 3\n":   `p.yaml:1: go: expected a list of rows`,
		"go: [3]\n": `expected a row of 'name: value'`,
		"go:\n  - {name: [a], role: request, function: f}": `expected text for each key`,
		"go: [": `not valid YAML`,
	} {
		_, err := Parse("p.yaml", []byte(text))
		if err == nil || !strings.Contains(err.Error(), want) || fault.KindOf(err) != fault.Usage {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
	for _, text := range []string{"", "queues: []\n", "# nothing\n", "go: []\n"} {
		table, err := Parse("p.yaml", []byte(text))
		if err != nil || len(table.Rows) != 0 {
			t.Errorf("%q: %+v, %v", text, table, err)
		}
	}
}

// A program with a server of its own names its functions.
func TestOwnPatterns(t *testing.T) {
	g := profileOf(1,
		group{300, send + "acme.com/rpc/v3.(*Server).admit:20 acme.com/rpc/v3.(*Server).serveCall:7 acme.com/rpc/v3.(*Server).Serve.func1:3"},
		group{6, sleep + "main.get:3 acme.com/rpc/v3.(*Server).serveCall:9 acme.com/rpc/v3.(*Server).Serve.func1:3"})
	if v := judged(Options{}, g).Verdict; v.Answer == pending.PileUp {
		t.Errorf("%+v", v)
	}
	own, err := Parse("own.yaml", []byte(`
go:
  - {name: call of acme, role: request, protocol: acme, function: "acme.com/rpc.(*Server).serveCall", source: own}
  - {name: a turn at acme, role: wait, how: limit, function: "acme.com/rpc/v2.(*Server).admit", setting: rpc.MaxCalls, source: own}
`))
	if err != nil {
		t.Fatal(err)
	}
	res := Judge(Input{Profiles: []*pprof.Profile{g}}, Options{Table: Default().With(own)})
	if v := res.Verdict; v.Answer != pending.PileUp || !strings.Contains(v.Sentence, "300 requests wait at acme.com/rpc/v3.(*Server).admit") {
		t.Errorf("%+v", v)
	}
	if s := res.Queues[0].Setting; s.Name != "rpc.MaxCalls" {
		t.Errorf("%+v", s)
	}
}

func TestNormal(t *testing.T) {
	for fn, want := range map[string]string{
		"main.main": "main.main",
		"github.com/jackc/puddle/v2.(*Pool[...]).Acquire":        "github.com/jackc/puddle.(*Pool[...]).Acquire",
		"github.com/jackc/pgx/v5/pgxpool.(*Pool).Acquire":        "github.com/jackc/pgx/pgxpool.(*Pool).Acquire",
		"k8s.io/helm/vendor/google.golang.org/grpc.(*Server).f":  "google.golang.org/grpc.(*Server).f",
		"vendor/golang.org/x/net/http/httpguts.F":                "golang.org/x/net/http/httpguts.F",
		"example.com/values.F":                                   "example.com/values.F",
		"example.com/v1beta/x.F":                                 "example.com/v1beta/x.F",
		"go.mongodb.org/mongo-driver/v2/x/mongo/topology.(*p).f": "go.mongodb.org/mongo-driver/x/mongo/topology.(*p).f",
	} {
		if got := normal(fn); got != want {
			t.Errorf("%s: %s, want %s", fn, got, want)
		}
		if again := normal(normal(fn)); again != normal(fn) {
			t.Errorf("%s: %s, then %s", fn, normal(fn), again)
		}
	}
}

func TestPackageAndModule(t *testing.T) {
	for fn, want := range map[string][2]string{
		"main.main":                          {"main", "main"},
		"net/http.(*conn).serve":             {"net/http", "net/http"},
		"github.com/a/b/c/d.(*T).F":          {"github.com/a/b/c/d", "github.com/a/b"},
		"google.golang.org/grpc/internal/x.": {"google.golang.org/grpc/internal/x", "google.golang.org/grpc"},
		"a/b.F[github.com/x/y.T]":            {"a/b", "a/b"},
		"nodot":                              {"nodot", "nodot"},
		"":                                   {"", ""},
	} {
		if got := [2]string{packageOf(fn), moduleOf(fn)}; got != want {
			t.Errorf("%q: %q, want %q", fn, got, want)
		}
	}
}

// Whatever the file, it is read or refused with its name and a line.
func FuzzParse(f *testing.F) {
	f.Add(builtIn[:2000])
	f.Add([]byte("go:\n  - {name: a, role: wait, how: pool, function: f*}\n"))
	f.Add([]byte("go: &a [*a]\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		table, err := Parse("p.yaml", data)
		if err != nil {
			if !strings.Contains(err.Error(), "p.yaml") {
				t.Fatal(err)
			}
			return
		}
		for _, r := range table.Rows {
			if r.Function == "" || !slices.Contains(roles, r.Role) {
				t.Fatalf("%+v", r)
			}
		}
		newMatcher(table).of("main.main")
	})
}
