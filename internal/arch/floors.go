package arch

// floors gives every package its floor. A package imports only packages of
// floors below its own, so nothing knows who stands above it. Whole numbers are
// the floors of the design; decimals order packages within one.
//
// Directories are relative to the module; an entry of trees stands for all
// packages below it. A package that is missing here fails
// the test, so that each new one is given its place on purpose.
var floors = map[string]float64{
	// 1: vocabulary, and the ground under everything
	"internal/meta":       1.0,
	"internal/fault":      1.0,
	"internal/nearest":    1.0,
	"internal/outcome":    1.0,
	"internal/promtext":   1.0,
	"internal/units":      1.1,
	"internal/hist":       1.1,
	"internal/fetch":      1.1,
	"internal/atomicfile": 1.1,
	"internal/config":     1.2,
	"internal/input":      1.2,
	"internal/heapinput":  1.2,

	// 2: small languages and theory
	"internal/term":     2.0,
	"internal/slo":      2.0,
	"internal/diagram":  2.0,
	"queuecalc":         2.0,
	"internal/finding":  2.1,
	"internal/progress": 2.1,

	// 2: real traffic
	"internal/accesslog": 2.0,
	"internal/targets":   2.0,
	"internal/promquery": 2.0,

	// 3: reports; offering load
	"internal/report": 3.0,
	"gcparse":         3.0,
	"gcparse/biglog":  2.0,
	"loadgen":         3.0,
	"loadgen/target":  3.1,

	// 2 and 3: texts that come with a heap dump
	"heapdump/lines":            2.0,
	"heapdump/layout":           2.0,
	"heapdump":                  3.0,
	"heapdump/graph/disk":       2.0,
	"heapdump/graph/rank":       2.1,
	"heapdump/graph":            3.05,
	"heapdump/graph/dominators": 2.0,
	"heapdump/goroutines":       3.0,
	"heapdump/pprof":            3.1,
	"heapdump/hprof":            3.1,
	"heapdump/classhisto":       3.1,
	"heapdump/stacks":           3.1,
	"heapdump/v8":               3.1,
	"heapdump/v8/v8graph":       3.2,
	"heapdump/redact":           3.2,

	// 4: judgement
	"analyze/headroom": 4.0,
	"analyze/traffic":  4.0,

	// 4: statistics; results of headroom held against each other, and added up
	"analyze/headroom/stat":    3.9,
	"analyze/headroom/merge":   4.1,
	"analyze/headroom/compare": 4.1,
	"analyze/headroom/ab":      4.2,

	"analyze/queue/server":  4.0,
	"analyze/queue":         4.1,
	"analyze/gc/tier":       4.0,
	"analyze/gc":            4.1,
	"analyze/pending/clock": 4.0,

	// 4: what threads and histograms tell of a heap
	"analyze/pending/workers":   4.0,
	"analyze/pending/histoonly": 4.2,
	"analyze/pending/goproc":    4.2,
	"analyze/pending/nodeproc":  4.2,

	"analyze/retained":        4.0,
	"analyze/pending/pattern": 4.0,
	"analyze/pending":         4.1,
	"analyze/pending/fleet":   4.2,
	"analyze/pending/gate":    4.2,
	"analyze/pending/compare": 4.2,

	"analyze/lint/model":             4.0,
	"analyze/lint/writes":            4.0,
	"analyze/lint/tree":              4.1,
	"analyze/lint/defaults":          4.1,
	"analyze/lint/template":          4.1,
	"analyze/lint/worst":             4.1,
	"analyze/lint/chain":             4.15,
	"analyze/lint/rule":              4.16,
	"analyze/lint/topology":          4.2,
	"analyze/lint/link":              4.3,
	"analyze/lint/read":              4.2,
	"analyze/lint/read/nginx":        4.25,
	"analyze/lint/read/field":        4.21,
	"analyze/lint/read/kube":         4.22,
	"analyze/lint/read/envoy":        4.25,
	"analyze/lint/read/istio":        4.25,
	"analyze/lint/read/gatewayapi":   4.25,
	"analyze/lint/read/linkerd":      4.25,
	"analyze/lint/read/contour":      4.25,
	"analyze/lint/read/gosource":     4.25,
	"analyze/lint/read/javasource":   4.25,
	"analyze/lint/read/flagger":      4.25,
	"analyze/lint/read/kong":         4.25,
	"analyze/lint/read/traefik":      4.25,
	"analyze/lint/read/consul":       4.25,
	"analyze/lint/read/haproxy":      4.25,
	"analyze/lint/read/ingressnginx": 4.25,
	"analyze/lint/read/sysctl":       4.25,
	"analyze/lint/read/jvm":          4.25,
	"analyze/lint/read/bind":         4.21,
	"analyze/lint/read/grpcconfig":   4.25,
	"analyze/lint/read/spring":       4.25,
	"analyze/lint/read/tomcat":       4.25,
	"analyze/lint/read/jetty":        4.25,
	"analyze/lint/read/d2":           4.25,
	"analyze/lint/read/dropwizard":   4.25,
	"analyze/lint/read/awssdk":       4.25,
	"analyze/lint/read/workload":     4.25,
	"analyze/lint/read/configmap":    4.25,
	"analyze/lint/read/balancer":     4.25,
	"analyze/lint/read/compose":      4.25,
	"analyze/lint/formats":           4.3,
	"analyze/lint":                   4.4,
	"analyze/lint/rules":             4.3,
	"analyze/lint/catalog":           4.4,
	"analyze/lint/effective":         4.5,
	"analyze/lint/graph":             4.5,
	"analyze/lint/baseline":          4.0,
	"analyze/lint/changed":           4.0,
	"analyze/lint/fix":               4.2,
	"analyze/lint/rendered":          4.0,
	"analyze/lint/gate":              4.0,

	// 6: the command line
	"cmd":              6.0,
	"internal/gendocs": 6.1,
	".":                6.1,

	// 6: programs beside the product, for measuring it
	"bench": 6.1,
}

// trees are directories whose packages share one entry.
var trees = []string{"bench", "analyze/lint/rules"}

// testSupport are packages that only tests import. They may import any package
// below the command line, and no other package may import them.
var testSupport = map[string]bool{
	"internal/arch":            true,
	"analyze/headroom/virtual": true, // services in virtual time
	"loadgen/hostile":          true, // servers that misbehave
	"heapdump/hprofgen":        true, // heap dumps whose truth is known
	"heapdump/v8/v8gen":        true, // snapshots of V8 whose truth is known
	"analyze/lint/ruletest":    true, // rules held against files
	"analyze/lint/readtest":    true, // readers held against files
	"e2e/conformance":          true, // models held against real programs
}

// owners says which packages of ours may import a third-party module or a
// package of it. A module that is missing here fails the test, so that each new
// dependency is taken on purpose.
var owners = map[string][]string{
	"github.com/spf13/cobra":            {"cmd", "internal/gendocs"},
	"github.com/spf13/cobra/doc":        {"internal/gendocs"},
	"github.com/spf13/pflag":            {"cmd"},
	"github.com/charmbracelet/lipgloss": {"internal/term"},
	"github.com/charmbracelet/x/ansi":   {"internal/term"},
	"github.com/muesli/termenv":         {"internal/term"},
	"golang.org/x/term":                 {"internal/term"},
	"github.com/olekukonko/tablewriter": {"internal/report"},
	"github.com/guptarohit/asciigraph":  {"internal/report"},
	"github.com/vbauerster/mpb/v8":      {"internal/progress"},
	"go.yaml.in/yaml/v3":                {"internal/config", "analyze/pending/pattern", "analyze/pending/goproc", "analyze/lint/tree", "analyze/lint/defaults"},
	"github.com/klauspost/compress":     {"internal/input"},
	"github.com/google/pprof":           {"heapdump/pprof"},
	"golang.org/x/tools":                {"analyze/lint/read/gosource", "cmd"},
	"github.com/pelletier/go-toml/v2":   {"analyze/lint/tree"},
	"golang.org/x/net":                  {"loadgen", "loadgen/hostile"},
	"github.com/rogpeppe/go-internal":   {"analyze/lint/fix"}, // its diff; the test scripts use more of it
	"golang.org/x/sys":                  {"loadgen", "loadgen/target", "bench"},
}

// testOnly are modules that only _test.go files may import.
var testOnly = []string{
	"github.com/HdrHistogram/hdrhistogram-go",
	"github.com/google/go-cmp",
	"github.com/santhosh-tekuri/jsonschema/v6",
	"go.uber.org/goleak",
	"pgregory.net/rapid",
	"google.golang.org/grpc", // in a module of its own, e2e/grpcgo
}

// A ban forbids identifiers outside the packages named in except.
type ban struct {
	// pkg is the import path, names the identifiers of it; "*" is all of them.
	pkg    string
	names  []string
	except []string
	why    string
}

var (
	commandLine = []string{".", "cmd", "internal/gendocs", "bench"}
	bans        = []ban{
		{"fmt", []string{"Print", "Printf", "Println"}, commandLine,
			"only the command line writes to stdout"},
		{"os", []string{"Stdin", "Stdout", "Stderr", "Exit", "Args"}, commandLine,
			"streams, arguments and exit codes enter through cmd.State"},
		{"os", []string{"Getenv", "LookupEnv", "Environ", "ExpandEnv"}, commandLine,
			"the environment enters through cmd.State"},
		{"os/signal", []string{"*"}, commandLine,
			"signals enter through cmd.State"},
		{"log", []string{"Print", "Printf", "Println", "Fatal", "Fatalf", "Fatalln", "Panic", "Panicf", "Panicln", "Default", "SetOutput"}, nil,
			"libraries return errors, the command line says them"},
		{"log/slog", []string{"*"}, nil,
			"libraries return errors, the command line says them"},
		{"time", []string{"Now", "Since", "Until", "Sleep", "After", "Tick", "NewTimer", "NewTicker", "AfterFunc"},
			append([]string{"internal/progress", "loadgen", "loadgen/target"}, commandLine...),
			"a clock is passed in; only what offers load and draws progress reads the real one"},
		{"math/rand", []string{"*"}, nil,
			"math/rand/v2 with a seed that is passed in"},
		{"math/rand/v2", []string{"Int", "IntN", "Int32", "Int32N", "Int64", "Int64N", "Uint", "UintN", "Uint32", "Uint32N",
			"Uint64", "Uint64N", "N", "Float32", "Float64", "ExpFloat64", "NormFloat64", "Perm", "Shuffle"}, commandLine,
			"random numbers come from a source with a seed that is passed in"},
	}
)
