package lint_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"example.com/kneeline/analyze/lint/catalog"
	"example.com/kneeline/analyze/lint/ruletest"
)

// chained is a public file of which the expert expects what a topology alone can show,
// with a topology that gives the numbers which the file does not have.
type chained struct {
	id string
	// as is the name that the file has in the chain.
	as       string
	topology string
	// rules are expected of it, silent are not: the numbers are well within what they allow.
	rules, silent []string
}

var chains = []chained{
	{"C040", "service-config.json", `version: 1
services:
  compose: {replicas: 4, config: [{file: service-config.json, as: app-client, to: media, keys: {total: media-service.timeout_ms, pool_max: media-service.connections}}]}
  media: {replicas: 1, max_connections: 1024, config: [{file: service-config.json, as: app-client, to: mongo, keys: {total: post-storage-mongodb.timeout_ms, pool_max: post-storage-mongodb.connections}}], service_time: {mean: 100ms}}
  mongo: {replicas: 1, max_connections: 51200}
hops:
  - {from: compose, to: media}
  - {from: media, to: mongo}
`, []string{"POL-01"}, []string{"CHN-02"}},
	{"C050", "haproxy.cfg.j2", `version: 1
services:
  node: {replicas: 1, config: [{file: haproxy.cfg.j2, to: api}]}
  api: {replicas: 1, capacity: 50/s}
hops:
  - {from: node, to: api, total: 2s}
`, []string{"QUE-01"}, nil},
	{"C068", "application.properties", `version: 1
services:
  shop: {replicas: 4, config: [application.properties]}
  db: {names: [database], replicas: 1, max_connections: 151, reserved: 1}
hops:
  - {from: shop, to: db}
`, []string{"POL-01"}, nil},
	{"C070", "thingsboard.yml", `version: 1
services:
  node: {replicas: 8, config: [{file: thingsboard.yml, to: db}]}
  db: {replicas: 1, max_connections: 100, reserved: 3}
hops:
  - {from: node, to: db}
`, []string{"POL-01"}, nil},
	{"C082", "marquez.example.yml", `version: 1
services:
  edge: {replicas: 1}
  marquez: {replicas: 2, capacity: 300/s, service_time: {mean: 50ms}, config: [{file: marquez.example.yml, to: db}]}
  db: {replicas: 1, max_connections: 100, reserved: 3}
hops:
  - {from: edge, to: marquez, total: 1s}
  - {from: marquez, to: db}
`, []string{"POL-01", "QUE-01"}, nil},
	{"C084", "full_db_pool.yml", `version: 1
services:
  app: {replicas: 4, config: [{file: full_db_pool.yml, to: db}]}
  db: {replicas: 1, max_connections: 100, reserved: 3}
hops:
  - {from: app, to: db}
`, []string{"POL-01"}, nil},
	{"C068", "application.properties", `version: 1
services:
  shop: {replicas: 4, config: [application.properties]}
  db: {names: [database], replicas: 1, max_connections: 2100, reserved: 100}
hops:
  - {from: shop, to: db}
`, nil, []string{"POL-01"}},
}

// TestCorpusChains holds the rules that need a topology against public files.
func TestCorpusChains(t *testing.T) {
	dir := corpusDir(t)
	all := readExpected(t, dir)
	for _, c := range chains {
		t.Run(c.id, func(t *testing.T) {
			i := slices.IndexFunc(all, func(j judged) bool { return j.id == c.id })
			if i < 0 {
				t.Fatal("the corpus has no such row")
			}
			data, err := os.ReadFile(filepath.Join(dir, all[i].name()))
			if err != nil {
				t.Fatal(err)
			}
			at := t.TempDir()
			for name, text := range map[string]string{c.as: string(data), "topology.yaml": c.topology} {
				if err := os.WriteFile(filepath.Join(at, name), []byte(text), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			found := map[string]string{}
			for _, f := range ruletest.Link(t, at).Judge(catalog.All()...).Findings {
				found[f.Rule] += f.Message + "\n"
			}
			for _, id := range c.rules {
				if !slices.Contains(all[i].named, id) {
					t.Errorf("the expert does not name %s", id)
				}
				if found[id] == "" {
					t.Errorf("%s is not found", id)
				}
				t.Logf("%s %s", id, strings.TrimSpace(found[id]))
			}
			for _, id := range c.silent {
				if found[id] != "" {
					t.Errorf("%s: %s", id, found[id])
				}
			}
		})
	}
}
