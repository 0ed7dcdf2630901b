// Package spring reads the application files of Spring Boot, YAML and properties: its
// servers, connection pools and clients, and the libraries that are set in the same
// files (Resilience4j, Hystrix, Ribbon, Zuul, OpenFeign, Spring Cloud Gateway, Armeria).
//
// It follows relaxed names, lists and documents for profiles. It sees no code: what a
// program sets in Java is not known here.
package spring
