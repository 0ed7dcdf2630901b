package accesslog

import (
	"bytes"
	"strings"

	"example.com/kneeline/internal/fault"
)

// template reads lines of a log_format of nginx or a LogFormat of Apache: variables
// with fixed text between them.
type template struct {
	stamps stamps
	parts  []part
	// atStart says that the time is that of the request's start: Apache's %t.
	atStart bool
}

// part is a variable and the text in front of it; the last one has text alone.
type part struct {
	text []byte
	key  []byte
}

// apacheKeys are Apache's letters in terms of keys.
var apacheKeys = map[string]string{
	"t": "time_local", "r": "request", "s": "status", "b": "bytes_sent", "B": "bytes_sent", "O": "bytes_sent",
	"I": "request_length", "D": "duration_us", "T": "request_time", "m": "request_method", "U": "path", "q": "query",
	"H": "server_protocol", "{us}T": "duration_us", "{ms}T": "duration_ms", "{s}T": "request_time",
}

// maxLogFormat bounds the text of a log format.
const maxLogFormat = 16 << 10

// parseTemplate reads the text of a format: of nginx with its variables ($status),
// of Apache with its directives (%>s). The whole directive may be given.
func parseTemplate(text string) (*template, error) {
	if len(text) > maxLogFormat {
		return nil, fault.Usagef("log format: expected at most %d bytes, found %d", maxLogFormat, len(text))
	}
	format := directive(text)
	t := &template{}
	var err error
	if strings.Contains(format, "$") {
		err = t.nginx(format)
	} else {
		err = t.apache(format)
	}
	if err != nil {
		return nil, err
	}
	return t, t.check(text)
}

// directive takes the format out of nginx's log_format or Apache's LogFormat.
func directive(text string) string {
	text = strings.TrimSpace(text)
	if rest, ok := strings.CutPrefix(text, "log_format"); ok {
		i := strings.IndexAny(rest, `'"`)
		if i < 0 {
			return rest
		}
		var b strings.Builder
		for rest = rest[i:]; ; {
			quote := rest[0]
			k := strings.IndexByte(rest[1:], quote)
			if k < 0 {
				return b.String() + rest[1:]
			}
			b.WriteString(rest[1 : 1+k])
			rest = strings.TrimSpace(rest[k+2:])
			if rest == "" || rest[0] != '\'' && rest[0] != '"' {
				return b.String()
			}
		}
	}
	if rest, ok := strings.CutPrefix(text, "LogFormat"); ok {
		text = strings.TrimSpace(rest)
		if k := strings.LastIndexByte(text, '"'); k > 0 && text[0] == '"' {
			text = text[1:k]
		}
	}
	return strings.ReplaceAll(text, `\"`, `"`)
}

func (t *template) nginx(format string) error {
	text := ""
	for format != "" {
		i := strings.IndexByte(format, '$')
		if i < 0 {
			break
		}
		text += format[:i]
		format = format[i+1:]
		name := format
		if inner, ok := strings.CutPrefix(format, "{"); ok {
			k := strings.IndexByte(inner, '}')
			if k < 0 {
				return fault.Usagef("log format: expected } after ${%s", inner)
			}
			name, format = inner[:k], inner[k+1:]
		} else {
			k := strings.IndexFunc(format, func(r rune) bool {
				return (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && (r < '0' || r > '9') && r != '_'
			})
			if k < 0 {
				k = len(format)
			}
			name, format = format[:k], format[k:]
		}
		if name == "" {
			return fault.Usagef("log format: expected the name of a variable after $")
		}
		t.add(text, name)
		text = ""
	}
	t.add(text+format, "")
	return nil
}

func (t *template) apache(format string) error {
	text := ""
	for {
		i := strings.IndexByte(format, '%')
		if i < 0 {
			break
		}
		text += format[:i]
		format = strings.TrimLeft(format[i+1:], "<>!,0123456789")
		if strings.HasPrefix(format, "%") {
			text, format = text+"%", format[1:]
			continue
		}
		arg := ""
		if k := strings.IndexByte(format, '}'); strings.HasPrefix(format, "{") && k > 0 {
			arg, format = format[:k+1], format[k+1:]
		}
		if format == "" {
			return fault.Usagef("log format: expected a letter after %%")
		}
		name := arg + format[:1]
		if format = format[1:]; strings.HasPrefix(name, "^") && len(format) >= 2 {
			format = format[2:]
		}
		key, ok := apacheKeys[name]
		if !ok {
			key = "-" // a field that is passed over
		}
		t.atStart = t.atStart || name == "t"
		t.add(text, key)
		text = ""
	}
	t.add(text+format, "")
	return nil
}

func (t *template) add(text, key string) {
	t.parts = append(t.parts, part{[]byte(text), []byte(key)})
}

// check refuses formats that tell nothing, or cannot be told apart.
func (t *template) check(text string) error {
	hasTime, tells := false, false
	for i, p := range t.parts {
		switch meaningOf(p.key) {
		case timeStart, timeEnd:
			hasTime = true
		case request, path, method, statusCode:
			tells = true
		}
		if i > 0 && i < len(t.parts)-1 && len(p.text) == 0 {
			return fault.Usagef("log format: expected some text between %s and %s", t.parts[i-1].key, p.key)
		}
	}
	switch {
	case len(t.parts) < 2:
		return fault.Usagef("log format: expected variables such as $status or %%s, found %q", text)
	case !hasTime:
		return fault.WithHint(fault.Usagef("log format: expected a time ($time_local, $time_iso8601, $msec or %%t), found none"),
			"without the time of each request a log tells no rate")
	case !tells:
		return fault.Usagef("log format: expected $request, $request_uri, $status or the like, found none")
	}
	return nil
}

func (t *template) parse(line []byte, r *Record) string {
	f := fields{stamps: &t.stamps, r: r}
	b := line
	for i := range t.parts {
		p := &t.parts[i]
		if !bytes.HasPrefix(b, p.text) {
			return "the line is not as the log format says"
		}
		b = b[len(p.text):]
		if len(p.key) == 0 {
			break
		}
		n := t.valueLen(b, p, &t.parts[i+1])
		if n < 0 {
			return "the line is not as the log format says"
		}
		value := b[:n]
		if bytes.IndexByte(value, '\\') >= 0 {
			value = unescape(value)
		}
		f.put(p.key, value, true)
		b = b[n:]
	}
	reason := f.finish()
	if t.atStart {
		r.AtEnd = false
	}
	return reason
}

// valueLen is how long the value of a variable is: up to the text behind it. Times
// have spaces of their own.
func (t *template) valueLen(b []byte, p, next *part) int {
	if m := meaningOf(p.key); m == timeEnd || m == timeStart {
		if len(b) > 0 && b[0] == '[' {
			return bytes.IndexByte(b, ']') + 1
		}
		if _, n := t.stamps.clf(b); n > 0 {
			return n
		}
	}
	if len(next.text) == 0 {
		return len(b)
	}
	for from := 0; ; {
		i := bytes.Index(b[from:], next.text)
		if i < 0 {
			return -1
		}
		if i += from; next.text[0] != '"' || !escaped(b[:i]) {
			return i
		}
		from = i + 1
	}
}
