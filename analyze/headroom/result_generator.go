package headroom

// Generator is the health of the load generator.
type Generator struct {
	LoadSeconds float64           `json:"load_seconds"`
	SendLagP50  *float64          `json:"send_lag_p50_seconds,omitempty"`
	SendLagP99  *float64          `json:"send_lag_p99_seconds,omitempty"`
	CPUShare    *float64          `json:"cpu_share,omitempty"`
	Conns       uint64            `json:"connections_opened"`
	ConnsPeak   uint64            `json:"connections_peak"`
	VoidTrials  int               `json:"void_trials"`
	Limits      map[string]uint64 `json:"limits,omitempty"`
	// Resent is how often a request was sent again because an HTTP/2 service went
	// away without having processed it.
	Resent uint64 `json:"resent_count,omitempty"`
	// ConnsBusiest is the second in which the most connections were opened.
	ConnsBusiest *ConnSecond `json:"connections_busiest_second,omitempty"`
	// Session is what the connections agreed on with the service.
	Session *Session `json:"session,omitempty"`
}

// ConnSecond is one second of load and the connections opened in it.
type ConnSecond struct {
	// At is the second, from the start of the load.
	At     float64 `json:"at_seconds"`
	Opened uint64  `json:"opened"`
	// Mean is the mean over all seconds of load.
	Mean float64 `json:"mean_per_second"`
}

// Session is what was spoken with the service.
type Session struct {
	Protocol string `json:"protocol"`
	// TLS is its version; absent without. Insecure says that certificates were not
	// looked at.
	TLS        string `json:"tls,omitempty"`
	Handshakes uint64 `json:"tls_handshakes,omitempty"`
	Resumed    uint64 `json:"tls_handshakes_resumed,omitempty"`
	Insecure   bool   `json:"tls_insecure,omitempty"`
}

// Address is what became of the planned requests to one of several addresses.
type Address struct {
	Address string  `json:"address"`
	Account Account `json:"account"`
	// Latency is of full and degraded answers.
	Latency *Quantiles `json:"latency,omitempty"`
	// MeanSeconds is their mean.
	MeanSeconds *float64 `json:"mean_seconds,omitempty"`
	Conns       uint64   `json:"connections_opened"`
	// Outlier is set when the address is worse than the others beyond chance.
	Outlier *Outlier `json:"outlier,omitempty"`
	// Kept are the counts behind the figures, in results that keep them: the histogram
	// "answered" of full and degraded answers, and the seconds of load one after the
	// other, in which good is what was answered in full or degraded.
	Kept *Kept `json:"kept,omitempty"`
}

// Outlier says in what an address is worse than the others.
type Outlier struct {
	// By is "bad share" or "latency".
	By string `json:"by"`
	// Value is its share of bad requests or its mean response time in seconds,
	// Others that of the other addresses together.
	Value  float64 `json:"value"`
	Others float64 `json:"others"`
	// Worst is in how many of Seconds seconds it was the worst of all.
	Worst   int `json:"worst_seconds"`
	Seconds int `json:"seconds"`
	// Chance bounds the probability that any of several hosts that are alike
	// would look so.
	Chance float64 `json:"false_alarm_probability"`
}
