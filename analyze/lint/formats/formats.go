// Package formats lists the readers of all formats. Nothing registers itself: a new
// reader is added here.
package formats

import (
	"example.com/kneeline/analyze/lint/read"
	"example.com/kneeline/analyze/lint/read/awssdk"
	"example.com/kneeline/analyze/lint/read/balancer"
	"example.com/kneeline/analyze/lint/read/compose"
	"example.com/kneeline/analyze/lint/read/configmap"
	"example.com/kneeline/analyze/lint/read/consul"
	"example.com/kneeline/analyze/lint/read/contour"
	"example.com/kneeline/analyze/lint/read/d2"
	"example.com/kneeline/analyze/lint/read/dropwizard"
	"example.com/kneeline/analyze/lint/read/envoy"
	"example.com/kneeline/analyze/lint/read/flagger"
	"example.com/kneeline/analyze/lint/read/gatewayapi"
	"example.com/kneeline/analyze/lint/read/gosource"
	"example.com/kneeline/analyze/lint/read/grpcconfig"
	"example.com/kneeline/analyze/lint/read/haproxy"
	"example.com/kneeline/analyze/lint/read/ingressnginx"
	"example.com/kneeline/analyze/lint/read/istio"
	"example.com/kneeline/analyze/lint/read/javasource"
	"example.com/kneeline/analyze/lint/read/jetty"
	"example.com/kneeline/analyze/lint/read/jvm"
	"example.com/kneeline/analyze/lint/read/kong"
	"example.com/kneeline/analyze/lint/read/linkerd"
	"example.com/kneeline/analyze/lint/read/nginx"
	"example.com/kneeline/analyze/lint/read/spring"
	"example.com/kneeline/analyze/lint/read/sysctl"
	"example.com/kneeline/analyze/lint/read/tomcat"
	"example.com/kneeline/analyze/lint/read/traefik"
	"example.com/kneeline/analyze/lint/read/workload"
)

// Texts are the readers of formats with a grammar of their own. The first that
// recognises a file reads it.
func Texts() []read.Text {
	return []read.Text{
		nginx.Reader,
		kong.Conf,
		haproxy.Reader,
		sysctl.Reader,
		jvm.Reader,
		grpcconfig.TXT,
		gosource.Reader,
		javasource.Reader,
		awssdk.Profiles,
	}
}

// Objects are the readers of objects in trees. Each that recognises one reads it.
func Objects() []read.Object {
	return []read.Object{
		envoy.Reader,
		ingressnginx.Reader,
		istio.Reader,
		gatewayapi.Reader,
		gatewayapi.EnvoyGateway,
		linkerd.Reader,
		linkerd.Linkerd1,
		contour.Reader,
		flagger.Reader,
		kong.Reader,
		traefik.Reader,
		consul.Reader,
		grpcconfig.Reader,
		workload.Reader,
		configmap.Reader,
		balancer.GKE,
		balancer.AWS,
		compose.Reader,
		sysctl.Pods,
		jvm.Environment,
		spring.Reader,
		tomcat.Reader,
		jetty.Reader,
		d2.Reader,
		dropwizard.Reader,
		awssdk.Reader,
	}
}
