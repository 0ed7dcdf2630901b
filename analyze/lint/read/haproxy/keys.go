package haproxy

import near "example.com/kneeline/internal/nearest"

var (
	// settings are the words at the beginning of a proxy's line that are read.
	settings = set("retries", "retry-on", "maxconn", "fullconn", "backlog", "rate-limit", "http-reuse", "default-server", "timeout")
	// others are real settings that are near to one of those.
	others = set("redirect", "balance", "backend", "http-request", "http-response", "persist", "rspdel", "reqdel", "dispatch", "errorfile", "option", "server", "servers")
	// params are the settings of a server's line that are read.
	params = set("maxconn", "maxqueue", "minconn", "inter", "fastinter", "downinter", "fall", "rise", "slowstart", "error-limit", "pool-max-conn", "pool-purge-delay", "max-reuse")
	// otherParams are real ones that are near to one of those.
	otherParams = set("weight", "port", "agent-inter", "agent-port", "pool-low-conn", "init-addr", "addr", "id", "ws", "proto", "log-proto", "shard", "hash-key")
)

func set(words ...string) map[string]bool {
	m := make(map[string]bool, len(words))
	for _, w := range words {
		m[w] = true
	}
	return m
}

// nearest returns the known word that differs from an unknown one by at most two
// letters, empty if there is none. Short words are left alone.
func nearest(word string, known, real map[string]bool) string {
	if known[word] || real[word] || len(word) < 5 || len(word) > 64 {
		return ""
	}
	best, at := "", 3
	for k := range known {
		if len(word)-len(k) > 2 || len(k)-len(word) > 2 {
			continue
		}
		if d := near.Distance(word, k); d < at || d == at && k < best {
			best, at = k, d
		}
	}
	if at > 2 || len(word) < 6 && at > 1 {
		return ""
	}
	return best
}
