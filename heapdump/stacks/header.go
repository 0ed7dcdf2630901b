package stacks

import (
	"strconv"
	"strings"
	"time"
)

// headerWords begin what stands behind a thread's name in the header of HotSpot and
// jhsdb. Names may hold quotes, so the end of a name is known by what follows.
var headerWords = []string{"#", "[", "daemon ", "prio=", "os_prio=", "cpu=", "tid=", "virtual"}

// parseHeader reads the first line of a thread:
//
//	"http-1" #12 [7042] daemon prio=5 os_prio=0 cpu=57.34ms elapsed=97.35s tid=0x7f nid=7042 waiting on condition  [0x7e]
func parseHeader(line string) (Thread, bool) {
	t := Thread{CPU: -1, Elapsed: -1, Allocated: -1}
	rest, ok := t.nameOf(line)
	if !ok || !strings.Contains(rest, "prio=") && !strings.Contains(rest, "tid=") && !strings.Contains(rest, "nid=") {
		return t, false
	}
	for rest != "" {
		word, tail, _ := strings.Cut(rest, " ")
		if !t.word(word) {
			break
		}
		rest = strings.TrimLeft(tail, " ")
	}
	if n := strings.LastIndex(rest, "[0x"); n >= 0 {
		rest = rest[:n]
	}
	t.Condition = strings.TrimSpace(rest)
	return t, true
}

// nameOf takes the quoted name off the front.
func (t *Thread) nameOf(line string) (rest string, ok bool) {
	if len(line) < 2 || line[0] != '"' {
		return "", false
	}
	for end := len(line) - 1; end > 0; {
		end = strings.LastIndex(line[:end+1], `" `)
		if end <= 0 {
			break
		}
		rest = strings.TrimLeft(line[end+2:], " ")
		for _, w := range headerWords {
			if strings.HasPrefix(rest, w) {
				t.Name = line[1:end]
				return rest, true
			}
		}
		end--
	}
	return "", false
}

// word reads one word of a header; false where the words end and the condition
// begins.
func (t *Thread) word(word string) bool {
	key, value, assigned := strings.Cut(word, "=")
	switch {
	case strings.HasPrefix(word, "#"):
		t.ID = integer(word[1:])
	case strings.HasPrefix(word, "[") && !strings.HasPrefix(word, "[0x"):
		t.Native = integer(strings.Trim(word, "[]"))
	case word == "daemon":
		t.Daemon = true
	case word == "virtual":
		t.Virtual = true
	case !assigned:
		return false
	case key == "prio":
		t.Priority = int(min(integer(value), 1<<16))
	case key == "nid":
		t.Native = integer(value)
	case key == "cpu":
		t.CPU = duration(value)
	case key == "elapsed":
		t.Elapsed = duration(value)
	case key == "allocated":
		t.Allocated = size(value)
	}
	return true
}

// integer reads a number in decimal or hexadecimal, 0 when it is none.
func integer(text string) int64 {
	n, err := strconv.ParseInt(text, 0, 64)
	if err != nil || n < 0 {
		return 0
	}
	return n
}

// duration reads "57.34ms" or "97.35s", -1 when it is neither.
func duration(text string) time.Duration {
	d, err := time.ParseDuration(text)
	if err != nil || d < 0 {
		return -1
	}
	return d
}

// size reads bytes as HotSpot's jstack -e writes them, with B, K, M or G behind the
// number, -1 when it is none.
func size(text string) int64 {
	if text == "" {
		return -1
	}
	shift := strings.IndexByte("BKMG", text[len(text)-1])
	n, err := strconv.ParseInt(strings.TrimRight(text, "BKMG"), 10, 64)
	if err != nil || n < 0 {
		return -1
	}
	shift = max(shift, 0) * 10
	if n > (1<<63-1)>>shift {
		return -1
	}
	return n << shift
}

// parseFileHeader reads the first line of a thread of Thread.dump_to_file:
//
//	#22 "request" virtual WAITING 2026-01-02T03:04:05.678Z
//
// State and time came with JDK 25.
func parseFileHeader(line string) (Thread, bool) {
	t := Thread{CPU: -1, Elapsed: -1, Allocated: -1, Java: true}
	number, rest, ok := strings.Cut(line, ` "`)
	if !ok || len(number) < 2 || number[0] != '#' {
		return t, false
	}
	id, err := strconv.ParseInt(number[1:], 10, 64)
	end := strings.LastIndexByte(rest, '"')
	if err != nil || id < 0 || end < 0 {
		return t, false
	}
	t.ID, t.Name = id, rest[:end]
	for _, word := range strings.Fields(rest[end+1:]) {
		if word == "virtual" {
			t.Virtual = true
		} else if s := stateNamed(word); s != Unknown {
			t.State = s
		}
	}
	return t, true
}
