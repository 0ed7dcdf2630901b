package workload_test

import (
	"strings"
	"testing"

	"example.com/kneeline/analyze/lint"
	"example.com/kneeline/analyze/lint/read"
	"example.com/kneeline/analyze/lint/read/workload"
	"example.com/kneeline/analyze/lint/readtest"
)

// Documents that no reader has a word in are not parsed; Services must not be among
// them, whichever way they end their lines.
func TestServicesOfTheFile(t *testing.T) {
	const text = `apiVersion: v1
kind: Service
metadata: {name: shop}
spec: {selector: {app: shop}, ports: [{port: 80, targetPort: 8080}]}
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: shop}
spec:
  template:
    metadata: {labels: {app: shop}}
    spec:
      containers:
        - name: shop
          livenessProbe: {httpGet: {path: /, port: 8080}}
`
	c := &lint.Collector{Objects: []read.Object{workload.Reader}, Defaults: readtest.Input(t, "", nil).Defaults}
	for _, data := range []string{text, strings.ReplaceAll(text, "\n", "\r\n")} {
		got := c.Read("shop.yaml", []byte(data))
		if len(got.Documents) != 1 || !got.Documents[0].Services[0].Probes[0].Serves {
			t.Errorf("%+v", got)
		}
	}
}
