// Package jetty reads Jetty's own settings: its XML files, the properties of start.ini
// and start.d, and modules. Thread pools, their queues, connectors and limiters become
// services.
//
// It knows nothing of web applications and of Jetty as a part of other programs.
package jetty
