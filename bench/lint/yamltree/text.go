package main

import (
	"fmt"
	"strings"
)

func (t *tree) n(most int) int { return 1 + t.r.IntN(most) }

func (t *tree) workload(i int) string {
	var b strings.Builder
	for c := range 2 {
		fmt.Fprintf(&b, `---
apiVersion: apps/v1
kind: Deployment
metadata:
  name: service-%[1]d-%[2]d
  namespace: team-%[3]d
  labels: {app: service-%[1]d, part: "%[2]d"}
spec:
  replicas: %[4]d
  selector:
    matchLabels: {app: service-%[1]d}
  template:
    metadata:
      labels: {app: service-%[1]d}
    spec:
      terminationGracePeriodSeconds: %[5]d
      containers:
`, i, c, t.n(30), t.n(9), 30+t.n(60))
		for k := range 3 {
			fmt.Fprintf(&b, `      - name: container-%[1]d
        image: registry.example/team/service-%[2]d:%[3]d
        ports: [{containerPort: 8080, name: http}]
        env:
        - {name: LOG_LEVEL, value: info}
        - {name: ADDRESS, value: "http://service-%[3]d.team-%[4]d.svc:8080"}
        resources:
          requests: {cpu: %[4]d00m, memory: %[3]dMi}
          limits: {cpu: %[4]d00m, memory: %[3]dMi}
        livenessProbe:
          httpGet: {path: /healthz, port: http}
          periodSeconds: 10
          timeoutSeconds: %[4]d
          failureThreshold: 6
        readinessProbe:
          httpGet: {path: /ready, port: http}
          periodSeconds: 5
        volumeMounts:
        - {name: config, mountPath: /etc/service}
`, k, i, 64+t.n(900), t.n(9))
		}
		fmt.Fprintf(&b, "---\napiVersion: v1\nkind: Service\nmetadata:\n  name: service-%d-%d\nspec:\n  selector: {app: service-%d}\n  ports:\n  - {port: 8080, targetPort: http}\n", i, c, i)
	}
	return b.String()
}

func (t *tree) mesh(i int) string {
	var b strings.Builder
	fmt.Fprintf(&b, "apiVersion: networking.istio.io/v1\nkind: VirtualService\nmetadata:\n  name: routes-%d\nspec:\n  hosts: [service-%d]\n  http:\n", i, i)
	for c := range 6 {
		fmt.Fprintf(&b, "  - match:\n    - uri: {prefix: /v%d/part}\n    route:\n    - destination:\n        host: service-%d\n        subset: v%d\n      weight: 100\n    timeout: %ds\n    retries:\n      attempts: %d\n      perTryTimeout: %dms\n      retryOn: connect-failure,refused-stream\n",
			c, i+c, c, 1+t.n(20), t.n(3), 100*t.n(9))
	}
	fmt.Fprintf(&b, "---\napiVersion: networking.istio.io/v1\nkind: DestinationRule\nmetadata:\n  name: traffic-%d\nspec:\n  host: service-%d\n  trafficPolicy:\n    connectionPool:\n      tcp: {maxConnections: %d, connectTimeout: 1s}\n      http: {http1MaxPendingRequests: %d, maxRequestsPerConnection: %d}\n    outlierDetection: {consecutive5xxErrors: 5, interval: 10s, baseEjectionTime: 30s}\n", i, i, t.n(900), t.n(900), t.n(90))
	return b.String()
}

func (t *tree) envoy(i int) string {
	var b strings.Builder
	for c := range 8 {
		fmt.Fprintf(&b, `- circuitBreakers:
    thresholds:
    - maxRetries: %[1]d
  commonLbConfig: {}
  connectTimeout: 10s
  dnsLookupFamily: V4_PREFERRED
  edsClusterConfig:
    edsConfig:
      ads: {}
      resourceApiVersion: V3
    serviceName: route-%[2]d/default/rule/%[3]d
  ignoreHealthOnHostRemoval: true
  lbPolicy: LEAST_REQUEST
  loadBalancingPolicy:
    policies:
    - typedExtensionConfig:
        name: policies.least_request
        typedConfig:
          localityLbConfig:
            localityWeightedLbConfig: {}
  name: route-%[2]d/default/rule/%[3]d
  perConnectionBufferLimitBytes: %[4]d
  type: EDS
`, 1000+t.n(24), i, c, 32768*t.n(9))
	}
	return b.String()
}

func (t *tree) chart(i int) string {
	var b strings.Builder
	fmt.Fprintf(&b, "{{- if .Values.part%d.enabled }}\napiVersion: networking.k8s.io/v1\nkind: Ingress\nmetadata:\n  name: {{ include \"chart.fullname\" . }}-%d\n  annotations:\n    nginx.ingress.kubernetes.io/proxy-read-timeout: {{ .Values.proxy.readTimeout | default %d | quote }}\n    nginx.ingress.kubernetes.io/proxy-connect-timeout: \"5\"\n    {{- with .Values.ingress.annotations }}\n    {{- toYaml . | nindent 4 }}\n    {{- end }}\nspec:\n  ingressClassName: {{ .Values.ingress.className }}\n  rules:\n", i, i, 5+t.n(60))
	for c := range 20 {
		fmt.Fprintf(&b, "  {{- range .Values.ingress.hosts%d }}\n  - host: {{ .host | quote }}\n    http:\n      paths:\n      - path: /part/%d\n        pathType: Prefix\n        backend:\n          service: {name: part-%d, port: {number: %d}}\n  {{- end }}\n", c, c, i, 8000+t.n(900))
	}
	b.WriteString("{{- end }}\n")
	return b.String()
}

func (t *tree) role(i int) string {
	var b strings.Builder
	fmt.Fprintf(&b, "apiVersion: rbac.authorization.k8s.io/v1\nkind: ClusterRole\nmetadata:\n  name: role-%d\nrules:\n", i)
	for range 25 {
		fmt.Fprintf(&b, "- apiGroups: [\"group-%d.example\"]\n  resources: [things, \"things/status\", others-%d]\n  verbs: [get, list, watch, create, update, patch, delete]\n", t.n(40), t.n(900))
	}
	return b.String()
}

func (t *tree) configMap(i int) string {
	var b strings.Builder
	fmt.Fprintf(&b, "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: dashboard-%d\ndata:\n  dashboard.json: |\n    {\n      \"panels\": [\n", i)
	for c := range 120 {
		fmt.Fprintf(&b, "        {\"id\": %d, \"type\": \"graph\", \"title\": \"part %d\", \"targets\": [{\"expr\": \"sum(rate(requests_total{job=\\\"part-%d\\\"}[5m])) by (code)\"}]},\n", c, t.n(900), i)
	}
	b.WriteString("      {}]\n    }\n  nginx.conf: |\n    events {}\n    http {\n")
	for c := range 8 {
		fmt.Fprintf(&b, "      server {\n        listen 80;\n        location /part%d {\n          proxy_pass http://part-%d:8080;\n          proxy_read_timeout %ds;\n        }\n      }\n", c, c, t.n(60))
	}
	b.WriteString("    }\n")
	return b.String()
}

func (t *tree) values(i int) string {
	var b strings.Builder
	for c := range 60 {
		fmt.Fprintf(&b, "# -- how part %[1]d of chart %[2]d runs; see the documentation of the part before it is changed\npart%[1]d:\n  enabled: %[3]t\n  image: {repository: registry.example/part, tag: \"%[4]d\"}\n  timeout: %[4]d\n  resources:\n    limits: {cpu: 500m, memory: %[4]dMi}\n  nodeSelector: {}\n  tolerations: []\n", c, i, c%2 == 0, t.n(900))
	}
	return b.String()
}

// definition is a definition of a custom resource of about a size.
func (t *tree) definition(i int, size int64) string {
	var b strings.Builder
	fmt.Fprintf(&b, "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata:\n  name: things%d.group.example\nspec:\n  group: group.example\n  names: {kind: Thing%d, plural: things%d}\n  scope: Namespaced\n  versions:\n  - name: v1\n    served: true\n    storage: true\n    schema:\n      openAPIV3Schema:\n        type: object\n        properties:\n", i, i, i)
	for c := 0; int64(b.Len()) < size; c++ {
		fmt.Fprintf(&b, `          field%[1]d:
            description: |-
              Field%[1]d says how many seconds the thing waits for the %[2]d others that it needs. It
              is taken from the defaults of the cluster where nothing is set here.
            type: object
            properties:
              name:
                description: Name of the referent.
                type: string
              timeoutSeconds:
                description: How long to wait.
                format: int32
                type: integer
              selector:
                x-kubernetes-map-type: atomic
                type: object
            required: [name]
`, c, t.n(9000))
	}
	return b.String()
}
