package report

// Plot is a chart of one or more series over one x axis.
type Plot struct {
	// Title says what is shown, such as "Latency against offered load".
	Title  string
	X, Y   Axis
	Series []Series
	// Marks are lines across the plot: the capacity, a limit.
	Marks []Mark
	// Bands are shaded intervals of x, such as the interval of an estimate.
	Bands []Band
}

// Axis describes one axis. Its range is taken from what is drawn: it starts at
// zero unless the values are far from it, or Log is set.
type Axis struct {
	// Title names the quantity, Unit its unit ("requests/s"); Unit may be empty.
	Title, Unit string
	// Format writes a value, at ticks and in tables; units.Number when it is nil.
	Format func(float64) string
	// Log makes the axis logarithmic; values that are not positive are left out.
	Log bool
	// Time says that the values are seconds of a clock: the axis ends where they do,
	// and its ticks stand at whole minutes, hours or days. It is for an x axis.
	Time bool
}

// Kind is how the points of a series are joined.
type Kind uint8

const (
	// Line joins points by straight lines.
	Line Kind = iota
	// Step holds each value until the next point.
	Step
	// Dots joins nothing.
	Dots
)

// Series is a named sequence of points with ascending x. A point with a NaN or
// infinite coordinate is a gap.
type Series struct {
	Name   string
	Kind   Kind
	Points []Point
}

// Point is a point of a [Series].
type Point struct{ X, Y float64 }

// Dir is the direction of a [Mark].
type Dir uint8

const (
	// Vertical marks a value of x.
	Vertical Dir = iota
	// Horizontal marks a value of y.
	Horizontal
)

// Mark is a labelled line across a plot.
type Mark struct {
	Dir   Dir
	At    float64
	Label string
	Level Level
}

// Band is a labelled, shaded interval of x.
type Band struct {
	From, To float64
	Label    string
}

// Bars is a horizontal bar chart from zero.
type Bars struct {
	Title string
	// Label titles the column of labels; Value is the axis of the bars.
	Label string
	Value Axis
	Items []Bar
	// Mark, if not nil, is a line across the bars, such as the capacity. Its
	// Dir is ignored.
	Mark *Mark
}

// Bar is one bar. Note is a short remark after its value.
type Bar struct {
	Label, Note string
	Value       float64
	Level       Level
}
