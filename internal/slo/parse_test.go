package slo

import (
	"errors"
	"strings"
	"testing"
	"time"

	"example.com/kneeline/internal/fault"
)

const ms = time.Millisecond

var good = []struct{ text, canonical string }{
	{"p99<400ms", "p99<400ms"},
	{"p99.9<=1s", "p99.9<1s"},
	{"p50<20ms", "p50<20ms"},
	{"errors<1%", "errors<1%"},
	{"errors<0.01", "errors<1%"},
	{"degraded<5%", "degraded<5%"},
	{" P99 < 400ms ,\terrors <= 0.1 % ", "p99<400ms,errors<0.1%"},
	{"degraded<5%,errors<1%,p99.9<1s,p50<20ms", "p50<20ms,p99.9<1s,errors<1%,degraded<5%"},
	{"p99.50<60s", "p99.5<1m"},
	{"p0.000001<1ns", "p0.000001<1ns"},
	{"p99.999999<1h", "p99.999999<1h"},
	{"p50<1s,p60<1s,p70<1s,p80<1s,p90<1s", "p50<1s,p60<1s,p70<1s,p80<1s,p90<1s"},
	{"p50<1ms,p60<2ms,p70<3ms,p80<4ms", "p50<1ms,p60<2ms,p70<3ms,p80<4ms"},
	{"errors<99.9%", "errors<99.9%"},
}

func TestParse(t *testing.T) {
	for _, c := range good {
		s, err := Parse(c.text)
		if err != nil || s.String() != c.canonical {
			t.Errorf("Parse(%q) = %q, %v; want %q", c.text, s, err, c.canonical)
		}
	}
}

var bad = []struct {
	text   string
	column int
	says   string
}{
	{"", 1, "expected a clause such as p99<400ms, errors<1% or degraded<5%, found the end"},
	{"  ", 3, "expected a clause"},
	{"p99<400ms,", 11, "found the end"},
	{",p99<400ms", 1, `found ","`},
	{"<400ms", 1, `found "<"`},
	{"latency<400ms", 1, `expected a quantile such as p99, errors or degraded, found "latency"`},
	{"99<400ms", 1, `found "99"`},
	{"p<400ms", 1, `found "p"`},
	{"p99", 4, "expected < or <= after p99, found the end"},
	{"p99>400ms", 4, `expected < or <= after p99, found ">"`},
	{"p99=400ms", 4, `found "="`},
	{"p99 400ms", 2, `found "99 400ms"`},
	{"p99<400", 5, "found no unit; write 400ms"},
	{"p99<", 5, "found nothing"},
	{"p99<=", 6, "found nothing"},
	{"p99<<1s", 5, "found neither"},
	{"p99<0s", 5, "expected a duration over 0"},
	{"p99<-1s", 5, "found a negative one"},
	{"p99<5%", 5, "expected a duration"},
	{"p100<1s", 2, "expected a quantile under 100, found p100: no finite run"},
	{"p100.5<1s", 2, "expected a quantile under 100, found p100.5"},
	{"p999<1s", 2, "expected a quantile under 100"},
	{"p9999<1s", 2, `found "9999"`},
	{"p0<1s", 2, "expected a quantile over 0"},
	{"p0.0<1s", 2, "expected a quantile over 0"},
	{"p99.<1s", 2, `found "99."`},
	{"p99.1234567<1s", 2, "at most 6 decimals"},
	{"p9x<1s", 2, `found "9x"`},
	{"errors<1", 8, "expected a share under 100%, found 100%"},
	{"errors<100%", 8, "bounds nothing"},
	{"errors<30", 8, "over 1 without %; write 30%"},
	{"errors<0%", 8, "expected a share over 0"},
	{"errors<1e-300", 8, "expected a share of at least 0.000001%"},
	{"errors<1s", 8, `found the unit "s"`},
	{"error<1%", 1, `found "error"`},
	{"p99<1s, p99<2s", 9, "expected one clause on p99, found a second"},
	{"p99<1s,p99.0<1s", 8, "found a second"},
	{"errors<1%,ERRORS<1%", 11, "expected one clause on errors"},
	{"degraded<1%,degraded<1%", 13, "expected one clause on degraded"},
	{"p50<1s,p60<2s,p70<3s,p80<4s,p90<5s", 29, "at most 4 different latencies"},
	{"p99<1s,é<1", 8, `found "é"`},
	{"errors<1%é,x", 8, "found the unit"},
}

func TestParseRefuses(t *testing.T) {
	for _, c := range bad {
		s, err := Parse(c.text)
		var syntax *SyntaxError
		if !errors.As(err, &syntax) {
			t.Errorf("Parse(%q) = %q, %v; want a syntax error", c.text, s, err)
			continue
		}
		if syntax.Column != c.column || !strings.Contains(err.Error(), c.says) {
			t.Errorf("Parse(%q): %v; want column %d and %q", c.text, err, c.column, c.says)
		}
		if fault.KindOf(err) != fault.Usage {
			t.Errorf("Parse(%q): kind %d, want usage", c.text, fault.KindOf(err))
		}
	}
}

func TestParseLimits(t *testing.T) {
	if _, err := Parse(strings.Repeat(" ", maxText) + "p99<1s"); fault.KindOf(err) != fault.Usage {
		t.Errorf("an overlong text gave %v", err)
	}
	var parts []string
	for i := range maxClauses {
		parts = append(parts, "p"+string(rune('1'+i/10))+string(rune('0'+i%10))+"<1s")
	}
	if _, err := Parse(strings.Join(parts, ",")); err != nil {
		t.Errorf("%d clauses gave %v", maxClauses, err)
	}
	if _, err := Parse(strings.Join(append(parts, "errors<1%"), ",")); err == nil || !strings.Contains(err.Error(), "at most 16 clauses") {
		t.Errorf("%d clauses gave %v", maxClauses+1, err)
	}
}

// FuzzParse guards that no text makes Parse panic and that the canonical form is
// read back as itself, with the same budgets.
func FuzzParse(f *testing.F) {
	for _, c := range good {
		f.Add(c.text)
	}
	for _, c := range bad {
		f.Add(c.text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		s, err := Parse(text)
		if err != nil {
			var syntax *SyntaxError
			if errors.As(err, &syntax) && (syntax.Column < 1 || syntax.Column > len([]rune(text))+1) {
				t.Fatalf("Parse(%q) points at column %d", text, syntax.Column)
			}
			return
		}
		back, err := Parse(s.String())
		if err != nil || back.String() != s.String() || len(back.Clauses) != len(s.Clauses) {
			t.Fatalf("Parse(%q) = %q, which reads back as %q, %v", text, s, back, err)
		}
		for i, c := range s.Clauses {
			if back.Clauses[i] != c || !(c.Budget > 0 && c.Budget < 1) {
				t.Fatalf("Parse(%q): clause %+v reads back as %+v", text, c, back.Clauses[i])
			}
		}
	})
}
