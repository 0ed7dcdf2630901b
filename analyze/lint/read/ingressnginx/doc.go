// Package ingressnginx reads the settings of ingress-nginx: its annotations on
// Ingresses, its ConfigMap and the same keys in the values of its Helm chart.
//
// Ingresses of other controllers are not its business, and what stands in snippets is
// nginx's own reader's.
package ingressnginx
