package cmd

import (
	"slices"
	"strings"

	"example.com/kneeline/internal/fault"
	"example.com/kneeline/internal/input"
	"example.com/kneeline/internal/targets"
	"example.com/kneeline/loadgen"
)

// maxTargetsFile bounds a file of targets or a HAR file, unpacked.
const maxTargetsFile = 512 << 20

// readTargets reads a list of targets or a HAR file.
func (t *realTraffic) readTargets(a *app, url string) (string, error) {
	name := t.opts.targets
	src := input.Source{Name: name, Path: name}
	if name == input.Stdin {
		src.Name = "stdin"
	}
	name = src.Name
	text, err := src.ReadAll(a.Stdin, maxTargetsFile)
	if err != nil {
		return url, err
	}
	l, err := targets.Parse(name, text, targets.Options{Cookies: t.opts.harCookies, ReadFile: func(path string, limit int64) ([]byte, error) {
		if path == input.Stdin {
			return nil, fault.Usagef("expected a body file, found stdin")
		}
		return input.ReadFile(path, nil, limit)
	}})
	if err != nil {
		return url, err
	}
	if url, err = oneOrigin(a, l, url); err != nil {
		return url, err
	}
	t.list, t.sentFrom = l, name
	for i := range l.Targets {
		x := &l.Targets[i]
		path, err := targets.Path(x.URL)
		if err != nil {
			return url, fault.Usagef("%s: %w", x.Place, err)
		}
		r := loadgen.Request{Method: x.Method, Path: path, Body: x.Body, Weight: x.Weight, Name: shortName(x.Method, path)}
		for _, h := range x.Headers {
			r.Headers = append(r.Headers, loadgen.Header(h))
		}
		t.requests = append(t.requests, r)
	}
	a.Notef("%s of %s", countOf(len(l.Targets), "target"), name)
	return url, nil
}

// oneOrigin finds the one service to which targets go, and leaves out the entries of
// a HAR file that went to others.
func oneOrigin(a *app, l *targets.List, url string) (string, error) {
	origins, err := targets.Origins(l.Targets)
	if err != nil {
		return url, err
	}
	named := strings.Join(origins[:min(len(origins), 5)], ", ")
	switch {
	case url == "" && len(origins) == 1:
		return origins[0] + "/", nil
	case url == "" && len(origins) == 0:
		return url, fault.WithHint(fault.Usagef("the targets are paths without a service: expected a URL beside --targets, found none"),
			"such as kneeline headroom http://127.0.0.1:8080 --targets FILE")
	case url == "":
		return url, fault.WithHint(fault.Usagef("the targets go to %d services: expected one, found %s", len(origins), named),
			"name the service to measure as URL: of a HAR file its requests alone are sent")
	case strings.HasPrefix(url, "unix:"):
		if len(origins) > 1 {
			return url, fault.WithHint(fault.Usagef("the targets go to %d services: expected one behind a socket, found %s", len(origins), named),
				"name the service whose requests are sent as the URL, and the socket with --unix-socket PATH")
		}
		return url, nil
	}
	if err := originOf("--targets", url); err != nil {
		return url, err
	}
	to, err := targets.Origin(url)
	if err != nil {
		return url, err
	}
	switch {
	case len(origins) == 0 || len(origins) == 1 && origins[0] == to:
	case l.Format != "har":
		return url, fault.Usagef("the targets go to %s: expected %s or paths alone", named, to)
	case slices.Contains(origins, to):
		kept := slices.DeleteFunc(l.Targets, func(t targets.Target) bool {
			o, err := targets.Origin(t.URL)
			return err == nil && o != "" && o != to
		})
		l.Skipped += len(l.Targets) - len(kept)
		l.Targets = kept
	case len(origins) == 1:
		a.Notef("the requests to %s are sent to %s", origins[0], to)
	default:
		return url, fault.WithHint(fault.Usagef("the HAR file has no request to %s: expected one of %s", to, named),
			"name the service whose requests are sent as the URL, and the machine that gets them with --resolve HOST:PORT:IP")
	}
	return url, nil
}
