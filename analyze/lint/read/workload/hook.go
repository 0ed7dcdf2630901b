package workload

import (
	"path"
	"strings"

	"example.com/kneeline/analyze/lint/model"
	"example.com/kneeline/analyze/lint/read"
	"example.com/kneeline/analyze/lint/tree"
)

// hook is how long the hook before the end takes, as far as it says so: the seconds of
// a sleep, alone or in a script without branches and loops. A request to the container
// takes as long as the answer, which the file does not say.
func (p *pod) hook(container *tree.Node) model.Value {
	pre := container.Get("lifecycle", "preStop")
	if n := pre.Get("sleep", "seconds"); n.Present() {
		return p.DurationOf(n, "preStop.sleep.seconds")
	}
	command := pre.Get("exec", "command")
	v := model.Value{Key: "preStop", Unit: model.Seconds, Origin: model.Set}
	var words []string
	for w := range command.Items() {
		if w.Kind != tree.Scalar {
			return model.Value{}
		}
		words = append(words, w.Text)
		if w.Hole != nil && strings.Contains(strings.Join(words, " "), "sleep") {
			hole := *w.Hole
			hole.Key, hole.At, hole.Origin, hole.Unit = "preStop", w.At, model.Hole, model.Seconds
			p.Hole(hole)
			return hole
		}
		if v.At.Line == 0 && strings.Contains(w.Text, "sleep") {
			v.At = w.At
		}
	}
	seconds, ok := slept(words)
	if !ok || v.At.Line == 0 {
		return model.Value{}
	}
	v.Amount = seconds
	v.Raw = short(words)
	return v
}

// maxShown bounds how much of a hook's command is shown.
const maxShown = 60

func short(words []string) string {
	text := strings.Join(strings.Fields(strings.Join(words, " ")), " ")
	if len(text) > maxShown {
		text = strings.ToValidUTF8(text[:maxShown], "") + "…"
	}
	return text
}

// slept is how many seconds a command sleeps.
func slept(words []string) (float64, bool) {
	if len(words) == 0 {
		return 0, false
	}
	switch path.Base(words[0]) {
	case "sleep":
		return sum(words[1:])
	case "sh", "bash", "ash", "dash":
		for i, w := range words {
			if strings.HasPrefix(w, "-") && strings.HasSuffix(w, "c") && i+1 < len(words) {
				return script(words[i+1])
			}
		}
	}
	return 0, false
}

// branches are words after which a script's time is not the sum of its sleeps.
var branches = map[string]bool{"while": true, "until": true, "for": true, "if": true, "case": true, "trap": true, "||": true, "timeout": true, "function": true}

// script adds up the sleeps of a script that runs from the top to the bottom.
func script(text string) (float64, bool) {
	words := strings.Fields(separated(text))
	total, found := 0.0, false
	for i := 0; i < len(words); i++ {
		if branches[words[i]] {
			return 0, false
		}
		if path.Base(words[i]) != "sleep" {
			continue
		}
		end := i + 1
		for end < len(words) && !ends(words[end]) {
			end++
		}
		if end < len(words) && words[end] == "&" {
			continue // it runs beside the others
		}
		seconds, ok := sum(words[i+1 : end])
		if !ok {
			return 0, false
		}
		total, found = total+seconds, true
		i = end
	}
	return total, found
}

// separated puts blanks around what ends a command.
func separated(text string) string {
	return strings.NewReplacer("&&", " && ", "||", " || ", "&", " & ", ";", " ; ", "|", " | ", "\n", " ; ", "(", " ( ", ")", " ) ").Replace(text)
}

func ends(word string) bool {
	switch word {
	case "&&", "||", "&", ";", "|", "(", ")":
		return true
	}
	return strings.HasPrefix(word, ">") || strings.HasPrefix(word, "2>")
}

// sum adds up the arguments of sleep.
func sum(words []string) (float64, bool) {
	total := 0.0
	for _, w := range words {
		f, _, ok := read.Duration(strings.Trim(w, `"'`), read.BareSeconds)
		if !ok || f < 0 {
			return 0, false
		}
		total += f
	}
	return total, len(words) > 0
}
