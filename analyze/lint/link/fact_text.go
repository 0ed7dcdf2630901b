package link

import (
	"bytes"
	"regexp"
	"strings"

	"example.com/kneeline/analyze/lint/model"
)

var (
	// upstreamForm is an upstream of nginx with the block of its servers.
	upstreamForm = regexp.MustCompile(`(?m)^\s*upstream\s+([^\s{;]+)\s*\{([^}]*)\}`)
	serverForm   = regexp.MustCompile(`(?m)(?:^|[;{\s])server\s+([^\s;{}]+)`)
	commentForm  = regexp.MustCompile(`(?m)#.*$`)
)

// nginxUpstreams are the upstreams with their servers.
func nginxUpstreams(name string, data []byte) []Fact {
	var out []Fact
	line, counted := 1, 0
	for _, m := range upstreamForm.FindAllSubmatchIndex(data, maxFacts) {
		line += bytes.Count(data[counted:m[2]], []byte("\n"))
		counted = m[2]
		f := Fact{Kind: StandsFor, Name: string(data[m[2]:m[3]]), At: model.Position{File: name, Line: line}}
		block := commentForm.ReplaceAllString(string(data[m[4]:m[5]]), "")
		for _, s := range serverForm.FindAllStringSubmatch(block, maxAddresses) {
			f.To = append(f.To, s[1])
		}
		if len(f.To) > 0 {
			out = append(out, f)
		}
	}
	return out
}

// haproxyBackends are the backends with their servers.
func haproxyBackends(name string, data []byte) []Fact {
	var out []Fact
	var f *Fact
	line := 0
	for text := range strings.Lines(string(data)) {
		line++
		words := strings.Fields(text)
		switch {
		case len(words) == 0 || len(out) >= maxFacts:
		case len(words) > 1 && (words[0] == "backend" || words[0] == "listen"):
			out = append(out, Fact{Kind: StandsFor, Name: words[1], At: model.Position{File: name, Line: line}})
			f = &out[len(out)-1]
		case words[0] == "frontend" || words[0] == "defaults" || words[0] == "global":
			f = nil
		case len(words) > 2 && words[0] == "server" && f != nil && len(f.To) < maxAddresses:
			f.To = append(f.To, words[2])
		}
	}
	return out
}
