package cmd

import (
	"errors"

	"example.com/kneeline/analyze/pending/goproc"
	"example.com/kneeline/analyze/pending/pattern"
	"example.com/kneeline/internal/input"
)

// heapTables are the names by which queues, requests and waits are told: the
// built-in ones and those of --patterns, which come first.
type heapTables struct {
	java *pattern.Table
	goes *goproc.Table
}

// readPatterns reads the files of --patterns. All problems of all files are told.
func readPatterns(paths []string) (heapTables, error) {
	t := heapTables{java: pattern.Builtin(), goes: goproc.Default()}
	var errs []error
	var java []*pattern.Table
	var goes []*goproc.Table
	for _, path := range paths {
		data, err := input.ReadFile(path, nil, pattern.MaxFileSize)
		if err != nil {
			errs = append(errs, err)
			continue
		}
		j, err := pattern.Parse(path, data)
		if err != nil {
			errs = append(errs, err)
			continue
		}
		g, err := goproc.Parse(path, data)
		if err != nil {
			errs = append(errs, err)
			continue
		}
		java, goes = append(java, j), append(goes, g)
	}
	if err := errors.Join(errs...); err != nil {
		return t, err
	}
	for _, j := range java {
		t.java = t.java.With(j)
	}
	t.goes = t.goes.With(goes...)
	return t, nil
}
