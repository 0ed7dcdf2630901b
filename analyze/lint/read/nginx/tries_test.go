package nginx

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"example.com/kneeline/analyze/lint/readtest"
)

// nginx sends a request that fails as often as the model of the file says.
func TestTriesAgainstNginx(t *testing.T) {
	program := readtest.Need(t, "nginx")
	for _, tt := range []struct{ settings, method string }{
		{"proxy_next_upstream http_503;", "GET"},
		{"proxy_next_upstream http_503; proxy_next_upstream_tries 3;", "GET"},
		{"proxy_next_upstream http_503; proxy_next_upstream_tries 9;", "GET"},
		{"proxy_next_upstream http_503;", "POST"},
		{"proxy_next_upstream http_503 non_idempotent;", "POST"},
		{"proxy_next_upstream off;", "GET"},
	} {
		t.Run(tt.method+" "+tt.settings, func(t *testing.T) {
			addresses, requests := readtest.Backends(t, 5, 503)
			dir := readtest.Dir(t)
			conf := fmt.Sprintf("daemon off; master_process off; pid nginx.pid; error_log stderr; events {} http { access_log off; client_body_temp_path a; proxy_temp_path b; fastcgi_temp_path c; uwsgi_temp_path d; scgi_temp_path e;\n"+
				"upstream u { server %s; }\nserver { listen unix:%s/n.sock; location / { proxy_pass http://u; %s } } }", strings.Join(addresses, "; server "), dir, tt.settings)
			file := filepath.Join(dir, "nginx.conf")
			if err := os.WriteFile(file, []byte(conf), 0o600); err != nil {
				t.Fatal(err)
			}
			readtest.Ask(t, filepath.Join(dir, "n.sock"), tt.method, program, "-p", dir, "-c", file)
			h := Reader.Read(readtest.Input(t, "nginx.conf", []byte(conf)))[0].Hops[1]
			want := math.Min(h.Retry.Tries.Amount, float64(h.Retry.Servers))
			if tt.method == "POST" && !h.Retry.AllMethods.On() {
				want = 1
			}
			if got := requests.Load(); float64(got) != want {
				t.Errorf("%d tries, the model says %v", got, want)
			}
		})
	}
}
