package nginx

import (
	"testing"

	"example.com/kneeline/analyze/lint/readtest"
)

// What experts found in public files must be in the model.
func TestCorpus(t *testing.T) {
	for name, wanted := range map[string][]string{
		"delimitrou__DeathStarBench__socialNetwork__helm-chart__socialnetwork__templates__configs__nginx__nginx.tpl": {
			`Connect 1h23m20s set proxy_connect_timeout "5000"`, `unit at 28:`, "proxy_connect_timeout 5s", "KeepRequests 100,000 set",
		},
		"FudanSELab__train-ticket__ts-ui-dashboard__nginx.conf":              {"GapRead 1m default proxy_read_timeout", "Retry.Tries no limit default", `to "ts-travel-service:12346"`},
		"frappe__frappe_docker__resources__core__nginx__nginx-template.conf": {"${PROXY_READ_TIMEOUT} hole proxy_read_timeout", `Breaker.Off on set fail_timeout "0"`, `Listen.Idle 15s set keepalive_timeout "15"`},
		"jitsi__docker-jitsi-meet__web__rootfs__defaults__nginx.conf":        {`Listen.Idle 1m5s 65 set keepalive_timeout`},
		"h5bp__server-configs-nginx__nginx.conf":                             {"Listen.Idle 20s set keepalive_timeout"},
		"Azure-Samples__aks-store-demo__src__store-front__nginx.conf":        {"GapRead 1m default proxy_read_timeout"},
		"macrozheng__mall-swarm__document__docker__nginx.conf":               {"Listen.Idle 1m5s set"},
	} {
		data := readtest.CorpusFile(t, name)
		if !Reader.Recognise(name, data) {
			t.Errorf("%s: not recognised", name)
			continue
		}
		docs := Reader.Read(readtest.Input(t, name, data))
		readtest.Lines(t, readtest.Table(docs), wanted...)
		for _, p := range docs[0].Problems {
			t.Errorf("%s:%d: %s", name, p.At.Line, p.Err)
		}
	}
}
