package jvm

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"example.com/kneeline/analyze/lint/model"
	"example.com/kneeline/analyze/lint/read"
)

// product is the name in the table of defaults.
const product = "jvm"

// builder fills one document.
type builder struct {
	in  *read.Input
	doc *model.Document
	svc *model.Service
	hop *model.Hop
}

func newBuilder(in *read.Input, name string, at model.Position) *builder {
	return &builder{
		in:  in,
		doc: &model.Document{File: in.Name, Line: max(at.Line, 1), Format: "jvm", Product: product},
		svc: &model.Service{Name: name, At: at, Extra: map[string]model.Value{}},
		hop: &model.Hop{Name: name + " URLConnection", From: name, Layer: model.Library, At: at, Extra: map[string]model.Value{}},
	}
}

// document returns what was found, nil for nothing.
func (b *builder) document() []*model.Document {
	if c := b.svc.Extra["collector"]; c.Text == "G1" && !b.svc.Extra["MaxGCPauseMillis"].Present() {
		b.svc.Extra["MaxGCPauseMillis"] = b.in.Defaults.Lookup(product, "MaxGCPauseMillis", c.At)
	}
	if len(b.svc.Extra) > 0 {
		b.doc.Services = append(b.doc.Services, b.svc)
	}
	if b.hop.Connect.Present() || b.hop.GapRead.Present() || len(b.hop.Extra) > 0 {
		for _, p := range []struct {
			to  *model.Value
			key string
		}{{&b.hop.Connect, connectKey}, {&b.hop.GapRead, readKey}} {
			if !p.to.Present() {
				*p.to = b.in.Defaults.Lookup(product, p.key, b.hop.At)
			}
		}
		b.doc.Hops = append(b.doc.Hops, b.hop)
	}
	if len(b.doc.Services)+len(b.doc.Hops)+len(b.doc.Rejected) == 0 {
		return nil
	}
	return []*model.Document{b.doc}
}

// The properties of java.net.
const (
	connectKey = "sun.net.client.defaultConnectTimeout"
	readKey    = "sun.net.client.defaultReadTimeout"
)

// kind is how the value of a flag is read.
type kind uint8

const (
	size kind = iota
	number
	percent
	millis
	seconds
	word
)

// flags are the settings behind -XX: and the short ones, with the name in the model.
var flags = []struct {
	prefix, key string
	kind        kind
}{
	{"-Xmx", "Xmx", size}, {"-XX:MaxHeapSize=", "Xmx", size}, {"-Xms", "Xms", size}, {"-XX:InitialHeapSize=", "Xms", size}, {"-Xss", "Xss", size},
	{"-XX:MaxDirectMemorySize=", "MaxDirectMemorySize", size}, {"-XX:MaxRAMPercentage=", "MaxRAMPercentage", percent},
	{"-XX:MaxGCPauseMillis=", "MaxGCPauseMillis", millis}, {"-XX:ParallelGCThreads=", "ParallelGCThreads", number}, {"-XX:ConcGCThreads=", "ConcGCThreads", number},
	{"-XX:ActiveProcessorCount=", "ActiveProcessorCount", number},
}

// properties are the settings behind -D that concern connections.
var properties = map[string]kind{
	connectKey: millis, readKey: millis, "http.maxConnections": number, "http.keepAlive": word, "sun.net.inetaddr.ttl": seconds,
	"jdk.httpclient.keepalive.timeout": seconds, "jdk.httpclient.connectionPoolSize": number,
}

// collectors are the names of collectors behind -XX:+Use and before GC.
var collectors = map[string]string{
	"G1": "G1", "Parallel": "Parallel", "ParallelOld": "Parallel", "Serial": "Serial", "Z": "ZGC", "Shenandoah": "Shenandoah", "ConcMarkSweep": "CMS", "Epsilon": "Epsilon",
}

// take reads one flag at a place. What a later one sets again holds.
func (b *builder) take(text string, at model.Position) {
	if n := releases(text); n > 0 {
		text = text[n:]
		at = inside(at, n)
	}
	if name, ok := strings.CutPrefix(text, "-XX:+Use"); ok {
		if name, ok := strings.CutSuffix(name, "GC"); ok && collectors[name] != "" {
			b.svc.Extra["collector"] = model.Value{Key: "collector", Raw: text, Text: collectors[name], Origin: model.Set, At: at}
		}
		return
	}
	if property, ok := strings.CutPrefix(text, "-D"); ok {
		name, value, _ := strings.Cut(property, "=")
		if k, known := properties[name]; known {
			b.property(name, k, value, inside(at, len("-D")+len(name)+1))
		}
		return
	}
	for _, f := range flags {
		if value, ok := strings.CutPrefix(text, f.prefix); ok {
			if v := b.value(value, f.key, f.kind, inside(at, len(f.prefix))); v.Present() {
				b.svc.Extra[f.key] = v
			}
			return
		}
	}
}

// releases is the length of the bounds of releases that a file of options may have
// before a flag: 8-13: or 14-:.
func releases(text string) int {
	i := 0
	for i < len(text) && (text[i] >= '0' && text[i] <= '9' || text[i] == '-' && i > 0) {
		i++
	}
	if i == 0 || i >= len(text) || text[i] != ':' {
		return 0
	}
	return i + 1
}

// inside is the place of a flag's text from its n-th byte on.
func inside(at model.Position, n int) model.Position {
	at.Column += n
	at.Offset = min(at.Offset+n, at.End)
	return at
}

func (b *builder) property(name string, k kind, text string, at model.Position) {
	v := b.value(text, name, k, at)
	switch {
	case !v.Present():
	case name == connectKey:
		b.hop.Connect = noLimit(v)
	case name == readKey:
		b.hop.GapRead = noLimit(v)
	default:
		b.hop.Extra[name] = v
	}
}

// noLimit is a timeout for which 0 and less stand for none.
func noLimit(v model.Value) model.Value {
	if v.Known() && v.Amount <= 0 {
		v.Amount = math.Inf(1)
	}
	return v
}

// value reads the text behind a flag's name, absent where it is refused.
func (b *builder) value(raw, key string, k kind, at model.Position) model.Value {
	text, hole := b.in.FillText(raw, at)
	if hole == nil && strings.HasPrefix(text, "$") {
		hole = &model.Value{Raw: raw, Origin: model.Hole, Source: strings.Trim(text, "${}")}
	}
	if hole != nil {
		v := *hole
		v.Key, v.At, v.Origin = key, at, model.Hole
		b.doc.Holes = append(b.doc.Holes, v)
		return v
	}
	raw = b.in.Shown(raw, at)
	v := model.Value{Key: key, Raw: raw, Text: text, Origin: model.Set, At: at}
	ok := true
	switch k {
	case size:
		v.Unit = model.Bytes
		v.Amount, ok = parseSize(text)
	case percent:
		v.Unit = model.Ratio
		v.Amount, ok = parse(text)
		v.Amount /= 100
	case number:
		v.Unit = model.Count
		v.Amount, ok = parse(text)
	case millis, seconds:
		v.Unit, v.Bare = model.Seconds, true
		v.Amount, ok = parse(text)
		if k == millis {
			v.Amount /= 1000
		}
	}
	if !ok {
		b.doc.Rejected = append(b.doc.Rejected, model.Rejection{
			Why: fmt.Sprintf("the JVM refuses %q for %s", raw, key), Fix: fixes[k], At: at,
		})
		return model.Value{}
	}
	return v
}

// fixes say what a value of each kind looks like.
var fixes = map[kind]string{size: "a size such as 512m or 4g", number: "a whole number", percent: "a number up to 100", millis: "a number of milliseconds", seconds: "a number of seconds"}

func parse(text string) (float64, bool) {
	f, err := strconv.ParseFloat(text, 64)
	return f, err == nil && !math.IsNaN(f) && !math.IsInf(f, 0)
}

// parseSize reads a size as the JVM does: bytes, or k, m, g or t in powers of 1024.
func parseSize(text string) (float64, bool) {
	unit := 1.0
	if text != "" {
		if i := strings.IndexByte("kmgt", text[len(text)-1]|0x20); i >= 0 {
			unit, text = math.Pow(1024, float64(i+1)), text[:len(text)-1]
		}
	}
	n, err := strconv.ParseUint(text, 10, 53)
	return float64(n) * unit, err == nil
}
