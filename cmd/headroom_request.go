package cmd

import (
	"bufio"
	"bytes"
	"fmt"
	"net/netip"
	"strings"

	"example.com/kneeline/internal/fault"
	"example.com/kneeline/internal/input"
	"example.com/kneeline/internal/term"
	"example.com/kneeline/internal/units"
	"example.com/kneeline/loadgen"
)

// requestOptions are the flags that say what is sent.
type requestOptions struct {
	method   string
	headers  []string
	body     string
	degraded []string
	// transport says how it gets there.
	transport transportOptions
}

const (
	maxBodyFile   = 64 << 20
	maxHeaderFile = 1 << 20
)

// options reads the flags and the files they name.
func (r *requestOptions) options(a *app, url string) (loadgen.Options, error) {
	o := loadgen.Options{URL: url, Method: r.method}
	if err := r.checkFiles(); err != nil {
		return o, err
	}
	for _, text := range r.headers {
		hs, err := r.header(a, text)
		if err != nil {
			return o, err
		}
		o.Headers = append(o.Headers, hs...)
	}
	var err error
	if o.Body, err = r.bytes(a); err != nil {
		return o, err
	}
	if o.Method == "" && r.body != "" {
		o.Method = "POST"
	}
	for _, text := range r.degraded {
		d, err := loadgen.ParseDegradedRule(text)
		if err != nil {
			return o, fault.Usagef("--degraded: %w", err)
		}
		o.Degraded = append(o.Degraded, d)
	}
	return o, r.transport.apply(a, &o)
}

// checkFiles looks at the names of files before any is read.
func (r *requestOptions) checkFiles() error {
	stdins := 0
	for _, text := range append([]string{r.body}, r.headers...) {
		switch text {
		case "@":
			return fault.Usagef("expected the name of a file after @, or - for stdin, found none")
		case "@" + input.Stdin:
			stdins++
		}
	}
	if stdins > 1 {
		return fault.Usagef("stdin can be read once: expected one @- among --header and --data, found %d", stdins)
	}
	return nil
}

// secretHeaders are refused on the command line, where other users of the
// machine can read them.
var secretHeaders = map[string]bool{"authorization": true, "cookie": true, "proxy-authorization": true}

func (r *requestOptions) header(a *app, text string) ([]loadgen.Header, error) {
	path, isFile := strings.CutPrefix(text, "@")
	if !isFile {
		h, err := loadgen.ParseHeader(text)
		if err == nil && secretHeaders[strings.ToLower(h.Name)] {
			err = fault.WithHint(fault.Usagef("--header: %s is a secret, and flags can be read by other users of the machine", h.Name),
				"put the line into a file and name it: -H @FILE")
		}
		return []loadgen.Header{h}, err
	}
	text2, err := input.ReadFile(path, a.Stdin, maxHeaderFile)
	if err != nil {
		return nil, err
	}
	return parseHeaders(path, text2)
}

// parseHeaders reads one header a line; blank lines and lines that begin with #
// are left out.
func parseHeaders(name string, text []byte) ([]loadgen.Header, error) {
	var hs []loadgen.Header
	lines := bufio.NewScanner(bytes.NewReader(text))
	lines.Buffer(nil, maxHeaderFile)
	for n := 1; lines.Scan(); n++ {
		line := strings.TrimRight(lines.Text(), "\r")
		if strings.TrimSpace(line) == "" || strings.HasPrefix(line, "#") {
			continue
		}
		h, err := loadgen.ParseHeader(line)
		if err != nil {
			return nil, fault.Usagef("%s:%d: %w", name, n, err)
		}
		hs = append(hs, h)
	}
	return hs, lines.Err()
}

func (r *requestOptions) bytes(a *app) ([]byte, error) {
	path, isFile := strings.CutPrefix(r.body, "@")
	if !isFile {
		return []byte(r.body), nil
	}
	return input.ReadFile(path, a.Stdin, maxBodyFile)
}

// askHost asks on the terminal whether load may go to a host. Where nobody can
// answer the answer is no.
func (m *measurement) askHost(host string, addr netip.Addr) bool {
	if !m.StdinTTY || !m.StderrTTY || m.quiet {
		return false
	}
	fmt.Fprintf(m.Stderr, "%s (%s) is not this machine. Offer load to it? Type yes to go on: ", term.Clean(host), addr)
	line, err := bufio.NewReader(m.Stdin).ReadString('\n')
	return err == nil && strings.TrimSpace(line) == "yes"
}

// shownRequest is the request as text, cut where the body is long.
func shownRequest(request string) string {
	const most = 2000
	text := strings.ReplaceAll(request, "\r\n", "\n")
	if len(text) > most {
		text = text[:most] + fmt.Sprintf("\n... (%s bytes in all)", units.Count(len(request)))
	}
	return term.CleanLines(text)
}
