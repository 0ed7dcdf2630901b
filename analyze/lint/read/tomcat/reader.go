package tomcat

import (
	"fmt"
	"math"
	"strings"

	"example.com/kneeline/analyze/lint/model"
	"example.com/kneeline/analyze/lint/read"
	"example.com/kneeline/analyze/lint/read/bind"
	"example.com/kneeline/analyze/lint/tree"
)

// Name is the format's name.
const Name = "tomcat-server-xml"

// Reader reads server.xml and context.xml.
var Reader = read.Object{
	Name:      Name,
	Gate:      []string{"<Connector", "javax.sql.DataSource", "jakarta.sql.DataSource"},
	Recognise: recognise,
	Read:      readRoot,
}

func recognise(_ string, root *tree.Node) bool {
	for _, e := range elements(root) {
		switch e.Key {
		case "Server", "Service":
			return has(e, "Connector")
		case "Connector":
			return attr(e, "port") != nil
		case "Context", "GlobalNamingResources":
			return has(e, "Resource")
		}
	}
	return false
}

func elements(n *tree.Node) []*tree.Node {
	if list := n.Get(tree.Elements); list != nil {
		return list.Children
	}
	return nil
}

func has(n *tree.Node, name string) bool {
	found := false
	n.Each(name, func(*tree.Node) { found = true })
	return found
}

// attr returns an attribute's value.
func attr(n *tree.Node, name string) *tree.Node { return n.Get(name) }

type reader struct {
	*bind.Binder
	executors map[string]*tree.Node
}

func readRoot(in *read.Input, root *tree.Node) []*model.Document {
	r := &reader{Binder: bind.New(in, 1, Name, "tomcat", "Tomcat"), executors: map[string]*tree.Node{}}
	root.Each("Executor", func(e *tree.Node) { r.executors[attr(e, "name").String()] = e })
	root.Each("Connector", r.connector)
	root.Each("Resource", r.resource)
	return r.Documents()
}

func (r *reader) millis(n *tree.Node, key string) model.Value {
	return bind.Or(r.Duration(attr(n, key), key, bind.Millis), r.Default("tomcat", key, n.At))
}

func (r *reader) count(n *tree.Node, key string) model.Value {
	return bind.Or(r.Count(attr(n, key), key), r.Default("tomcat", key, n.At))
}

// connector reads one connector as a service.
func (r *reader) connector(n *tree.Node) {
	port := attr(n, "port").String()
	s := &model.Service{Name: "connector " + port, At: n.At, Listen: model.Listen{Address: strings.TrimPrefix(attr(n, "address").String()+":"+port, ":")}}
	if strings.HasPrefix(attr(n, "protocol").String(), "AJP") {
		s.Name = "AJP connector " + port
	}
	l := &s.Listen
	l.Backlog = r.count(n, "acceptCount")
	l.MaxConnections = bind.NoLimitBelow(r.count(n, "maxConnections"))
	l.Header = bind.NoLimitBelow(r.millis(n, "connectionTimeout"))
	if s.Name == "connector "+port {
		l.Idle = r.keepAlive(n, l.Header)
		l.KeepRequests = bind.NoLimitBelow(r.count(n, "maxKeepAliveRequests"))
	} else { // AJP keeps its connections, and has no limit by default
		l.Header = bind.NoLimitBelow(r.Duration(attr(n, "connectionTimeout"), "connectionTimeout", bind.Millis))
		l.Idle = bind.NoLimitBelow(bind.Or(r.Duration(attr(n, "keepAliveTimeout"), "keepAliveTimeout", bind.Millis), l.Header))
	}
	if v := r.Flag(attr(n, "disableUploadTimeout"), "disableUploadTimeout"); v.Off() {
		l.Body = r.millis(n, "connectionUploadTimeout")
	}
	bind.Set(&s.Extra, r.Duration(attr(n, "asyncTimeout"), "asyncTimeout", bind.Millis))
	r.threads(s, n)
	r.known(n)
	r.Service(s)
}

// keepAlive is the idle time of kept connections: as long as connectionTimeout where it
// is not set.
func (r *reader) keepAlive(n *tree.Node, header model.Value) model.Value {
	v := bind.NoLimitBelow(r.Duration(attr(n, "keepAliveTimeout"), "keepAliveTimeout", bind.Millis))
	if v.Present() || !header.Present() {
		return v
	}
	if header.IsHole() {
		return header
	}
	v = model.Of(model.Seconds, header.Amount, "keepAliveTimeout is as long as connectionTimeout where it is not set")
	v.Key, v.At, v.Raw = "keepAliveTimeout", header.At, header.Raw
	return v
}

// threads reads the pool of a connector: its own, or the executor that it names, by
// which its own settings do not count.
func (r *reader) threads(s *model.Service, n *tree.Node) {
	name := attr(n, "executor")
	if !name.Present() {
		s.Exec.Threads, s.Exec.Min = r.count(n, "maxThreads"), r.count(n, "minSpareThreads")
		s.Exec.Queue = bind.NoLimitFromInt(r.count(n, "maxQueueSize"))
		return
	}
	e := r.executors[name.Text]
	if e == nil {
		if name.Hole == nil {
			r.Doc.Rejected = append(r.Doc.Rejected, model.Rejection{
				Why: fmt.Sprintf("Tomcat ignores it: there is no executor called %q", name.Text), Ignored: true, Fix: "name an Executor of the same Service", At: name.At,
			})
		}
		return
	}
	s.Exec.Threads, s.Exec.Min = r.count(e, "maxThreads"), bind.Or(r.Count(attr(e, "minSpareThreads"), "minSpareThreads"), r.Default("tomcat", "executor minSpareThreads", e.At))
	s.Exec.Queue = bind.NoLimitFromInt(r.count(e, "maxQueueSize"))
	for _, key := range []string{"maxThreads", "minSpareThreads"} {
		if own := r.Count(attr(n, key), key); own.IsSet() {
			wins := s.Exec.Threads
			if key == "minSpareThreads" {
				wins = s.Exec.Min
			}
			s.Doubles = append(s.Doubles, [2]model.Value{wins, own})
		}
	}
}

// resource reads a pool of connections to a database.
func (r *reader) resource(n *tree.Node) {
	if !strings.HasSuffix(attr(n, "type").String(), "sql.DataSource") {
		return
	}
	h := &model.Hop{Name: "resource " + attr(n, "name").String(), To: "database", Layer: model.Library, At: n.At}
	product := "dbcp2"
	if strings.HasSuffix(attr(n, "factory").String(), "tomcat.jdbc.pool.DataSourceFactory") {
		product = "tomcat-jdbc"
	}
	p := &h.Pool
	p.Max = bind.NoLimitBelow(bind.Or(bind.Or(r.Count(attr(n, "maxTotal"), "maxTotal"), r.Count(attr(n, "maxActive"), "maxActive")), r.poolDefault(product, "max-total", "max-active", h.At)))
	p.Min = r.Count(attr(n, "minIdle"), "minIdle")
	p.Wait = bind.Or(r.Duration(attr(n, "maxWaitMillis"), "maxWaitMillis", bind.Millis), r.Duration(attr(n, "maxWait"), "maxWait", bind.Millis))
	p.Wait = bind.NoLimitBelow(bind.Or(p.Wait, r.poolDefault(product, "max-wait-millis", "max-wait", h.At)))
	p.Validation = bind.NoLimitAtMost(r.Duration(attr(n, "validationQueryTimeout"), "validationQueryTimeout", bind.Seconds))
	p.Lifetime = bind.NoLimitAtMost(bind.Or(r.Duration(attr(n, "maxConnLifetimeMillis"), "maxConnLifetimeMillis", bind.Millis), r.Duration(attr(n, "maxAge"), "maxAge", bind.Millis)))
	if p.Validation.Known() && math.IsInf(p.Validation.Amount, 1) {
		p.Validation = model.Value{}
	}
	r.Hop(h)
}

// poolDefault looks a default up under the name that each of the two pools has for it.
func (r *reader) poolDefault(product, dbcp, jdbc string, at model.Position) model.Value {
	if product == "dbcp2" {
		return r.Default(product, dbcp, at)
	}
	return r.Default(product, jdbc, at)
}

// keys are the attributes of a connector, for names that are nearly right.
var keys = []string{
	"acceptCount", "maxConnections", "connectionTimeout", "keepAliveTimeout", "maxKeepAliveRequests", "maxThreads", "minSpareThreads", "maxQueueSize", "executor", "asyncTimeout", "address", "port",
	"protocol", "redirectPort", "connectionUploadTimeout", "disableUploadTimeout", "connectionLinger", "tcpNoDelay", "maxHttpHeaderSize", "maxHttpRequestHeaderSize", "maxHttpResponseHeaderSize", "maxPostSize",
	"maxSavePostSize", "maxParameterCount", "maxSwallowSize", "compression", "compressionMinSize", "compressibleMimeType", "noCompressionUserAgents", "URIEncoding", "useBodyEncodingForURI", "enableLookups",
	"secure", "scheme", "proxyName", "proxyPort", "SSLEnabled", "server", "bindOnInit", "acceptorThreadCount", "acceptorThreadPriority", "processorCache", "relaxedPathChars", "relaxedQueryChars", "xpoweredBy",
	"allowTrace", "secretRequired", "secret", "packetSize", "tomcatAuthentication", "maxExtensionSize", "maxTrailerSize", "threadPriority", "useIPVHosts", "useSendfile", "portOffset", "restrictedUserAgents",
	"executorTerminationTimeoutMillis", "rejectIllegalHeader", "allowHostHeaderMismatch", "maxHeaderCount", "maxCookieCount", "keystoreFile", "keystorePass", "sslProtocol", "clientAuth", "ciphers", "throwOnFailure",
	"defaultSSLHostConfigName", "sslImplementationName", "upgradeAsyncWriteTimeout", "parseBodyMethods", "encodedSolidusHandling", "allowedTrailerHeaders", "useVirtualThreads", "discardFacades", "compressableMimeType",
	"maxSpareThreads", "minProcessors", "maxProcessors", "socketBuffer", "bufferSize", "strategy", "emptySessionPath", "keystoreType", "keyAlias", "keyPass", "truststoreFile", "truststorePass", "truststoreType",
	"sslEnabledProtocols", "SSLProtocol", "SSLCipherSuite", "SSLCertificateFile", "SSLCertificateKeyFile", "SSLCertificateChainFile", "SSLVerifyClient", "SSLHonorCipherOrder", "useServerCipherSuitesOrder", "maxPartCount", "maxPartHeaderSize",
}

func (r *reader) known(n *tree.Node) {
	set := map[string]bool{}
	for _, k := range keys {
		set[k] = true
	}
	for key, c := range n.Fields() {
		if key == tree.Elements || key == tree.Content || set[key] || strings.Contains(key, ".") {
			continue
		}
		r.Unknown(key, "Connector", keys, c.KeyAt)
	}
}
