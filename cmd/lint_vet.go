package cmd

import (
	"strings"

	"golang.org/x/tools/go/analysis/unitchecker"

	"example.com/kneeline/analyze/lint/read/gosource"
)

// asVetTool reports whether the program is run by go vet -vettool, which asks for a
// version, for flags, or hands over the configuration of one package.
func asVetTool(args []string) bool {
	switch {
	case len(args) == 0:
		return false
	case args[0] == "-V=full", len(args) == 1 && args[0] == "-flags":
		return true
	}
	for _, a := range args[:len(args)-1] {
		if !strings.HasPrefix(a, "-") {
			return false
		}
	}
	return strings.HasSuffix(args[len(args)-1], ".cfg")
}

// vet runs the checks of Go sources as go vet asks for. It does not return.
func vet() { unitchecker.Main(gosource.Analyzers()...) }
