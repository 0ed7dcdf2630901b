package nginx

import (
	"bytes"
	"path"
	"strings"

	"example.com/kneeline/analyze/lint/model"
	"example.com/kneeline/analyze/lint/read"
)

// Reader reads nginx configuration and files that are included in it.
var Reader = read.Text{Name: "nginx", Recognise: recognise, Read: readFile}

// endings are those of files that may hold nginx's configuration; many have none.
var endings = map[string]bool{"": true, ".conf": true, ".nginx": true, ".config": true, ".vhost": true, ".site": true, ".inc": true, ".include": true, ".location": true, ".snippet": true, ".cfg": true}

var templateEnds = []string{".tmpl", ".tpl", ".gotmpl", ".template", ".j2", ".jinja", ".jinja2", ".erb", ".dist", ".example", ".sample", ".default", ".in", ".ctmpl"}

// recognise takes files by their name and by what stands at the beginning of lines: a
// block of nginx's and a statement of nginx's that ends in a semicolon.
func recognise(name string, data []byte) bool {
	base := strings.ToLower(path.Base(name))
	for _, end := range templateEnds {
		base = strings.TrimSuffix(base, end)
	}
	low := strings.ToLower(name)
	if !plausible(low, path.Ext(base)) || bytes.HasPrefix(data, []byte("#!")) || bytes.IndexByte(data, ';') < 0 {
		return false
	}
	if bytes.HasPrefix(data, []byte("apiVersion:")) || bytes.Contains(data, []byte("\napiVersion:")) || bytes.Contains(data, []byte("\nkind:")) {
		return false
	}
	return signs(data, strings.Contains(low, "nginx"))
}

// plausible tells from a file's path whether it may be of this format. Among nginx's
// own files, and in sites-available, names end in anything, such as shop.example.
func plausible(name, ext string) bool {
	return endings[ext] || !foreign[ext] && (strings.Contains(name, "nginx") || strings.Contains(name, "sites-available/") || strings.Contains(name, "sites-enabled/"))
}

// foreign are endings of files that may have nginx in their name and hold something
// else.
var foreign = map[string]bool{
	".yaml": true, ".yml": true, ".json": true, ".xml": true, ".toml": true, ".properties": true, ".md": true, ".rst": true, ".txt": true, ".html": true, ".go": true, ".java": true,
	".py": true, ".sh": true, ".js": true, ".ts": true, ".c": true, ".h": true, ".css": true, ".rb": true, ".lua": true, ".tf": true, ".hcl": true, ".vcl": true, ".php": true,
	".pl": true, ".pm": true, ".t": true, ".rs": true, ".sql": true, ".log": true, ".svg": true, ".adoc": true, ".vim": true, ".pp": true, ".patch": true, ".diff": true,
}

// sniffed is how much of a file is looked at.
const sniffed = 256 << 10

// sign is what a word at the beginning of a line tells.
type sign uint8

const (
	opens     sign = 1 << iota // a block of nginx's
	statement                  // nginx and other programs have it
	sure                       // nginx alone has it
)

var words = map[string]sign{
	"location": opens, "upstream": opens, "http": opens, "events": opens, "stream": opens, "server": opens | statement,
	"fastcgi_pass": statement, "uwsgi_pass": statement, "grpc_pass": statement, "scgi_pass": statement, "memcached_pass": statement, "listen": statement, "server_name": statement,
	"worker_connections": statement, "worker_processes": statement, "keepalive": statement, "keepalive_timeout": statement,
	"try_files":          statement,
	"proxy_read_timeout": statement | sure, "proxy_connect_timeout": statement | sure, "proxy_send_timeout": statement | sure, "proxy_next_upstream": statement | sure,
	"fastcgi_read_timeout": statement | sure, "proxy_set_header": statement | sure, "proxy_pass": statement | sure,
}

// signs looks for nginx's words. A file whose name says nginx needs one, others a block
// and a statement, or a statement that nothing else has.
func signs(data []byte, named bool) bool {
	var found sign
	for rest := data[:min(len(data), sniffed)]; len(rest) > 0; {
		line := rest
		if i := bytes.IndexByte(rest, '\n'); i >= 0 {
			line, rest = rest[:i], rest[i+1:]
		} else {
			rest = nil
		}
		line = bytes.TrimSpace(line)
		w, n := leading(line)
		if n == 0 {
			continue
		}
		if bytes.IndexByte(line[n:], '{') >= 0 {
			found |= w & opens
			if w&opens != 0 {
				found |= inside(line[n:])
			}
		}
		if bytes.IndexByte(line[n:], ';') > 0 {
			found |= w & (statement | sure)
		}
		if found&sure != 0 || found&(opens|statement) == opens|statement || named && found != 0 {
			return true
		}
	}
	return false
}

// leading is what the first word of a text is a sign of, and how long it is; 0 where it is
// none.
func leading(text []byte) (w sign, n int) {
	for n < len(text) && (text[n] >= 'a' && text[n] <= 'z' || text[n] == '_' || text[n] >= '0' && text[n] <= '9') {
		n++
	}
	if n == 0 || n < len(text) && text[n] != ' ' && text[n] != '\t' && text[n] != '{' {
		return 0, 0
	}
	return words[string(text[:n])], n
}

// inside looks at the statements of a block that begins and ends on one line.
func inside(line []byte) sign {
	var found sign
	for {
		i := bytes.IndexAny(line, "{;")
		if i < 0 {
			return found
		}
		line = bytes.TrimSpace(line[i+1:])
		w, n := leading(line)
		if end := bytes.IndexAny(line[n:], "{;}#"); end >= 0 && line[n+end] == ';' {
			found |= w & (statement | sure)
		}
	}
}

func readFile(in *read.Input) []*model.Document {
	b := &builder{
		in: in, doc: &model.Document{File: in.Name, Line: 1, Format: "nginx", Product: product},
		seen: map[int]bool{}, zones: map[string]zone{}, upstreams: map[string]*upstream{},
	}
	b.main, b.doc.Problems = parse(in.Name, in.Data)
	if len(b.main) > 0 {
		b.doc.Line = b.main[0].at.Line
	}
	root := newScope(nil, nil, b.main)
	b.collect(root, b.main)
	b.walk(root, b.main)
	b.unused(root)
	if len(b.doc.Services) == 0 && (root.own["keepalive_timeout"] != nil || root.own["client_body_timeout"] != nil) {
		b.service(root)
	}
	return []*model.Document{b.doc}
}

// collect gathers what other blocks refer to by name, whatever stands first.
func (b *builder) collect(s *scope, block []*directive) {
	for _, d := range block {
		switch d.name {
		case "upstream":
			if b.upstreams[d.arg(0)] == nil {
				b.upstreams[d.arg(0)] = newUpstream(d)
			}
		case "server":
			if d.hasBlock {
				b.servers++
			}
		case "limit_req_zone", "limit_conn_zone":
			b.zone(d)
		case "http", "stream":
			b.collect(newScope(s, d, d.block), d.block)
		}
	}
}

// walk goes through the blocks and fills the document.
func (b *builder) walk(s *scope, block []*directive) {
	for _, d := range block {
		b.unknown(d)
		switch d.name {
		case "include":
			v := b.text(word{text: d.arg(0), at: d.at}, "include")
			b.doc.Includes = append(b.doc.Includes, v)
		case "upstream":
			if d.hasBlock {
				b.upstreamHop(d, s.stream)
			}
		case "http", "stream", "server", "location", "if", "limit_except":
			if !d.hasBlock {
				continue
			}
			inner := newScope(s, d, d.block)
			if d.name == "server" || d.name == "http" && !hasServer(d) {
				b.service(inner)
			}
			b.hops(inner)
			b.walk(inner, d.block)
			b.unused(inner)
		}
	}
}

// unknown notes a setting that is a near miss of one that is read.
func (b *builder) unknown(d *directive) {
	if near := nearest(d.name); near != "" {
		b.doc.Unknown = append(b.doc.Unknown, model.UnknownKey{Key: d.name, In: "nginx", Nearest: near, At: d.at})
	}
}

// limitsFile tells from a file's name whether it may set limits of proxying.
func limitsFile(name string) bool {
	base := strings.ToLower(path.Base(name))
	return strings.Contains(base, "proxy") || strings.Contains(base, "upstream") || strings.Contains(base, "timeout")
}

func hasServer(d *directive) bool {
	for _, c := range d.block {
		if c.name == "server" {
			return true
		}
	}
	return false
}
