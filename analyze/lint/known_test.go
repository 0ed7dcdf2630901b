package lint

import "testing"

func TestKnown(t *testing.T) {
	k := &Known{}
	if errs := k.AddValues("values.yaml", []byte("proxy:\n  timeout: 5s\n  hosts: [{port: 80}]\nhaproxy_wait: 3\n")); len(errs) != 0 {
		t.Error(errs)
	}
	if errs := k.AddValues("more.yaml", []byte("proxy: {timeout: 6s}\n")); len(errs) != 0 {
		t.Error(errs)
	}
	errs := k.AddEnv("app.env", []byte("# why\nexport WAIT=\"7s\"\nX = 1\nnonsense\n"))
	if len(errs) != 1 || errs[0].Error() != `app.env:4: expected NAME=value, found "nonsense"` {
		t.Error(errs)
	}
	for name, want := range map[string]string{".Values.proxy.timeout": "6s", "haproxy_wait": "3", "WAIT": "7s", "X": "1", ".Values.proxy.hosts[0].port": "80"} {
		if got, ok := k.Lookup(name); !ok || got != want {
			t.Errorf("%s: %q, %v, want %q", name, got, ok, want)
		}
	}
	if v, ok := k.Lookup(".Values.none"); ok {
		t.Errorf("found %q", v)
	}
	if errs := k.AddValues("bad.yaml", []byte("a: [\n")); len(errs) != 1 {
		t.Errorf("%v", errs)
	}
}
