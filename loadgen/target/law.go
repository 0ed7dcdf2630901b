package target

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strconv"
	"strings"
	"time"

	"example.com/kneeline/internal/fault"
)

// LawKind is the family of a service-time law.
type LawKind uint8

const (
	// Exponential service has a coefficient of variation of 1.
	Exponential LawKind = iota
	// Fixed service always takes the same time.
	Fixed
	// Lognormal service has a chosen coefficient of variation and a heavy tail.
	Lognormal
)

var lawNames = [...]string{Exponential: "exp", Fixed: "fixed", Lognormal: "lognormal"}

// Law is the law of the service time.
type Law struct {
	Kind LawKind
	// Mean is the mean service time.
	Mean time.Duration
	// CV is the coefficient of variation (standard deviation / mean) of a
	// lognormal law; the other kinds have their own and leave it 0.
	CV float64
}

const (
	maxMean = time.Hour
	maxCV   = 100
)

// ParseLaw reads a law as [Law.String] writes it: "exp:10ms", "fixed:10ms" or
// "lognormal:10ms,cv=1.5".
func ParseLaw(s string) (Law, error) {
	name, rest, ok := strings.Cut(s, ":")
	if !ok {
		return Law{}, lawError(s, "no colon")
	}
	mean, cv, hasCV := strings.Cut(rest, ",")
	l := Law{}
	switch name {
	case "exp":
		l.Kind = Exponential
	case "fixed":
		l.Kind = Fixed
	case "lognormal":
		l.Kind = Lognormal
	default:
		return Law{}, lawError(s, fmt.Sprintf("unknown law %q", name))
	}
	var err error
	if l.Mean, err = time.ParseDuration(mean); err != nil {
		return Law{}, lawError(s, fmt.Sprintf("%q is not a duration", mean))
	}
	if hasCV != (l.Kind == Lognormal) {
		return Law{}, lawError(s, "a cv belongs to lognormal alone, which needs one")
	}
	if hasCV {
		value, ok := strings.CutPrefix(cv, "cv=")
		if l.CV, err = strconv.ParseFloat(value, 64); err != nil || !ok {
			return Law{}, lawError(s, fmt.Sprintf("%q is not cv=NUMBER", cv))
		}
	}
	if err := l.validate(); err != nil {
		return Law{}, lawError(s, err.Error())
	}
	return l, nil
}

func lawError(s, why string) error {
	return fault.Usagef("service law %q: %s; want exp:MEAN, fixed:MEAN or lognormal:MEAN,cv=CV such as exp:10ms", s, why)
}

func (l Law) validate() error {
	if l.Kind > Lognormal {
		return fmt.Errorf("unknown kind %d", l.Kind)
	}
	if l.Mean <= 0 || l.Mean > maxMean {
		return fmt.Errorf("mean %s is not over 0 and at most %s", l.Mean, maxMean)
	}
	if l.Kind == Lognormal && !(l.CV > 0 && l.CV <= maxCV) {
		return fmt.Errorf("cv %g is not over 0 and at most %d", l.CV, maxCV)
	}
	return nil
}

// String returns the law in the form that [ParseLaw] reads.
func (l Law) String() string {
	if int(l.Kind) >= len(lawNames) {
		return fmt.Sprintf("law(%d)", l.Kind)
	}
	s := lawNames[l.Kind] + ":" + l.Mean.String()
	if l.Kind == Lognormal {
		s += ",cv=" + strconv.FormatFloat(l.CV, 'g', -1, 64)
	}
	return s
}

// Variation returns the coefficient of variation of the service time.
func (l Law) Variation() float64 {
	switch l.Kind {
	case Exponential:
		return 1
	case Lognormal:
		return l.CV
	}
	return 0
}

// sampler draws service times of one law.
type sampler struct {
	rng       *rand.Rand
	kind      LawKind
	mean      float64 // ns
	mu, sigma float64 // of the logarithm of a lognormal time in ns
}

func newSampler(l Law, rng *rand.Rand) sampler {
	s := sampler{rng: rng, kind: l.Kind, mean: float64(l.Mean)}
	if l.Kind == Lognormal {
		// A lognormal with parameters mu, sigma has mean exp(mu + sigma²/2) and
		// CV² = exp(sigma²) - 1.
		s.sigma = math.Sqrt(math.Log1p(l.CV * l.CV))
		s.mu = math.Log(s.mean) - s.sigma*s.sigma/2
	}
	return s
}

// maxDraw keeps one draw far below the range of int64, so that instants can be
// added without a check: a century in ns.
const maxDraw = 3.2e18

// draw returns one service time in ns.
func (s *sampler) draw() int64 {
	x := s.mean
	switch s.kind {
	case Exponential:
		x *= s.rng.ExpFloat64()
	case Lognormal:
		x = math.Exp(s.mu + s.sigma*s.rng.NormFloat64())
	}
	return int64(math.Min(x+0.5, maxDraw))
}
