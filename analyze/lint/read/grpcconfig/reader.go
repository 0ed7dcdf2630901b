package grpcconfig

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"

	"example.com/kneeline/analyze/lint/model"
	"example.com/kneeline/analyze/lint/read"
	"example.com/kneeline/analyze/lint/read/bind"
	"example.com/kneeline/analyze/lint/tree"
)

// Name is the format's name.
const Name = "grpc-service-config"

// Reader reads service configs.
var Reader = read.Object{
	Name:      Name,
	Gate:      []string{"methodConfig", "retryThrottling", "serviceConfig", "method_config"},
	Recognise: func(_ string, root *tree.Node) bool { return recognise(root) },
	Read:      readConfig,
}

// TXT reads files that hold the text of a DNS TXT record, grpc_config=[…].
var TXT = read.Text{
	Name:      Name,
	Recognise: func(_ string, data []byte) bool { return bytes.HasPrefix(trimmed(data), []byte(txtPrefix)) },
	Read: func(in *read.Input) []*model.Document {
		from := bytes.Index(in.Data, []byte(txtPrefix)) + len(txtPrefix)
		part := in.Part(from, len(in.Data))
		root, err := tree.JSON(in.Name, part.Data)
		part.Fill(root)
		r := newReader(part, root)
		r.wrapped(root.At, "the text of a DNS TXT record")
		r.choices(root)
		if err != nil {
			r.Problem(model.Position{File: in.Name, Line: err.Line, Column: err.Column}, err.Error())
		}
		return r.Documents()
	},
}

const txtPrefix = "grpc_config="

func trimmed(data []byte) []byte {
	return bytes.TrimLeft(bytes.TrimPrefix(data[:min(len(data), 256)], []byte("\ufeff")), " \t\r\n\"")
}

// recognise tells service configs, bare or in one of the wrappers of DNS, from other
// JSON.
func recognise(root *tree.Node) bool {
	if root == nil {
		return false
	}
	if root.Kind == tree.List {
		for _, c := range root.Children {
			if c.Get("serviceConfig").Present() {
				return true
			}
		}
		return false
	}
	if methods := root.Get("methodConfig"); methods.Present() && (methods.Kind == tree.List || methods.Get("name").Present()) {
		return true
	}
	t := root.Get("retryThrottling")
	return t.Get("maxTokens").Present() || t.Get("tokenRatio").Present() || root.Get("serviceConfig", "methodConfig").Present() ||
		root.Get("method_config").Present() && root.Get("method_config").Kind == tree.List
}

type reader struct {
	*bind.Binder
	// paths are the names that method configs have taken, as grpc-go forms them.
	paths map[string]model.Position
}

func newReader(in *read.Input, root *tree.Node) *reader {
	return &reader{Binder: bind.New(in, root.Position().Line, Name, "grpc", "gRPC"), paths: map[string]model.Position{}}
}

func readConfig(in *read.Input, root *tree.Node) []*model.Document {
	r := newReader(in, root)
	switch {
	case root.Kind == tree.List:
		r.wrapped(root.At, "a list of choices as a DNS TXT record has it")
		r.choices(root)
	case root.Get("serviceConfig").Present() && !field(root, "methodConfig").Present():
		r.wrapped(root.At, "one choice of a DNS TXT record")
		r.config(root.Get("serviceConfig"))
	default:
		r.strict(root)
		r.config(root)
	}
	return r.Documents()
}

// choices reads the configs of a TXT record, of which a client takes the first that
// fits it.
func (r *reader) choices(list *tree.Node) {
	for c := range list.Items() {
		if c.Get("serviceConfig").Present() {
			r.paths = map[string]model.Position{}
			r.config(c.Get("serviceConfig"))
		}
	}
}

// wrapped notes a form that is not the service config itself.
func (r *reader) wrapped(at model.Position, what string) {
	r.Doc.Rejected = append(r.Doc.Rejected, model.Rejection{
		Why: "gRPC takes this only from DNS: it is " + what + ", not a service config, and passed as one it is refused or sets nothing",
		Fix: "pass the value of serviceConfig alone", Wrapper: true, At: at,
	})
}

// strict notes what lenient readers of JSON take and grpc-go does not. A file with
// expressions in it is no JSON yet.
func (r *reader) strict(root *tree.Node) {
	from, to := root.At.Offset, root.At.End
	if len(r.In.Holes) > 0 || from >= to || to > len(r.In.Data) || r.In.Data[from] != '{' {
		return
	}
	dec := json.NewDecoder(bytes.NewReader(r.In.Data[from:to]))
	var any json.RawMessage
	err := dec.Decode(&any)
	var syntax *json.SyntaxError
	if !errors.As(err, &syntax) {
		return
	}
	at := from + min(int(syntax.Offset), to-from) - 1
	at = max(at, from)
	before := r.In.Data[:at]
	line := bytes.Count(before, []byte("\n")) + 1
	column := at - (bytes.LastIndexByte(before, '\n') + 1) + 1
	r.refuse(model.Position{File: r.In.Name, Line: line, Column: column, Offset: at, End: min(at+1, to)},
		"write strict JSON, without comments, trailing commas or single quotes", "it is no strict JSON: "+syntax.Error())
}

// refuse notes what grpc-go's parser refuses: with any of it the whole config is
// dropped.
func (r *reader) refuse(at model.Position, fix, why string) {
	if len(r.Doc.Rejected) >= bind.MaxNoted {
		return
	}
	r.Doc.Rejected = append(r.Doc.Rejected, model.Rejection{Why: "grpc-go refuses the whole service config: " + why, Fix: fix, At: at})
}

// ignored notes what grpc-go passes over.
func (r *reader) ignored(at model.Position, fix, why string) {
	if len(r.Doc.Rejected) >= bind.MaxNoted {
		return
	}
	r.Doc.Rejected = append(r.Doc.Rejected, model.Rejection{Why: "grpc-go ignores it: " + why, Fix: fix, Ignored: true, At: at})
}

// field returns the value of a key, whose case grpc-go does not mind.
func field(n *tree.Node, key string) *tree.Node {
	if c := n.Get(key); c != nil {
		return c
	}
	var found *tree.Node
	for k, c := range n.Fields() {
		if strings.EqualFold(k, key) {
			found = c
		}
	}
	return found
}

// known notes the keys of an object that gRPC has none of.
func (r *reader) known(n *tree.Node, object string, keys ...string) {
	for key, c := range n.Fields() {
		if strings.HasPrefix(key, "_") || strings.HasPrefix(key, "@") || strings.HasPrefix(key, "$") || has(keys, key) {
			continue
		}
		r.Unknown(key, object, keys, c.KeyAt)
	}
}

func has(keys []string, key string) bool {
	for _, k := range keys {
		if strings.EqualFold(k, key) {
			return true
		}
	}
	return false
}
