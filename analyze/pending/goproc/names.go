package goproc

import (
	"fmt"
	"path"
	"strings"

	"example.com/kneeline/heapdump/goroutines"
)

// normal is the name of a function without what changes with the version of its
// module ("/v5") and with its place ("…/vendor/").
func normal(fn string) string {
	if i := strings.LastIndex(fn, "/vendor/"); i >= 0 {
		fn = fn[i+len("/vendor/"):]
	} else {
		fn = strings.TrimPrefix(fn, "vendor/")
	}
	if !strings.Contains(fn, "/v") {
		return fn
	}
	parts := strings.Split(fn, "/")
	out := parts[:1]
	for _, p := range parts[1:] {
		if rest, ok := majorVersion(p); ok {
			out[len(out)-1] += rest
			continue
		}
		out = append(out, p)
	}
	return strings.Join(out, "/")
}

// majorVersion tells "v5" and "v2.(*Pool[...]).Acquire", whose rest belongs to the
// element before.
func majorVersion(part string) (rest string, ok bool) {
	if len(part) < 2 || part[0] != 'v' {
		return "", false
	}
	i := 1
	for i < len(part) && part[i] >= '0' && part[i] <= '9' {
		i++
	}
	if i == 1 || i < len(part) && part[i] != '.' {
		return "", false
	}
	return part[i:], true
}

// packageOf is the import path of a function's package.
func packageOf(fn string) string {
	slash := strings.LastIndexByte(fn, '/')
	// type arguments may hold paths: pkg.F[a/b.T]
	if i := strings.IndexByte(fn, '['); i >= 0 && i < slash {
		slash = strings.LastIndexByte(fn[:i], '/')
	}
	if dot := strings.IndexByte(fn[slash+1:], '.'); dot >= 0 {
		return fn[:slash+1+dot]
	}
	return fn
}

// standard are the directories at the top of the standard library.
var standard = func() map[string]bool {
	out := map[string]bool{}
	for d := range strings.FieldsSeq("archive bufio bytes cmp compress container context crypto database debug embed encoding errors expvar flag fmt go hash html image index internal io iter log maps math mime net os path plugin reflect regexp runtime slices sort strconv strings structs sync syscall testing text time unicode unique unsafe weak") {
		out[d] = true
	}
	return out
}()

// isStandard tells a function of the standard library. A module of one's own whose
// path begins with such a word and has no dot passes for one.
func isStandard(fn string) bool {
	first, _, _ := strings.Cut(packageOf(fn), "/")
	return standard[first]
}

// isPlumbing tells what every wait goes through and says nothing of its place.
func isPlumbing(fn string) bool {
	switch pkg := packageOf(fn); {
	case pkg == "runtime", pkg == "sync", pkg == "time", pkg == "sync/atomic":
		return true
	default:
		return strings.HasPrefix(pkg, "internal/") || strings.HasPrefix(pkg, "runtime/internal/")
	}
}

// moduleOf is the part of a package's path that tells its module, about: two
// elements, three where the host keeps many owners.
func moduleOf(fn string) string {
	parts := strings.SplitN(packageOf(fn), "/", 4)
	n := 2
	switch parts[0] {
	case "github.com", "gitlab.com", "bitbucket.org", "golang.org":
		n = 3
	}
	return strings.Join(parts[:min(n, len(parts))], "/")
}

// placeName is a frame for people: function, file and line. The directories of the
// file are the machine's that built it and say nothing.
func placeName(f goroutines.Frame) string {
	if f.File == "" {
		return f.Func
	}
	file := path.Base(strings.ReplaceAll(f.File, `\`, "/"))
	if f.Line == 0 {
		return fmt.Sprintf("%s (%s)", f.Func, file)
	}
	return fmt.Sprintf("%s (%s:%d)", f.Func, file, f.Line)
}
