package stacks

import (
	"strconv"
	"strings"
)

// parseFrame reads a call as stack traces have it,
// "module/package.Class.method(File.java:12)", with the module before the class or
// before the file.
func parseFrame(text string) (Frame, bool) {
	text = strings.TrimRight(text, " \t")
	open := strings.LastIndexByte(text, '(')
	if open <= 0 || !strings.HasSuffix(text, ")") {
		return Frame{}, false
	}
	var f Frame
	source := text[open+1 : len(text)-1]
	if n := strings.LastIndexByte(source, '/'); n >= 0 {
		f.Module, source = source[:n], source[n+1:]
	}
	f.setSource(source)
	call := text[:open]
	if n := moduleEnd(call); n >= 0 {
		f.Module, call = strings.Trim(call[:n], "/"), call[n+1:]
	}
	return f, f.setCall(call)
}

// moduleEnd is where the name of a module or class loader ends before a class. A
// slash also stands before the address of a hidden class: Shop$$Lambda/0x0000a1.run.
func moduleEnd(call string) int {
	n := strings.LastIndexByte(call, '/')
	if n >= 0 && strings.HasPrefix(call[n+1:], "0x") {
		n = strings.LastIndexByte(call[:n], '/')
	}
	return n
}

func (f *Frame) setCall(call string) bool {
	dot := strings.LastIndexByte(call, '.')
	if dot <= 0 || dot == len(call)-1 || strings.ContainsAny(call, " \t") {
		return false
	}
	f.Class, f.Method = call[:dot], call[dot+1:]
	return true
}

func (f *Frame) setSource(source string) {
	f.File = source
	file, number, ok := strings.Cut(source, ":")
	if !ok {
		return
	}
	if n, err := strconv.ParseInt(number, 10, 32); err == nil && n >= 0 {
		f.File, f.Line = file, int32(n)
	}
}

// parseAgentFrame reads a call as jhsdb has it,
// "package.Class.method(arguments) @bci=4, line=12 (Compiled frame)".
func parseAgentFrame(text string) (Frame, bool) {
	open := strings.IndexByte(text, '(')
	at := strings.Index(text, ") @bci=")
	if open <= 0 || at < open {
		return Frame{}, false
	}
	var f Frame
	rest := text[at:]
	if n := strings.Index(rest, "line="); n >= 0 {
		digits := rest[n+len("line="):]
		if end := strings.IndexFunc(digits, func(r rune) bool { return r < '0' || r > '9' }); end >= 0 {
			digits = digits[:end]
		}
		if n, err := strconv.ParseInt(digits, 10, 32); err == nil {
			f.Line = int32(n)
		}
	}
	return f, f.setCall(text[:open])
}
