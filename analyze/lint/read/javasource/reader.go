package javasource

import (
	"bytes"
	"fmt"
	"strings"

	"example.com/kneeline/analyze/lint/model"
	"example.com/kneeline/analyze/lint/read"
)

// Format is the reader's name.
const Format = "java"

// MaxFile is the size over which a file is named and not read: no person writes such a
// class.
const MaxFile = 4 << 20

// Reader reads Java files that are neither tests nor the output of a build.
var Reader = read.Text{Name: Format, Recognise: recognise, Read: readFile}

// gate are words of which a file has one if there is anything to find in it.
var gate = [][]byte{
	[]byte("ThreadPoolExecutor("), []byte("newFixedThreadPool("), []byte("newCachedThreadPool("), []byte("QueuedThreadPool("), []byte("ThreadPoolTaskExecutor("),
	[]byte("new Semaphore("), []byte("new ServerSocket("), []byte("etAcceptQueueSize("), []byte("etAcceptCount("), []byte(`"acceptCount"`),
}

// others are directories of tests and of what builds make.
var others = []string{"src/test/", "src/it/", "src/jmh/", "target/", "build/"}

func recognise(name string, data []byte) bool {
	if !strings.HasSuffix(name, ".java") {
		return false
	}
	for _, end := range []string{"Test.java", "Tests.java", "IT.java", "TestCase.java"} {
		if strings.HasSuffix(name, end) {
			return false
		}
	}
	for _, dir := range others {
		if strings.HasPrefix(name, dir) || strings.Contains(name, "/"+dir) {
			return false
		}
	}
	for _, w := range gate {
		if bytes.Contains(data, w) {
			return true
		}
	}
	return false
}

func readFile(in *read.Input) []*model.Document {
	d := &model.Document{File: in.Name, Line: 1, Format: Format, Product: Format}
	if len(in.Data) > MaxFile {
		d.Problems = append(d.Problems, model.Problem{At: model.Position{File: in.Name, Line: 1}, Err: fmt.Sprintf("expected a Java file of %d bytes at most, found %d: it is not read", MaxFile, len(in.Data))})
		return []*model.Document{d}
	}
	s, err := lex(in.Name, in.Data)
	if err != nil {
		d.Problems = append(d.Problems, model.Problem{At: model.Position{File: in.Name, Line: err.line, Column: err.column}, Err: err.text})
	}
	r := &reader{constants: findConstants(s), in: in, doc: d, made: map[string]*pool{}, queues: map[string][]span{}}
	r.tomcat = bytes.Contains(in.Data, []byte("org.apache.catalina")) || bytes.Contains(in.Data, []byte("org.apache.coyote"))
	r.noteQueues()
	for i := range s.tokens {
		r.look(i)
	}
	r.finish()
	if len(d.Services)+len(d.Code)+len(d.Problems) == 0 {
		return nil
	}
	return []*model.Document{d}
}
