package grpcconfig

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"example.com/kneeline/analyze/lint/model"
	"example.com/kneeline/analyze/lint/read"
	"example.com/kneeline/analyze/lint/read/bind"
	"example.com/kneeline/analyze/lint/tree"
)

// MaxAttempts is what a channel allows at most unless its program says otherwise.
const MaxAttempts = 5

var policyKeys = []string{"maxAttempts", "initialBackoff", "maxBackoff", "backoffMultiplier", "retryableStatusCodes", "perAttemptRecvTimeout"}

// retry reads a retry policy. The policy of a config without a name is read by grpc-go,
// but not checked.
func (r *reader) retry(h *model.Hop, n *tree.Node, named bool) {
	r.known(n, "retryPolicy", policyKeys...)
	if n.Kind != tree.Map {
		r.refuse(n.At, "write an object", "retryPolicy is no object")
		return
	}
	tries := r.number(field(n, "maxAttempts"), "maxAttempts")
	r.tries(h, tries)
	h.Backoff.Base = r.duration(field(n, "initialBackoff"), "initialBackoff")
	h.Backoff.Max = r.duration(field(n, "maxBackoff"), "maxBackoff")
	h.Backoff.Multiplier = r.number(field(n, "backoffMultiplier"), "backoffMultiplier")
	h.Backoff.Jitter = r.Default("grpc", "backoff jitter", n.At)
	h.Backoff.Hint = r.Default("grpc", "pushback", n.At)
	codes := field(n, "retryableStatusCodes")
	h.Retry.On = r.codes(codes)
	if named {
		r.whole(n, tries, h.Backoff, codes)
	}
	if v := r.duration(field(n, "perAttemptRecvTimeout"), "perAttemptRecvTimeout"); v.Present() {
		h.PerTry = v
		r.ignored(v.At, "", "perAttemptRecvTimeout is not read by grpc-go")
	}
}

// tries takes the tries in all, up to what a channel allows.
func (r *reader) tries(h *model.Hop, v model.Value) {
	bind.TotalTries(&h.Retry, v)
	if v.IsSet() && v.Amount > MaxAttempts {
		h.Retry.Tries.Amount = MaxAttempts
		r.ignored(v.At, "5, or raise the channel's limit in the program", fmt.Sprintf("%s %s: a channel allows %d tries unless its program says otherwise", v.Key, v.Raw, MaxAttempts))
	}
}

// hedge reads a hedging policy.
func (r *reader) hedge(h *model.Hop, n *tree.Node) {
	r.known(n, "hedgingPolicy", "maxAttempts", "hedgingDelay", "nonFatalStatusCodes")
	h.Hedge.Max = r.number(field(n, "maxAttempts"), "maxAttempts")
	if v := h.Hedge.Max; v.IsSet() && v.Amount > MaxAttempts {
		h.Hedge.Max.Amount = MaxAttempts
	}
	h.Hedge.Delay = bind.Or(r.duration(field(n, "hedgingDelay"), "hedgingDelay"), r.Default("grpc", "hedgingDelay", n.At))
	h.Hedge.Ignored = "grpc-go does not read hedgingPolicy"
	if !h.Retry.Tries.Present() {
		h.Retry.On = r.codes(field(n, "nonFatalStatusCodes"))
	}
	r.Default("grpc", "pushback", n.At)
}

// throttling reads the token bucket that bounds retries and hedging of a server name.
func (r *reader) throttling(n *tree.Node) model.Budget {
	b := model.Budget{Supported: true, Scope: model.PerService}
	if !n.Present() {
		return b
	}
	r.known(n, "retryThrottling", "maxTokens", "tokenRatio")
	b.Tokens = r.number(field(n, "maxTokens"), "maxTokens")
	ratio := r.number(field(n, "tokenRatio"), "tokenRatio")
	if v := b.Tokens; !v.IsHole() && !(v.Amount > 0 && v.Amount <= 1000) {
		r.refuse(place(n, field(n, "maxTokens")), "a number over 0 and up to 1000", "maxTokens is out of the range (0, 1000]")
	}
	if v := ratio; !v.IsHole() && !(v.Amount > 0) {
		r.refuse(place(n, field(n, "tokenRatio")), "a number over 0, such as 0.1", "tokenRatio is not over 0")
	}
	ratio.Unit = model.Ratio
	b.Ratio = ratio
	return b
}

// number reads a number, which grpc-go refuses in quotes.
func (r *reader) number(n *tree.Node, key string) model.Value {
	v := r.Count(n, key)
	if v.IsSet() && n.Quoted && !read.Unreadable(v) {
		r.refuse(n.At, n.Text, key+" is a text in quotes where a number is expected")
	}
	return v
}

var protoDuration = regexp.MustCompile(`^-?([0-9]+(\.[0-9]{0,9})?|\.[0-9]{1,9})s$`)

// duration reads seconds with a fraction and the unit s, and refuses all else.
func (r *reader) duration(n *tree.Node, key string) model.Value {
	if !n.Present() {
		return model.Value{Key: key}
	}
	v := r.In.Duration(n, key, read.BareSeconds)
	switch {
	case v.IsHole():
		r.Hole(v)
	case n.Kind != tree.Scalar || read.Unreadable(v):
		r.refuse(n.At, `seconds with the unit s in quotes, such as "0.25s"`, key+" is no duration: "+strconv.Quote(n.String()))
	case !n.Quoted || !protoDuration.MatchString(v.Text):
		write := plain(v.Amount) + "s"
		if !n.Quoted {
			write = strconv.Quote(write)
		}
		r.Doc.Units = append(r.Doc.Units, model.Slip{Value: v, Refused: true, Fix: `"` + plain(v.Amount) + `s"`, Write: write,
			Why: "gRPC reads seconds with the unit s in quotes; " + v.Text + " is refused, and with it the whole service config"})
	}
	return v
}

// whole notes which of a retry policy's five keys are missing or out of range: grpc-go
// wants them all.
func (r *reader) whole(policy *tree.Node, tries model.Value, wait model.Backoff, codes *tree.Node) {
	const invalid = "invalid retry policy: "
	var missing, fix []string
	for _, w := range []struct {
		key, example string
		v            model.Value
		over         float64
	}{
		{"maxAttempts", "3", tries, 1}, {"initialBackoff", `"0.1s"`, wait.Base, 0}, {"maxBackoff", `"1s"`, wait.Max, 0}, {"backoffMultiplier", "2", wait.Multiplier, 0},
	} {
		switch {
		case !w.v.Present():
			missing, fix = append(missing, w.key), append(fix, strconv.Quote(w.key)+": "+w.example)
		case w.v.IsSet() && w.v.Amount <= w.over:
			r.refuse(w.v.At, w.example, fmt.Sprintf(invalid+"%s is %s, and has to be over %s", w.key, w.v.Raw, plain(w.over)))
		}
	}
	if !codes.Present() || codes.Kind != tree.List || len(codes.Children) == 0 {
		missing, fix = append(missing, "retryableStatusCodes"), append(fix, `"retryableStatusCodes": ["UNAVAILABLE"]`)
	}
	if len(missing) > 0 {
		r.refuse(place(policy, nil), "write "+strings.Join(fix, ", "), invalid+"no "+strings.Join(missing, ", no "))
	}
}

// place is where a value stands, or the key of the object that lacks it.
func place(object, value *tree.Node) model.Position {
	switch {
	case value.Present():
		return value.At
	case object.KeyAt.Line > 0:
		return object.KeyAt
	}
	return object.At
}

func plain(f float64) string { return strconv.FormatFloat(f, 'f', -1, 64) }
