package writes

import (
	"strings"
	"unicode"
)

// Answer is what a name tells.
type Answer uint8

// The answers.
const (
	Unknown Answer = iota
	// Repeatable may be made again: it reads, or it does the same again.
	Repeatable
	// Likely changes something with each call, by the verb in its name.
	Likely
	// Twice changes something with each call, by its HTTP method.
	Twice
)

var methods = map[string]Answer{
	"GET": Repeatable, "HEAD": Repeatable, "OPTIONS": Repeatable, "TRACE": Repeatable, "PUT": Repeatable, "DELETE": Repeatable,
	"POST": Twice, "PATCH": Twice,
}

// verbs begin the names of procedures and the last parts of paths.
var verbs = map[string]Answer{
	"get": Repeatable, "list": Repeatable, "read": Repeatable, "search": Repeatable, "find": Repeatable, "lookup": Repeatable, "query": Repeatable,
	"watch": Repeatable, "check": Repeatable, "count": Repeatable, "describe": Repeatable, "fetch": Repeatable, "set": Repeatable, "put": Repeatable,
	"delete": Repeatable, "remove": Repeatable,
	"create": Likely, "add": Likely, "append": Likely, "insert": Likely, "post": Likely, "send": Likely, "publish": Likely, "submit": Likely, "place": Likely,
	"order": Likely, "checkout": Likely, "buy": Likely, "purchase": Likely, "pay": Likely, "payout": Likely, "charge": Likely, "refund": Likely, "transfer": Likely,
	"withdraw": Likely, "deposit": Likely, "increment": Likely, "vote": Likely, "book": Likely, "reserve": Likely, "enqueue": Likely,
}

// Call tells of a call by its name: POST, GET /api/vote, CreateOrder,
// shop.Orders/CreateOrder.
//
// A path is judged by its last part only where the method promises that it may be
// repeated and the part is a verb that says otherwise: such a promise is broken often.
func Call(name string) Answer {
	name = strings.TrimSpace(name)
	word, rest, _ := strings.Cut(name, " ")
	if a, ok := methods[strings.ToUpper(word)]; ok {
		if a == Repeatable && Path(rest) == Likely {
			return Likely
		}
		return a
	}
	if i := strings.LastIndexAny(name, "/."); i >= 0 {
		name = name[i+1:]
	}
	if name == strings.ToUpper(name) { // an operation of rest.li, such as CREATE
		name = strings.TrimPrefix(strings.ToLower(name), "batch_")
	}
	return verbs[firstWord(name)]
}

// Path tells of a path by its last part: Likely for /api/vote, Unknown for
// /api/orders.
func Path(path string) Answer {
	path = strings.Trim(path, " ^$/*")
	if i := strings.LastIndexByte(path, '/'); i >= 0 {
		path = path[i+1:]
	}
	if verbs[strings.ToLower(path)] == Likely && strings.ToLower(path) != "order" && strings.ToLower(path) != "book" && strings.ToLower(path) != "post" {
		return Likely
	}
	return Unknown
}

// firstWord is the first word of a name in camel case or with underscores or hyphens, in
// lower case.
func firstWord(name string) string {
	for i, r := range name {
		if i > 0 && (r == '_' || r == '-' || unicode.IsUpper(r)) {
			return strings.ToLower(name[:i])
		}
	}
	return strings.ToLower(name)
}
