package accesslog

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"
)

// want is what a line is to become.
type want struct {
	at             string // RFC 3339
	resolution     time.Duration
	end            bool
	request        string
	status         int
	sent, received int64
	took, upstream time.Duration
}

const none = time.Duration(Unknown)

// samples have a line of each dialect, written after the documentation of its
// product.
var samples = []struct {
	name, format, line string
	want               want
}{
	{"apache common", "combined", `127.0.0.1 - frank [10/Oct/2000:13:55:36 -0700] "GET /apache_pb.gif HTTP/1.0" 200 2326`,
		want{"2000-10-10T20:55:36Z", time.Second, false, "GET /apache_pb.gif HTTP/1.0", 200, 2326, -1, none, none}},
	{"no size", "combined", `::1 - - [10/Oct/2000:13:55:36 +0000] "HEAD / HTTP/1.1" 304 -`,
		want{"2000-10-10T13:55:36Z", time.Second, false, "HEAD / HTTP/1.1", 304, 0, -1, none, none}},
	{"nginx combined with times", "combined", `10.1.2.3 - - [02/Jan/2024:03:04:05 +0100] "GET /feed?a=\"1\" HTTP/1.1" 200 512 "https://x/\"y\"" "curl \"8\"" 0.034 0.030`,
		want{"2024-01-02T02:04:05Z", time.Second, true, `GET /feed?a="1" HTTP/1.1`, 200, 512, -1, 34 * time.Millisecond, 30 * time.Millisecond}},
	{"time in quotes", "combined", `10.1.2.3 - - [02/Jan/2024:03:04:05 +0000] "GET / HTTP/2.0" 200 512 "-" "-" "0.100" "0.040, 0.050"`,
		want{"2024-01-02T03:04:05Z", time.Second, true, "GET / HTTP/2.0", 200, 512, -1, 100 * time.Millisecond, 90 * time.Millisecond}},
	{"address of the client behind", "combined", `10.1.2.3 - - [02/Jan/2024:03:04:05 +0000] "GET / HTTP/1.1" 200 512 "-" "-" "192.0.2.7" 0.250`,
		want{"2024-01-02T03:04:05Z", time.Second, true, "GET / HTTP/1.1", 200, 512, -1, 250 * time.Millisecond, none}},
	{"integer behind", "combined", `h - - [02/Jan/2024:03:04:05.678 +0000] "GET / HTTP/1.1" 200 512 "-" "-" 12345`,
		want{"2024-01-02T03:04:05.678Z", time.Millisecond, false, "GET / HTTP/1.1", 200, 512, -1, none, none}},
	{"traefik", "combined", `10.0.0.1 - - [02/Jan/2024:03:04:05 +0000] "GET /a HTTP/1.1" 200 5 "-" "-" 12 "web@docker" "http://10.0.0.9:80" 7ms`,
		want{"2024-01-02T03:04:05Z", time.Second, false, "GET /a HTTP/1.1", 200, 5, -1, 7 * time.Millisecond, none}},
	{"no HTTP", "combined", `10.0.0.1 - - [02/Jan/2024:03:04:05 +0000] "\x16\x03\x01" 400 150 "-" "-"`,
		want{"2024-01-02T03:04:05Z", time.Second, false, "", 400, 150, -1, none, none}},
	{"bracket in the user", "combined", `10.0.0.1 - a[b [02/Jan/2024:03:04:05 +0000] "GET / HTTP/1.1" 200 1`,
		want{"2024-01-02T03:04:05Z", time.Second, false, "GET / HTTP/1.1", 200, 1, -1, none, none}},
	{"haproxy", "haproxy", `Feb  6 12:14:14 localhost haproxy[14389]: 10.0.1.2:33317 [06/Feb/2009:12:14:14.655] http-in static/srv1 10/0/30/69/109 200 2750 - - ---- 1/1/1/1/0 0/0 {1wt.eu} {} "GET /index.html HTTP/1.1"`,
		want{"2009-02-06T12:14:14.655Z", time.Millisecond, false, "GET /index.html HTTP/1.1", 200, 2750, -1, 109 * time.Millisecond, 69 * time.Millisecond}},
	{"haproxy refused", "haproxy", `10.0.1.2:33317 [06/Feb/2009:12:14:14.655] http-in~ b/<NOSRV> 0/-1/-1/-1/+2 503 +212 - - SC-- 1/1/1/1/0 0/0 "POST /x HTTP/1.1"`,
		want{"2009-02-06T12:14:14.655Z", time.Millisecond, false, "POST /x HTTP/1.1", 503, 212, -1, 2 * time.Millisecond, none}},
	{"envoy", "envoy", `[2016-04-15T20:17:00.310Z] "POST /api/v1/locations HTTP/2" 204 - 154 0 226 100 "10.0.35.28" "nsq2http" "cc21d9b0" "locations" "tcp://10.0.2.1:80"`,
		want{"2016-04-15T20:17:00.31Z", time.Millisecond, false, "POST /api/v1/locations HTTP/2", 204, 0, 154, 226 * time.Millisecond, 100 * time.Millisecond}},
	{"istio", "envoy", `[2020-11-25T21:26:18.409Z] "GET /status/418 HTTP/1.1" 418 - via_upstream - "-" 0 135 4 3 "-" "curl/7.73.0" "84961386" "httpbin:8000" "127.0.0.1:80" inbound|8000|| 127.0.0.1:41854 10.44.1.27:80`,
		want{"2020-11-25T21:26:18.409Z", time.Millisecond, false, "GET /status/418 HTTP/1.1", 418, 135, 0, 4 * time.Millisecond, 3 * time.Millisecond}},
	{"alb", "alb", `h2 2018-07-02T22:23:00.186641Z app/my-loadbalancer/50dc6c495c0c9188 10.0.1.252:48160 10.0.0.66:9000 0.000 0.002 0.000 200 200 5 257 "GET https://10.0.2.105:773/a?b=1 HTTP/2.0" "curl/7.46.0" ECDHE-RSA TLSv1.2 arn:aws:tg "Root=1-58" "-" "-" 1 2018-07-02T22:22:48.364000Z "redirect" "-" "-"`,
		want{"2018-07-02T22:22:48.364Z", time.Microsecond, false, "GET /a?b=1 HTTP/2.0", 200, 257, 5, 2 * time.Millisecond, 2 * time.Millisecond}},
	{"alb of old", "alb", `http 2018-07-02T22:23:00.186641Z app/lb/50dc 192.168.131.39:2817 - -1 -1 -1 503 - 34 366 "GET http://www.example.com:80/ HTTP/1.1" "curl"`,
		want{"2018-07-02T22:23:00.186641Z", time.Microsecond, true, "GET / HTTP/1.1", 503, 366, 34, none, none}},
	{"nginx json", "json", `{"time_local":"02/Jan/2024:03:04:05 +0000","msec":"1704164645.123","request":"GET /x?y=1 HTTP/1.1","status":"200","body_bytes_sent":"7","request_length":"88","request_time":"0.002","upstream_response_time":"0.001"}`,
		want{"2024-01-02T03:04:05.123Z", time.Millisecond, true, "GET /x?y=1 HTTP/1.1", 200, 7, 88, 2 * time.Millisecond, time.Millisecond}},
	{"caddy", "json", `{"level":"info","ts":1646861401.524102,"logger":"http.log.access","msg":"handled request","request":{"remote_ip":"127.0.0.1","proto":"HTTP/2.0","method":"GET","host":"localhost","uri":"/a\u0026b","headers":{"Status":["x"]}},"bytes_read":3,"duration":0.000929675,"size":10900,"status":200,"resp_headers":{"Server":["Caddy"]}}`,
		want{"2022-03-09T21:30:01.524102Z", time.Microsecond, true, "GET /a&b HTTP/2.0", 200, 10900, 3, 929675 * time.Nanosecond, none}},
	{"traefik json", "json", `{"ClientAddr":"10.0.0.1:5","DownstreamContentSize":19,"DownstreamStatus":404,"Duration":75123,"OriginDuration":5000,"Overhead":1,"RequestContentSize":2,"RequestMethod":"GET","RequestPath":"/q?z","RequestProtocol":"HTTP/1.1","StartLocal":"2024-01-02T03:04:05.6789Z","StartUTC":"2024-01-02T03:04:05.6789Z","level":"info","msg":"","time":"2024-01-02T03:04:06Z"}`,
		want{"2024-01-02T03:04:05.6789Z", 100 * time.Microsecond, false, "GET /q?z HTTP/1.1", 404, 19, 2, 75123, 5000}},
	{"istio json", "json", `{"start_time":"2024-01-02T03:04:05.678Z","method":"POST","path":"/rpc","protocol":"HTTP/2","response_code":200,"bytes_received":11,"bytes_sent":22,"duration":33,"upstream_service_time":"30","upstream_host":null,"route_name":["a",{"b":1}]}`,
		want{"2024-01-02T03:04:05.678Z", time.Millisecond, false, "POST /rpc HTTP/2", 200, 22, 11, 33 * time.Millisecond, 30 * time.Millisecond}},
	{"logfmt", "logfmt", `time=2024-01-02T03:04:05Z level=info msg="request done" method=GET path="/a b" query=c=d status=200 bytes=9 duration=3.5ms`,
		want{"2024-01-02T03:04:05Z", time.Second, true, "GET /a b?c=d ", 200, 9, -1, 3500 * time.Microsecond, none}},
}

func check(t *testing.T, r *Record, w want) {
	t.Helper()
	at, err := time.Parse(time.RFC3339Nano, w.at)
	if err != nil {
		t.Fatal(err)
	}
	request := ""
	if r.Method != nil {
		request = fmt.Sprintf("%s %s %s", r.Method, r.Path, r.Protocol)
	}
	got := want{time.Unix(0, r.At).UTC().Format(time.RFC3339Nano), r.Resolution, r.AtEnd, request, r.Status, r.Sent, r.Received, r.Duration, r.Upstream}
	w.at = at.Format(time.RFC3339Nano)
	if got != w {
		t.Errorf("got  %+v\nwant %+v", got, w)
	}
}

// TestSamples guards what each dialect's line says, and that its format is found by
// content.
func TestSamples(t *testing.T) {
	for _, s := range samples {
		t.Run(s.name, func(t *testing.T) {
			var loss Loss
			r, err := NewReader("log", strings.NewReader(s.line+"\n\n"), Options{}, &loss)
			if err != nil {
				t.Fatal(err)
			}
			if r.Format() != s.format {
				t.Fatalf("format %s, want %s", r.Format(), s.format)
			}
			var rec Record
			if !r.Next(&rec) {
				t.Fatalf("no record: %v, %+v", r.Err(), loss)
			}
			check(t, &rec, s.want)
			if r.Next(&rec) || r.Err() != nil || loss.Lines != 1 || loss.Unread != 0 {
				t.Errorf("after it: %v, %+v", r.Err(), loss)
			}
		})
	}
}

// TestArrival guards that a request's arrival is its start, worked out from the end
// where the line has that.
func TestArrival(t *testing.T) {
	for _, tt := range []struct {
		r    Record
		want int64
	}{
		{Record{At: 100, AtEnd: true, Duration: 30}, 70},
		{Record{At: 100, AtEnd: false, Duration: 30}, 100},
		{Record{At: 100, AtEnd: true, Duration: Unknown}, 100},
	} {
		if got := tt.r.Arrival(); got != tt.want {
			t.Errorf("%+v: %d", tt.r, got)
		}
	}
}

// TestLogFormats guards formats that the user gives.
func TestLogFormats(t *testing.T) {
	at := "2024-01-02T03:04:05Z"
	for _, tt := range []struct {
		format, line string
		want         want
	}{
		{`$remote_addr [$time_local] "$request" $status $body_bytes_sent rt=$request_time`,
			`10.0.0.1 [02/Jan/2024:03:04:05 +0000] "GET /a HTTP/1.1" 200 5 rt=0.010`,
			want{at, time.Second, true, "GET /a HTTP/1.1", 200, 5, -1, 10 * time.Millisecond, none}},
		{"log_format main '$time_local|$request_method|$request_uri|' '$status|${request_length}|$upstream_response_time';",
			`02/Jan/2024:03:04:05 +0000|PUT|/a?b|201|77|0.001, 0.002`,
			want{at, time.Second, true, "PUT /a?b ", 201, -1, 77, none, 3 * time.Millisecond}},
		{`$msec $status "$request"`, `1704164645.250 200 "GET /\x22 HTTP/1.1"`,
			want{"2024-01-02T03:04:05.25Z", time.Millisecond, true, `GET /" HTTP/1.1`, 200, -1, -1, none, none}},
		{`LogFormat "%h %l %u %t \"%r\" %>s %O \"%{Referer}i\" %D" timed`,
			`h - - [02/Jan/2024:03:04:05 +0000] "GET /a HTTP/1.1" 200 5 "-" 1500`,
			want{at, time.Second, false, "GET /a HTTP/1.1", 200, 5, -1, 1500 * time.Microsecond, none}},
		{`%t %m %U%q %s`, `[02/Jan/2024:03:04:05 +0000] GET /a?b 200`, want{}},
	} {
		var loss Loss
		r, err := NewReader("log", strings.NewReader(tt.line), Options{LogFormat: tt.format}, &loss)
		if tt.want.at == "" {
			if err == nil || !strings.Contains(err.Error(), "some text between") {
				t.Errorf("%s: %v", tt.format, err)
			}
			continue
		}
		var rec Record
		if err != nil || !r.Next(&rec) {
			t.Errorf("%s: %v, %+v", tt.format, err, loss)
			continue
		}
		check(t, &rec, tt.want)
	}
	for format, want := range map[string]string{
		"plain text":                 "expected variables",
		"$request $status":           "expected a time",
		"$time_local $http_referer":  "expected $request",
		"$time_local $":              "name of a variable",
		"${time_local $status":       "expected }",
		"%t %":                       "a letter after %",
		strings.Repeat("$a ", 10000): "at most",
	} {
		if err := (Options{LogFormat: format}).Check(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.30q: %v, want %q", format, err, want)
		}
	}
	if err := (Options{Format: "apachee"}).Check(); err == nil || !strings.Contains(err.Error(), "expected one of combined") {
		t.Errorf("unknown format: %v", err)
	}
	if err := (Options{Format: "json", LogFormat: "$msec $status"}).Check(); err == nil {
		t.Error("a format and a log format were taken together")
	}
}

// TestLoss guards that what cannot be read is counted by reason and shown with its
// place, and that the rest is still read.
func TestLoss(t *testing.T) {
	good := samples[0].line
	text := strings.Join([]string{good, "garbage", "", "# comment", good, `h [10/Oct/2000:13:55:36 -0700] no quotes`,
		`h [10/Oct/2000:13:55:36 -0700] "GET / HTTP/1.1" abc`, "more", "and more", good + " " + strings.Repeat("x", MaxLine), good}, "\r\n")
	var loss Loss
	r, err := NewReader("a.log", strings.NewReader(text), Options{}, &loss)
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for rec := (Record{}); r.Next(&rec); n++ {
		if rec.Status != 200 {
			t.Errorf("record %d: %+v", n, rec)
		}
	}
	if n != 3 || loss.Lines != 9 || loss.Unread != 6 {
		t.Errorf("%d records, %+v", n, loss)
	}
	if got := loss.Reasons(); got[0] != "no time in brackets" || loss.ByReason[got[0]] != 3 || loss.ByReason["a line over 1 MiB"] != 1 {
		t.Errorf("reasons %q, %v", got, loss.ByReason)
	}
	if len(loss.Examples) != 3 || loss.Examples[0].String() != `a.log:2: no time in brackets: "garbage"` || loss.Examples[1].Line != 6 {
		t.Errorf("examples %v", loss.Examples)
	}
	for text, want := range map[string]string{"": "found nothing", "\n\n": "found none of up to 1 MiB",
		strings.Repeat("x", 2<<20): "found none of up to 1 MiB", "what is\nthis\n": `log:1: expected a line of an access log`} {
		if _, err := NewReader("log", strings.NewReader(text), Options{}, &loss); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.30q: %v", text, err)
		}
	}
}

// TestStamps guards times against the standard library's reading of them.
func TestStamps(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var s stamps
		for range 3 { // the last second read is kept
			ns := rapid.Int64Range(86400e9, 4e18).Draw(t, "ns")
			zone := rapid.IntRange(-12*60, 14*60).Draw(t, "zone") * 60
			at := time.Unix(0, ns).In(time.FixedZone("", zone))
			for layout, read := range map[string]func([]byte) (stamp, int){
				"02/Jan/2006:15:04:05 -0700":          s.clf,
				"02/Jan/2006:15:04:05.000 -0700":      s.clf,
				"2006-01-02T15:04:05Z07:00":           s.iso,
				"2006-01-02T15:04:05.000000-0700":     s.iso,
				"2006-01-02 15:04:05.999999999-07:00": s.iso,
			} {
				text := at.Format(layout)
				want, err := time.Parse(layout, text)
				if err != nil {
					t.Fatal(err)
				}
				got, n := read([]byte(text))
				if n != len(text) || got.ns != want.UnixNano() || got.offset != zone {
					t.Fatalf("%s: %+v over %d bytes, want %d", text, got, n, want.UnixNano())
				}
			}
		}
	})
	for text, want := range map[string]stamp{
		"1700000000":          {1700000000e9, time.Second, 0},
		"1700000000.25":       {1700000000.25e9, 10 * time.Millisecond, 0},
		"1700000000123":       {1700000000123e6, time.Millisecond, 0},
		"1700000000123456":    {1700000000123456e3, time.Microsecond, 0},
		"1700000000123456789": {1700000000123456789, time.Nanosecond, 0},
	} {
		if got, ok := epoch([]byte(text)); !ok || got != want {
			t.Errorf("%s: %+v, %v", text, got, ok)
		}
	}
	for _, text := range []string{"", "12", "1700000000x", "99999999999999999999", "17000000001.", "-1700000000"} {
		if got, ok := epoch([]byte(text)); ok {
			t.Errorf("%q is no time: %+v", text, got)
		}
	}
}
