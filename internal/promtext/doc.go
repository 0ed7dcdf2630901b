// Package promtext reads the text that services expose for Prometheus: the text
// format 0.0.4, and of OpenMetrics 1.0 what differs from it in a sample line
// (timestamps in seconds, exemplars, names in quotes, the end mark).
//
// It finds samples and adds up those that a selector names. It knows nothing of
// histograms as a whole, of metadata, or of the protobuf format, and it fetches
// nothing. Prometheus' own library for Go is not used: it brings protobuf along,
// 2 MB of program, keeps whole families in memory, and reads no OpenMetrics text.
package promtext
