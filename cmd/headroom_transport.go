package cmd

import (
	"bytes"
	"strings"

	"github.com/spf13/cobra"

	"example.com/kneeline/internal/fault"
	"example.com/kneeline/internal/input"
	"example.com/kneeline/internal/units"
	"example.com/kneeline/loadgen"
)

// transportOptions are the flags that say how the service is reached.
type transportOptions struct {
	version    string
	h2Conns    units.CountValue
	serverName string
	ca         string
	cert, key  string
	insecure   bool
	resolve    []string
	unixSocket string
	proxy      string
}

// maxPEM bounds a file of certificates or keys.
const maxPEM = 4 << 20

// versions of HTTP by the words of --http.
var versions = map[string]loadgen.Version{
	"auto": loadgen.VersionAuto, "1.1": loadgen.Version1, "2": loadgen.Version2, "h2c": loadgen.VersionH2C,
}

func (t *transportOptions) addFlags(c *cobra.Command) {
	f := c.Flags()
	enumVar(c, f, &t.version, "http", "auto", "HTTP `VERSION`: auto, 1.1, 2 (over TLS) or h2c (without)", "auto", "1.1", "2", "h2c")
	f.Var(&t.h2Conns, "h2-connections", "HTTP/2 connections to each address (default: one more whenever all are full)")
	f.StringVar(&t.serverName, "tls-server-name", "", "`NAME` to ask for and to find in the certificate (default the URL's host)")
	f.StringVar(&t.ca, "tls-ca", "", "trust the authorities in this `FILE` (PEM) in place of the system's")
	f.StringVar(&t.cert, "tls-cert", "", "client certificate in this `FILE` (PEM), with --tls-key")
	f.StringVar(&t.key, "tls-key", "", "its key in this `FILE` (PEM)")
	f.BoolVar(&t.insecure, "tls-insecure", false, "take any certificate; the report says so")
	f.StringArrayVar(&t.resolve, "resolve", nil, "addresses of a name, as `HOST:PORT:IP[,IP]`, as curl has it; may be repeated")
	f.StringVar(&t.unixSocket, "unix-socket", "", "send the requests to the socket at this `PATH`; the same as a URL of unix:/path.sock:/path")
	f.StringVar(&t.proxy, "proxy", "", "refused: load goes to the service itself")
	must(f.MarkHidden("proxy"))
	notFromProject(f, "tls-ca", "tls-cert", "tls-key", "tls-insecure", "resolve", "unix-socket", "proxy")
}

// given reports whether anything was asked for that the demo has no use for.
func (t *transportOptions) given() bool {
	return t.version != "" && t.version != "auto" || t.h2Conns > 0 || t.serverName != "" || t.ca != "" || t.cert != "" ||
		t.key != "" || t.insecure || len(t.resolve) > 0 || t.unixSocket != "" || t.proxy != ""
}

// apply puts the flags and the files they name into the options of a client.
func (t *transportOptions) apply(a *app, o *loadgen.Options) error {
	if t.proxy != "" {
		return fault.WithHint(
			fault.Usagef("--proxy is not supported: behind a proxy the proxy is what would be measured, found %s", t.proxy),
			"offer load from where the service is reached without one")
	}
	o.HTTP, o.H2Conns, o.UnixSocket = versions[t.version], int(t.h2Conns), t.unixSocket
	o.TLS = loadgen.TLSOptions{ServerName: t.serverName, Insecure: t.insecure}
	for _, file := range []struct {
		flag, path string
		to         *[]byte
	}{{"tls-ca", t.ca, &o.TLS.CA}, {"tls-cert", t.cert, &o.TLS.Cert}, {"tls-key", t.key, &o.TLS.Key}} {
		if file.path == "" {
			continue
		}
		pem, err := input.ReadFile(file.path, a.Stdin, maxPEM)
		if err != nil {
			return err
		}
		if !bytes.Contains(pem, []byte("-----BEGIN ")) {
			return fault.Usagef("--%s: expected PEM in %s, found none", file.flag, file.path)
		}
		*file.to = pem
	}
	for _, text := range t.resolve {
		p, err := loadgen.ParsePin(text)
		if err != nil {
			return fault.Usagef("--resolve %w", err)
		}
		o.Pins = append(o.Pins, p)
	}
	return nil
}

// noteRoute says where the load goes, where that may be other than expected: to
// several addresses, and past a proxy that other programs would take.
func noteRoute(a *app, c *loadgen.Client) {
	if c.Spread() {
		all := c.Addresses()
		a.Notef("the load is spread over %d addresses: %s", len(all), strings.Join(all, ", "))
	}
	for _, name := range []string{"HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"} {
		for _, n := range []string{name, strings.ToLower(name)} {
			if a.Getenv(n) != "" {
				a.Notef("%s is set and is not used: load goes to the service itself", n)
				return
			}
		}
	}
}
