package targets

import (
	"bytes"
	"net/url"
	"strings"

	"example.com/kneeline/internal/fault"
)

// Header is one header line.
type Header struct{ Name, Value string }

// Target is one request to send.
type Target struct {
	Method string
	// URL is absolute, or begins with / where the origin is to be given beside it.
	URL     string
	Headers []Header
	Body    []byte
	// Weight is how often the request is drawn against the others; 1 unless said.
	Weight float64
	// Place is where it was read: file and line, or file and entry.
	Place string
}

const (
	// MaxTargets bounds the targets of one file.
	MaxTargets = 100_000
	// MaxBody bounds the body of one target, MaxBodies those of all together.
	MaxBody   = 64 << 20
	MaxBodies = 512 << 20
	// maxLine bounds a line of a file.
	maxLine = 64 << 20
)

// Options say how files are read.
type Options struct {
	// ReadFile returns the content of a body file. Paths are as the file has them:
	// relative to the working directory, as vegeta takes them.
	ReadFile func(path string, limit int64) ([]byte, error)
	// Cookies keeps the Cookie headers of HAR files, which are those of whoever
	// recorded it.
	Cookies bool
}

// List is what a file has.
type List struct {
	Targets []Target
	// Format is "http", "json" or "har".
	Format string
	// Dropped counts headers of a HAR file that were left out, by name.
	Dropped map[string]int
	// Skipped counts entries of a HAR file that are no requests over HTTP.
	Skipped int
}

// Parse reads a list of targets. The format is told by content: a JSON object that
// has "log" is HAR, other JSON objects are targets, one a line.
func Parse(name string, text []byte, o Options) (*List, error) {
	text = bytes.TrimPrefix(text, []byte("\xef\xbb\xbf"))
	var l *List
	var err error
	switch head := bytes.TrimLeft(text, " \t\r\n"); {
	case len(head) == 0:
		return nil, fault.NoAnswerf("%s: expected targets such as 'GET http://127.0.0.1:8080/feed', found nothing", name)
	case head[0] == '{' && isHAR(head):
		l, err = parseHAR(name, head, o)
	case head[0] == '{':
		l, err = parseJSON(name, text)
	default:
		l, err = parseHTTP(name, text, o)
	}
	if err != nil {
		return nil, err
	}
	if len(l.Targets) == 0 {
		return nil, fault.NoAnswerf("%s: expected targets, found none", name)
	}
	return l, l.checkSize(name)
}

func (l *List) checkSize(name string) error {
	sum := 0
	for i := range l.Targets {
		sum += len(l.Targets[i].Body)
	}
	switch {
	case sum > MaxBodies:
		return fault.NoAnswerf("%s: expected bodies of at most %d bytes in all, found %d", name, MaxBodies, sum)
	case len(l.Targets) > MaxTargets:
		return fault.NoAnswerf("%s: expected at most %d targets, found %d", name, MaxTargets, len(l.Targets))
	}
	return nil
}

// Origin is scheme, host and port of a URL, in lower case and without a port that is
// the scheme's own; empty for a URL that begins with /.
func Origin(text string) (string, error) {
	if strings.HasPrefix(text, "/") {
		return "", nil
	}
	u, err := url.Parse(text)
	if err != nil || u.Host == "" || u.Scheme == "" {
		return "", fault.Usagef("expected a URL such as http://127.0.0.1:8080/feed, found %q", text)
	}
	scheme, host := strings.ToLower(u.Scheme), strings.ToLower(u.Host)
	if p := u.Port(); scheme == "http" && p == "80" || scheme == "https" && p == "443" {
		host = strings.TrimSuffix(host, ":"+p)
	}
	return scheme + "://" + host, nil
}

// Path is the path and query of a URL, as it stands in a request line.
func Path(text string) (string, error) {
	if strings.HasPrefix(text, "/") {
		text = "http://h" + text
	}
	u, err := url.Parse(text)
	if err != nil {
		return "", fault.Usagef("bad URL %q", text)
	}
	return u.RequestURI(), nil
}

// Origins lists the origins of targets, each once, in order.
func Origins(all []Target) ([]string, error) {
	var out []string
	seen := map[string]bool{}
	for i := range all {
		o, err := Origin(all[i].URL)
		if err != nil {
			return nil, fault.Usagef("%s: %w", all[i].Place, err)
		}
		if o != "" && !seen[o] {
			seen[o] = true
			out = append(out, o)
		}
	}
	return out, nil
}

// isMethod reports whether a word can be a method: capitals, as every method has
// that is in use.
func isMethod(word string) bool {
	for i := range len(word) {
		if c := word[i]; (c < 'A' || c > 'Z') && c != '-' && c != '_' {
			return false
		}
	}
	return word != ""
}
