package dropwizard

// The settings of each object, from Dropwizard's manual.
var (
	serverKeys = []string{
		"type", "connector", "applicationConnectors", "adminConnectors", "applicationContextPath", "adminContextPath", "rootPath", "maxThreads", "minThreads", "maxQueuedRequests", "idleThreadTimeout",
		"shutdownGracePeriod", "allowedMethods", "requestLog", "gzip", "responseMeteredLevel", "metricPrefix", "nofileSoftLimit", "nofileHardLimit", "gid", "uid", "user", "group", "umask", "startsAsRoot",
		"registerDefaultExceptionMappers", "detailedJsonProcessingExceptionMapper", "enableThreadNameFilter", "dumpAfterStart", "dumpBeforeStop", "enableVirtualThreads", "adminMinThreads", "adminMaxThreads",
		"serverPush", "reservedThreads", "instrumented", "enableAdminVirtualThreads", "softNofileLimit", "hardNofileLimit", "applicationPath", "adminPath",
	}
	databaseKeys = []string{
		"driverClass", "url", "user", "password", "properties", "maxSize", "minSize", "initialSize", "maxWaitForConnection", "maxConnectionAge", "minIdleTime", "validationQuery", "validationQueryTimeout",
		"initializationQuery", "evictionInterval", "validationInterval", "readOnlyByDefault", "defaultReadOnly", "autoCommentsEnabled", "abandonWhenPercentageFull", "alternateUsernamesAllowed", "commitOnReturn",
		"rollbackOnReturn", "autoCommitByDefault", "defaultCatalog", "defaultTransactionIsolation", "removeAbandoned", "removeAbandonedTimeout", "useFairQueue", "ignoreExceptionOnPreLoad", "logAbandonedConnections",
		"logValidationErrors", "checkConnectionWhileIdle", "checkConnectionOnBorrow", "checkConnectionOnConnect", "checkConnectionOnReturn", "validatorClassName", "jdbcInterceptors", "healthCheckValidationQuery",
		"healthCheckValidationTimeout", "normalizeUri", "dialect", "type", "checkConnectionHealthWhenIdleFor", "schema", "migrations",
	}
	clientKeys = []string{
		"timeout", "connectionTimeout", "connectionRequestTimeout", "timeToLive", "cookiesEnabled", "maxConnections", "maxConnectionsPerRoute", "keepAlive", "retries", "userAgent", "proxy", "tls",
		"validateAfterInactivityPeriod", "normalizeUri", "protocolUpgradeEnabled", "minThreads", "maxThreads", "workQueueSize", "gzipEnabled", "gzipEnabledForRequests", "chunkedEncodingEnabled", "url", "baseUrl", "uri", "host",
	}
)
