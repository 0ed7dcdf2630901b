package changed

import (
	"strings"
	"testing"
)

const diff = `diff --git a/a.conf b/a.conf
index 1..2 100644
--- a/a.conf
+++ b/a.conf
@@ -3 +3,2 @@ location / {
-x 1;
+x 2;
+++ y;
@@ -9,2 +10,0 @@
-gone
--- gone
diff --git a/old name.yaml b/new name.yaml
similarity index 90%
rename from old name.yaml
rename to new name.yaml
--- a/old name.yaml
+++ b/new name.yaml	
@@ -1 +1 @@
-a
\ No newline at end of file
+b
\ No newline at end of file
diff --git a/moved b/elsewhere
similarity index 100%
rename from moved
rename to elsewhere
diff --git "a/t\303\244\t.conf" "b/t\303\244\t.conf"
--- "a/t\303\244\t.conf"
+++ "b/t\303\244\t.conf"
@@ -0,0 +1,3 @@
+1
+2
+3
diff --git a/b.conf b/b.conf
deleted file mode 100644
--- a/b.conf
+++ /dev/null
@@ -1 +0,0 @@
-x
diff --git a/i.png b/i.png
Binary files a/i.png and b/i.png differ
`

func TestParse(t *testing.T) {
	l, err := Parse([]byte(diff))
	if err != nil {
		t.Fatal(err)
	}
	l.Add("untracked")
	for _, tt := range []struct {
		file string
		line int
		want bool
	}{
		{"a.conf", 2, false}, {"a.conf", 3, true}, {"a.conf", 4, true}, {"a.conf", 5, false}, {"a.conf", 10, false}, {"a.conf", 0, true},
		{"new name.yaml", 1, true}, {"old name.yaml", 1, false}, {"elsewhere", 1, false}, {"elsewhere", 0, false},
		{"tä\t.conf", 3, true}, {"tä\t.conf", 4, false}, {"b.conf", 1, false}, {"untracked", 77, true}, {"other", 1, false},
	} {
		if got := l.Has(tt.file, tt.line); got != tt.want {
			t.Errorf("%s:%d is new: %v", tt.file, tt.line, got)
		}
	}
}

func TestParseRefuses(t *testing.T) {
	for text, want := range map[string]string{
		"@@ -1 +1 @@\n":                        "line 1: expected a hunk of a file",
		"+++ x\n":                              `line 1: expected a file name that begins with b/, found "x"`,
		"+++ \"b/x\n":                          "expected a quoted file name",
		"+++ b/x\n@@ -1 +x @@\n":               "line 2: expected a hunk",
		"+++ b/x\n@@ -1 +1 @@\n-a\n+b\nmore":   "line 5: expected a line of a diff without context",
		"+++ b/x\n@@ -1,99999999999 +1 @@\n":   "line 2: expected a hunk",
		"+++ b/x\n@@ -1 +1 @@\n-a\n+b\n+c\n":   "line 5: expected a line",
		"+++ b/x\n@@ -1 +1 @@\n context\n+b\n": "line 3: expected a line",
	} {
		if _, err := Parse([]byte(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
}

func FuzzParse(f *testing.F) {
	f.Add([]byte(diff))
	f.Fuzz(func(t *testing.T, data []byte) {
		l, err := Parse(data)
		if err != nil {
			return
		}
		for file, spans := range l.files {
			for _, s := range spans {
				if s.from < s.to && (!l.Has(file, s.from) || !l.Has(file, s.to-1)) {
					t.Errorf("%s: lines %d to %d are not new", file, s.from, s.to)
				}
			}
		}
	})
}

// A directory that is new is new with all that is in it, and no more.
func TestDirectories(t *testing.T) {
	l := &Lines{}
	for _, dir := range Submodules([]byte(":160000 160000 aa 00 M\x00lib/sub\x00:100644 100644 aa bb M\x00a.yaml\x00:160000 000000 aa 00 D\x00gone\x00")) {
		l.Add(dir)
	}
	for file, want := range map[string]bool{"lib/sub/x.yaml": true, "lib/sub/d/x.yaml": true, "lib/subx.yaml": false, "lib/x.yaml": false, "a.yaml": false, "gone/x.yaml": false} {
		if l.Has(file, 3) != want {
			t.Errorf("%s: %v", file, !want)
		}
	}
}
