// Package tomcat reads Tomcat's server.xml: connectors with their threads, queues and
// limits, executors that they share, and pools of connections to databases.
//
// It knows nothing of web.xml and of what valves do.
package tomcat
