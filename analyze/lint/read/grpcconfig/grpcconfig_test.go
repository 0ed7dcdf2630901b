package grpcconfig

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"example.com/kneeline/analyze/lint/model"
	"example.com/kneeline/analyze/lint/read"
	"example.com/kneeline/analyze/lint/readtest"
	"example.com/kneeline/analyze/lint/tree"
)

// readJSON reads a file as the collector does: its tree, filled, if it is recognised.
func readJSON(in *read.Input) []*model.Document {
	root, err := tree.JSON(in.Name, in.Data)
	in.Fill(root)
	if err != nil && root.Kind == tree.Null || !Reader.Recognise(in.Name, root) {
		return nil
	}
	return Reader.Read(in, root)
}

// The tables beside the files hold each value with its place, dialect and origin.
func TestModel(t *testing.T) { readtest.Golden(t, readJSON, "testdata/model") }

func TestTXT(t *testing.T) {
	data := []byte("grpc_config=[{\"serviceConfig\":{\"methodConfig\":[{\"name\":[{}],\"timeout\":\"3s\"}]}}]\n")
	if !TXT.Recognise("x", data) || TXT.Recognise("x", []byte("grpc = 1")) {
		t.Error("recognised")
	}
	docs := TXT.Read(readtest.Input(t, "x", data))
	if len(docs) != 1 || len(docs[0].Hops) != 1 || docs[0].Hops[0].Total.Amount != 3 || docs[0].Hops[0].Total.At.Line != 1 || len(docs[0].Rejected) != 1 || !docs[0].Rejected[0].Wrapper {
		t.Errorf("%s", readtest.Table(docs))
	}
}

// What grpc-go's parser says of each file, as its source has it.
func TestRefusals(t *testing.T) {
	policy := func(change string) string {
		p := `"maxAttempts":3,"initialBackoff":"0.1s","maxBackoff":"1s","backoffMultiplier":2,"retryableStatusCodes":["UNAVAILABLE"]`
		key, _, _ := strings.Cut(change, ":")
		var kept []string
		for _, f := range strings.Split(p, `,"`) {
			if f = `"` + strings.TrimPrefix(f, `"`); !strings.HasPrefix(f, key+":") {
				kept = append(kept, f)
			}
		}
		if strings.Contains(change, ":") {
			kept = append(kept, change)
		}
		return `{"methodConfig":[{"name":[{"service":"a"}],"retryPolicy":{` + strings.Join(kept, ",") + `}}]}`
	}
	for config, refused := range map[string]bool{
		policy(`"none"`):                                                           false,
		policy(`"maxAttempts"`):                                                    true,
		policy(`"maxAttempts":1`):                                                  true,
		policy(`"maxAttempts":2`):                                                  false,
		policy(`"maxAttempts":"3"`):                                                true,
		policy(`"initialBackoff"`):                                                 true,
		policy(`"initialBackoff":"0s"`):                                            true,
		policy(`"initialBackoff":"-1s"`):                                           true,
		policy(`"maxBackoff"`):                                                     true,
		policy(`"maxBackoff":1`):                                                   true,
		policy(`"maxBackoff":"1000ms"`):                                            true,
		policy(`"maxBackoff":".5s"`):                                               false,
		policy(`"backoffMultiplier":0`):                                            true,
		policy(`"backoffMultiplier":1.3`):                                          false,
		policy(`"retryableStatusCodes":[]`):                                        true,
		policy(`"retryableStatusCodes":["unavailable"]`):                           true,
		policy(`"retryableStatusCodes":[14]`):                                      false,
		policy(`"retryableStatusCodes":[17]`):                                      true,
		policy(`"retryableStatusCodes":["CANCELED"]`):                              true,
		`{"methodConfig":[{"name":[{"method":"m"}]}]}`:                             true,
		`{"methodConfig":[{"name":[{"service":"a"}]},{"name":[{"service":"a"}]}]}`: true,
		`{"methodConfig":[{"name":[{"service":"a"}]},{"name":[{"service":"a","method":"b"}]}]}`:                    false,
		`{"retryThrottling":{"maxTokens":1000,"tokenRatio":0.1}}`:                                                  false,
		`{"methodConfig":[{"name":[{}]}],"retryThrottling":{"maxTokens":1001,"tokenRatio":0.1}}`:                   true,
		`{"methodConfig":[{"name":[{}]}],"retryThrottling":{"maxTokens":10,"tokenRatio":0}}`:                       true,
		`{"methodConfig":[{"name":[{}]}],"retryThrottling":{"maxTokens":10}}`:                                      true,
		`{"methodConfig":[{"name":[{}],"timeout":"1s",}]}`:                                                         true,
		`{"methodConfig":[{"name":[{}],"timeout":"1.s"}]}`:                                                         false,
		`{"methodConfig":[{"name":[{}],"timeout":"1"}]}`:                                                           true,
		`{"methodConfig":[{"name":[{}],"timeout":null}]}`:                                                          false,
		`{"METHODCONFIG":[{"name":[{}],"Timeout":"1"}],"retryThrottling":{"maxTokens":10,"tokenRatio":0.1}}`:       true,
		`{"methodConfig":[{"name":[{"service":"a"}],"hedgingPolicy":{"maxAttempts":1,"nonFatalStatusCodes":[]}}]}`: false,
	} {
		docs := readJSON(readtest.Input(t, "f.json", []byte(config)))
		got := false
		for _, d := range docs {
			for _, r := range d.Rejected {
				got = got || !r.Ignored
			}
			for _, u := range d.Units {
				got = got || u.Refused
			}
		}
		if got != refused {
			t.Errorf("%s: refused %v, want %v: %s", config, got, refused, readtest.Table(docs))
		}
	}
}

func TestRecognise(t *testing.T) {
	for config, want := range map[string]bool{
		`{"methodConfig":[]}`: true, `{"methodConfig":"x"}`: false, `{"a":1}`: false, `[1]`: false, `[{"serviceConfig":{}}]`: true,
		`{"serviceConfig":{"methodConfig":[]}}`: true, `{"serviceConfig":{"type":"x"}}`: false, `{"retryThrottling":{"rate":1}}`: false,
	} {
		root, _ := tree.JSON("f", []byte(config))
		if got := Reader.Recognise("f.json", root); got != want {
			t.Errorf("%s: %v", config, got)
		}
	}
}

// What experts found in public files must be in the model.
func TestCorpus(t *testing.T) {
	for name, wanted := range map[string][]string{
		"googleapis__googleapis__google__pubsub__v1__pubsub_grpc_service_config.json":       {"Total 1m set timeout", "Backoff.Max 1m set maxBackoff", "Retry.On[6].Word DEADLINE_EXCEEDED", "Retry.On[3].Word RESOURCE_EXHAUSTED", "Budget.Supported true"},
		"googleapis__googleapis__google__spanner__v1__spanner_grpc_service_config.json":     {"no maxAttempts", "Total 1h set timeout"},
		"googleapis__googleapis__google__firestore__v1__firestore_grpc_service_config.json": {"Total 24h set timeout", "DEADLINE_EXCEEDED"},
	} {
		docs := readJSON(readtest.Input(t, name, readtest.CorpusFile(t, name)))
		readtest.Lines(t, readtest.Table(docs), wanted...)
	}
}

func FuzzRead(f *testing.F) {
	files, err := filepath.Glob("testdata/model/*.json")
	if err != nil {
		f.Fatal(err)
	}
	for _, name := range files {
		if data, err := os.ReadFile(name); err == nil {
			f.Add(data)
		}
	}
	f.Add([]byte("grpc_config=[{serviceConfig:{methodConfig:[{name:{},timeout:1}]}}]"))
	f.Fuzz(func(t *testing.T, data []byte) {
		readtest.Sound(t, readJSON, "f.json", data)
		if TXT.Recognise("f", data) {
			readtest.Sound(t, TXT.Read, "f", data)
		}
	})
}
