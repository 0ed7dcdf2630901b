package compare

// Schema names the shape of [Comparison] as JSON.
const Schema = "kneeline.headroom-compare/v1"

// Verdicts, of a figure and of the whole.
const (
	Better        = "better"
	Worse         = "worse"
	NoDifference  = "no difference"
	NotComparable = "not comparable"
)

// Units of figures.
const (
	PerSecond = "per_second"
	Seconds   = "seconds"
	Ratio     = "ratio"
)

// Comparison is what two measurements say of a change. Quantities are in the base
// unit that a row names.
type Comparison struct {
	Schema string `json:"schema"`
	// Complete is false when there is no verdict.
	Complete bool `json:"complete"`
	// Verdict is better, worse, no difference or not comparable.
	Verdict string `json:"verdict"`
	// Sentence is the verdict with its figures.
	Sentence string `json:"sentence"`
	// Alpha bounds how often two measurements of one and the same service are
	// called better or worse by the tested figures.
	Alpha float64 `json:"wrong_verdict_probability"`
	// Rule says in words how the verdict is come by.
	Rule   string `json:"rule"`
	Before Side   `json:"before"`
	After  Side   `json:"after"`
	Rows   []Row  `json:"figures"`
	// Warnings say what limits the verdict.
	Warnings []string `json:"warnings"`
}

// Side is one of the two measurements.
type Side struct {
	Name           string   `json:"name"`
	Target         string   `json:"target,omitempty"`
	SLO            string   `json:"slo"`
	TimeoutSeconds float64  `json:"timeout_seconds"`
	Complete       bool     `json:"complete"`
	StartedUnix    *float64 `json:"started_unix_seconds,omitempty"`
	Requests       uint64   `json:"planned_count"`
}

// Estimate is a figure, with a 95 % interval where there is one.
type Estimate struct {
	Value float64  `json:"value"`
	Low   *float64 `json:"low,omitempty"`
	High  *float64 `json:"high,omitempty"`
}

// Change is the change from before to after, with its interval at the level of the
// comparison: a ratio less one for rates and times, a plain difference for shares.
type Change struct {
	Value float64  `json:"value"`
	Low   *float64 `json:"low,omitempty"`
	High  *float64 `json:"high,omitempty"`
}

// Row is one figure of both.
type Row struct {
	Name   string    `json:"name"`
	Unit   string    `json:"unit"`
	Before *Estimate `json:"before,omitempty"`
	After  *Estimate `json:"after,omitempty"`
	Change *Change   `json:"change,omitempty"`
	// Verdict is empty for a figure that is shown and not judged.
	Verdict string `json:"verdict,omitempty"`
	// P is the chance of so large a difference between measurements of one
	// service, PAdjusted the same for all tested figures together (Holm).
	P         *float64 `json:"p_value,omitempty"`
	PAdjusted *float64 `json:"p_value_adjusted,omitempty"`
	// Basis says by what the figure is judged, or why it is not.
	Basis string `json:"basis"`

	// MoreIsBetter says which way is up.
	MoreIsBetter bool `json:"-"`
	// Margin is the least change that counts, whatever the test says, in the unit of
	// Change.
	Margin float64 `json:"-"`
}
