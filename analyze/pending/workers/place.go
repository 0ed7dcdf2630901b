package workers

import (
	"fmt"
	"strings"

	"example.com/kneeline/heapdump/stacks"
)

// libraries begin the names of classes that are no application's: the JDK, servers,
// clients, frameworks. The first frame that is none of them tells what a thread does.
var libraries = []string{
	"java.", "javax.", "jakarta.", "jdk.", "sun.", "com.sun.", "kotlin.", "kotlinx.", "scala.", "groovy.", "org.codehaus.groovy.", "clojure.",
	"org.eclipse.jetty.", "org.apache.tomcat.", "org.apache.catalina.", "org.apache.coyote.", "org.apache.jasper.", "org.apache.http.", "org.apache.hc.",
	"org.apache.commons.", "org.apache.cxf.", "org.apache.kafka.", "kafka.", "io.netty.", "io.undertow.", "org.xnio.", "org.jboss.", "org.wildfly.",
	"io.quarkus.", "io.vertx.", "io.micronaut.", "reactor.", "io.reactivex.", "rx.", "io.grpc.", "com.google.common.", "com.google.protobuf.",
	"okhttp3.", "okio.", "retrofit2.", "feign.", "com.zaxxer.hikari.", "org.postgresql.", "com.mysql.", "org.mariadb.", "oracle.", "com.microsoft.sqlserver.",
	"com.mongodb.", "redis.clients.", "io.lettuce.", "org.springframework.", "org.hibernate.", "org.glassfish.", "org.aspectj.", "net.bytebuddy.",
	"com.fasterxml.", "ch.qos.logback.", "org.slf4j.", "org.apache.logging.", "org.apache.log4j.", "io.micrometer.", "io.opentelemetry.", "io.github.resilience4j.",
	"akka.", "org.apache.pekko.", "play.", "weblogic.", "com.ibm.", "com.mchange.", "com.alibaba.druid.", "com.lmax.disruptor.", "org.springframework.cglib.",
}

// jdk begins the names of the JDK's own classes.
var jdk = []string{"java.", "javax.", "jdk.", "sun.", "com.sun."}

func begins(class string, with []string) bool {
	for _, w := range with {
		if strings.HasPrefix(class, w) {
			return true
		}
	}
	return false
}

// made says whether a class was made at run time: a lambda, a proxy.
func made(class string) bool {
	return strings.Contains(class, "$$") || strings.HasPrefix(class, "$Proxy") || strings.Contains(class, ".$Proxy") || strings.Contains(class, "GeneratedMethodAccessor")
}

// jdkEnd is the index of the first frame that is not the JDK's.
func jdkEnd(frames []stacks.Frame) int {
	for i, f := range frames {
		if !begins(f.Class, jdk) {
			return i
		}
	}
	return len(frames)
}

// placeOf is the first frame of the application, else the first that is not the
// JDK's, else the innermost.
func placeOf(frames []stacks.Frame) string {
	if len(frames) == 0 {
		return "no stack"
	}
	for _, f := range frames {
		if !begins(f.Class, libraries) && !made(f.Class) {
			return frameText(f)
		}
	}
	if i := jdkEnd(frames); i < len(frames) {
		return frameText(frames[i])
	}
	return frameText(frames[0])
}

// frameText writes a frame as stack traces do. The number behind a hidden class
// differs from run to run and says nothing.
func frameText(f stacks.Frame) string {
	text := fold(f.Class) + "." + f.Method
	switch {
	case f.Line > 0:
		return fmt.Sprintf("%s(%s:%d)", text, f.File, f.Line)
	case f.File != "" && f.File != "Unknown Source":
		return fmt.Sprintf("%s(%s)", text, f.File)
	}
	return text
}

// fold takes the number off a hidden class.
func fold(class string) string {
	if n := strings.Index(class, "$$Lambda"); n >= 0 {
		return class[:n+len("$$Lambda")]
	}
	if n := strings.IndexAny(class, "/+"); n > 0 && strings.HasPrefix(class[n+1:], "0x") {
		return class[:n]
	}
	return class
}
