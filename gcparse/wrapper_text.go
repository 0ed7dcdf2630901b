package gcparse

import "bytes"

// wallOf reads the date and time of a wrapper: RFC 3339 with any fraction and
// zone, or with a blank between date and time. Without a zone it is taken as UTC.
func wallOf(b []byte) (int64, bool) {
	wall, n := scanWall(b)
	return wall, n > 0 && n == len(b)
}

// scanWall reads such a time at the beginning of b.
func scanWall(b []byte) (int64, int) {
	if len(b) < 19 || b[10] != 'T' && b[10] != ' ' {
		return 0, 0
	}
	var date [19]byte
	copy(date[:], b)
	date[10] = 'T'
	if date[4] == '/' && date[7] == '/' {
		date[4], date[7] = '-', '-'
	}
	wall, n, _ := legacyDate(date[:])
	if n != 19 {
		return 0, 0
	}
	if n < len(b) && (b[n] == '.' || b[n] == ',') {
		digits := 0
		for scale := int64(1e8); n+1+digits < len(b) && b[n+1+digits]-'0' < 10; digits++ {
			wall += int64(b[n+1+digits]-'0') * scale
			scale /= 10
		}
		if digits == 0 {
			return 0, 0
		}
		n += 1 + digits
	}
	zone, m := scanZone(b[n:])
	return wall - zone, n + m
}

// scanZone reads Z, +01:00 or +0100, or nothing, and gives nanoseconds.
func scanZone(b []byte) (int64, int) {
	if len(b) > 0 && b[0] == 'Z' {
		return 0, 1
	}
	if len(b) >= 6 && b[3] == ':' && (b[0] == '+' || b[0] == '-') {
		h, n := scanInt(b[1:3])
		m, k := scanInt(b[4:6])
		if n == 2 && k == 2 {
			zone := (h*60 + m) * 60e9
			if b[0] == '-' {
				zone = -zone
			}
			return zone, 6
		}
	}
	if len(b) >= 5 {
		if zone, ok := uniZone(b[:5]); ok {
			return zone, 5
		}
	}
	return 0, 0
}

// word takes a run of bytes that are not blank, and the blanks after it.
func takeWord(b []byte) (word, rest []byte) {
	end := bytes.IndexByte(b, ' ')
	if end < 0 {
		return b, nil
	}
	word, rest = b[:end], b[end:]
	for len(rest) > 0 && rest[0] == ' ' {
		rest = rest[1:]
	}
	return word, rest
}

// openCRI opens what container runtimes write for Kubernetes: time, stream, F for
// a whole line or P for a part of one, text.
func openCRI(text, _ []byte) (opened, bool) {
	wall, n := scanWall(text)
	if n == 0 || n == len(text) || text[n] != ' ' {
		return opened{}, false
	}
	o := opened{wall: wall, hasWall: true}
	rest := text[n+1:]
	switch {
	case hasPrefix(rest, "stdout "):
	case hasPrefix(rest, "stderr "):
		o.stream = 1
	default:
		return o, false
	}
	rest = rest[len("stdout "):]
	if len(rest) == 0 || rest[0] != 'F' && rest[0] != 'P' || len(rest) > 1 && rest[1] != ' ' {
		return o, false
	}
	o.more = rest[0] == 'P'
	o.text = rest[min(2, len(rest)):]
	return o, true
}

// openTimestamp opens a line behind a time and a blank, as kubectl logs
// --timestamps and docker logs -t print them.
func openTimestamp(text, _ []byte) (opened, bool) {
	wall, n := scanWall(text)
	if n == 0 || n == len(text) || text[n] != ' ' {
		return opened{}, false
	}
	return opened{text: text[n+1:], wall: wall, hasWall: true}, true
}

// openSyslog opens the lines of syslog and journalctl: time, host, program with
// its number, colon; with the time of RFC 3164, which has no year and is not
// used, of RFC 3339, or in the frame of RFC 5424.
func openSyslog(text, _ []byte) (opened, bool) {
	var o opened
	if len(text) > 2 && text[0] == '<' {
		end := bytes.IndexByte(text, '>')
		if end < 0 || end > 4 {
			return o, false
		}
		text = text[end+1:]
		if hasPrefix(text, "1 ") {
			return open5424(text[2:])
		}
	}
	switch wall, n := scanWall(text); {
	case n > 0 && n < len(text) && text[n] == ' ':
		o.wall, o.hasWall = wall, true
		text = text[n+1:]
	case monthDay(text):
		text = text[16:]
	default:
		return o, false
	}
	_, rest := takeWord(text) // host
	program, rest := takeWord(rest)
	if len(program) < 2 || program[len(program)-1] != ':' {
		return o, false
	}
	o.text = rest
	return o, true
}

// monthDay reports whether a text begins as Nov 29 18:00:00 and a blank.
func monthDay(b []byte) bool {
	return len(b) > 16 && b[3] == ' ' && b[6] == ' ' && b[9] == ':' && b[12] == ':' && b[15] == ' ' &&
		bytes.Contains([]byte("JanFebMarAprMayJunJulAugSepOctNovDec"), b[:3])
}

// open5424 opens what follows the priority and version of RFC 5424: time, host,
// program, process, message kind, structured data, text.
func open5424(b []byte) (opened, bool) {
	var o opened
	date, b := takeWord(b)
	if o.wall, o.hasWall = wallOf(date); !o.hasWall && string(date) != "-" {
		return o, false
	}
	for range 4 {
		_, b = takeWord(b)
	}
	if len(b) == 0 {
		return o, false
	}
	if b[0] == '-' {
		_, b = takeWord(b)
	} else if end := bytes.Index(b, []byte("] ")); b[0] == '[' && end > 0 {
		b = b[end+2:]
	}
	o.text = b
	return o, true
}

// openTanuki opens the lines of the Tanuki Java Service Wrapper:
// INFO   | jvm 1    | 2013/12/10 14:40:00 | text, with columns that are optional.
func openTanuki(text, _ []byte) (opened, bool) {
	var o opened
	if bytes.IndexByte(text[:min(len(text), 24)], '|') < 0 {
		return o, false
	}
	jvm := false
	for column := 0; column < 5; column++ {
		bar := bytes.IndexByte(text, '|')
		if bar < 0 || bar > 40 {
			break
		}
		cell := bytes.TrimSpace(text[:bar])
		switch wall, ok := wallOf(cell); {
		case ok:
			o.wall, o.hasWall = wall, true
		case hasPrefix(cell, "jvm "):
			jvm = true
		}
		text = text[bar+1:]
		if len(text) > 0 && text[0] == ' ' {
			text = text[1:]
		}
	}
	o.text = text
	return o, jvm
}

// openName opens a line behind the name of its container: [pod/name/container]
// of kubectl logs --prefix, or the name and bar of docker compose.
func openName(text, _ []byte) (opened, bool) {
	if hasPrefix(text, "[pod/") {
		end := bytes.Index(text, []byte("] "))
		if end < 0 {
			return opened{}, false
		}
		return opened{text: text[end+2:]}, true
	}
	bar := bytes.Index(text[:min(len(text), 80)], []byte("| "))
	if bar < 1 || bytes.IndexByte(bytes.TrimRight(text[:bar], " "), ' ') >= 0 {
		return opened{}, false
	}
	return opened{text: text[bar+2:]}, true
}

// openPrefix opens a line of a logger with a layout of its own: it looks for a
// place after a blank from which on the line is surely of a family. A line that is
// so from its beginning has no prefix.
func openPrefix(text, _ []byte) (opened, bool) {
	const reach, tries = 200, 12
	if surelyOf(text) >= 0 {
		return opened{}, false
	}
	wall, n := scanWall(text)
	o := opened{wall: wall, hasWall: n > 0}
	tried := 0
	for i := 1; i < min(len(text), reach) && tries > tried; i++ {
		if text[i-1] != ' ' && text[i-1] != '\t' || text[i] == ' ' {
			continue
		}
		if c := text[i]; c != '[' && c != 'G' && c != 'g' && c != '<' && c-'0' >= 10 {
			continue
		}
		tried++
		if surelyOf(text[i:]) >= 0 {
			o.text = text[i:]
			return o, true
		}
	}
	return o, false
}
