package grpcconfig

import (
	"strconv"
	"strings"

	"example.com/kneeline/analyze/lint/model"
	"example.com/kneeline/analyze/lint/tree"
)

// statuses are gRPC's status codes by number, with what a further try answers to.
var statuses = [...]struct {
	name  string
	cause model.Cause
}{
	{"OK", model.OtherCause},
	{"CANCELLED", model.OtherCause},
	{"UNKNOWN", model.ServerFault},
	{"INVALID_ARGUMENT", model.ClientFault},
	{"DEADLINE_EXCEEDED", model.DeadlineSpent},
	{"NOT_FOUND", model.ClientFault},
	{"ALREADY_EXISTS", model.ClientFault},
	{"PERMISSION_DENIED", model.ClientFault},
	{"RESOURCE_EXHAUSTED", model.Shed},
	{"FAILED_PRECONDITION", model.ClientFault},
	{"ABORTED", model.OtherCause},
	{"OUT_OF_RANGE", model.ClientFault},
	{"UNIMPLEMENTED", model.ClientFault},
	{"INTERNAL", model.ServerFault},
	{"UNAVAILABLE", model.Unavailable},
	{"DATA_LOSS", model.ServerFault},
	{"UNAUTHENTICATED", model.ClientFault},
}

// codes reads status codes, by name or number, and refuses what is none.
func (r *reader) codes(list *tree.Node) []model.Condition {
	var out []model.Condition
	for c := range list.Items() {
		if c.Hole != nil {
			r.Hole(r.In.Text(c, "retryableStatusCodes"))
			continue
		}
		name, cause, ok := status(c)
		if !ok {
			fix := "a status code of gRPC, such as UNAVAILABLE"
			if upper := strings.ToUpper(name); upper != name {
				if _, _, ok := status(&tree.Node{Kind: tree.Scalar, Quoted: true, Text: upper}); ok {
					fix = upper
				}
			}
			r.refuse(c.At, fix, strconv.Quote(name)+" is no status code")
			continue
		}
		out = append(out, model.Condition{Cause: cause, Word: name, At: c.At})
	}
	return out
}

func status(n *tree.Node) (string, model.Cause, bool) {
	text := n.String()
	if i, err := strconv.Atoi(text); err == nil && !n.Quoted {
		if i < 0 || i >= len(statuses) {
			return text, 0, false
		}
		return statuses[i].name, statuses[i].cause, true
	}
	for _, s := range statuses {
		if n.Quoted && text == s.name {
			return text, s.cause, true
		}
	}
	return text, 0, false
}
