package target

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"example.com/kneeline/internal/fault"
	"example.com/kneeline/internal/nearest"
	"example.com/kneeline/internal/units"
)

// Setting is one field of a [Config] as users write it.
type Setting struct {
	// Key is the name, Arg the word that stands for the value in help and Help
	// one sentence without a period.
	Key, Arg, Help string

	set func(c *Config, value string) error
	get func(c Config) string
}

// Set reads value into c; it does not check that it is in range, which
// [Config.Validate] does for all settings together.
func (s Setting) Set(c *Config, value string) error {
	if err := s.set(c, value); err != nil {
		return fault.Usagef("%s: %w", s.Key, err)
	}
	return nil
}

// Get returns the value in c as Set reads it.
func (s Setting) Get(c Config) string { return s.get(c) }

// Settings returns all settings of the service in the order of help.
func Settings() []Setting {
	return []Setting{
		{"workers", "N", "requests served at once", setWorkers, func(c Config) string { return strconv.Itoa(c.Workers) }},
		{"service", "LAW", "law of the service time: exp:MEAN, fixed:MEAN or lognormal:MEAN,cv=CV", setService, func(c Config) string { return c.Service.String() }},
		{"queue", "N", "waiting positions beside the workers; unbounded or -1 sets no bound", setQueue, getQueue},
		{"discipline", "ORDER", "order of service: fifo or lifo", setDiscipline, func(c Config) string { return c.Discipline.String() }},
		{"drop-expired", "AGE", "drop requests older than this when their turn comes; 0 drops none", setDropExpired, func(c Config) string { return units.ExactDuration(c.DropExpired) }},
		{"serve-dead", "BOOL", "serve requests whose client has left, as most servers do", setServeDead, func(c Config) string { return strconv.FormatBool(c.ServeDead) }},
		{"stall", "LENGTH/PERIOD", "freeze all workers for a time in every period, such as 300ms/10s", setStall, getStall},
		{"shed", "STATUS", "status of refusals when the queue is full: 503 or 429", setShed, func(c Config) string { return strconv.Itoa(c.ShedStatus) }},
		{"retry-after", "TIME", "hint sent with such refusals; 0 sends none", setRetryAfter, func(c Config) string { return units.ExactDuration(c.RetryAfter) }},
		{"rate-limit", "RATE[:BURST]", "refuse with 429 what comes faster, such as 1000/s:50", setRateLimit, getRateLimit},
		{"degraded", "SHARE", "share of served requests that get a partial answer", setDegraded, func(c Config) string { return units.ExactShare(c.Degraded) }},
		{"bytes-per-request", "SIZE", "memory held for each pending request", setBytes, func(c Config) string { return fmt.Sprintf("%dB", c.BytesPerRequest) }},
		{"seed", "N", "seed of the random draws", setSeed, func(c Config) string { return strconv.FormatUint(c.Seed, 10) }},
	}
}

// ParseDemo reads settings such as "queue=400,workers=12" on top of [Default].
// The empty text is Default itself.
func ParseDemo(text string) (Config, error) {
	c := Default()
	seen := map[string]bool{}
	for _, part := range splitSettings(text) {
		key, value, ok := strings.Cut(part, "=")
		if !ok {
			return Config{}, fault.Usagef("demo setting %q: want KEY=VALUE, such as queue=400", part)
		}
		if seen[key] {
			return Config{}, fault.Usagef("demo setting %q is given twice", key)
		}
		seen[key] = true
		s, err := settingNamed(key)
		if err != nil {
			return Config{}, err
		}
		if err := s.Set(&c, value); err != nil {
			return Config{}, fault.Usagef("demo setting %w", err)
		}
	}
	if err := c.Validate(); err != nil {
		return Config{}, fault.Usagef("demo setting %w", err)
	}
	return c, nil
}

// splitSettings splits at commas, except the one within a lognormal law.
func splitSettings(text string) []string {
	if text == "" {
		return nil
	}
	var parts []string
	for part := range strings.SplitSeq(text, ",") {
		if n := len(parts); n > 0 && strings.HasPrefix(part, "cv=") && strings.HasPrefix(parts[n-1], "service=") {
			parts[n-1] += "," + part
			continue
		}
		parts = append(parts, part)
	}
	return parts
}

func settingNamed(key string) (Setting, error) {
	var keys []string
	for _, s := range Settings() {
		if s.Key == key {
			return s, nil
		}
		keys = append(keys, s.Key)
	}
	err := fault.Usagef("demo setting %q is unknown", key)
	if near, ok := nearest.To(key, keys); ok {
		return Setting{}, fault.WithHint(err, fmt.Sprintf("did you mean %q?", near))
	}
	return Setting{}, fault.WithHint(err, "settings are "+strings.Join(keys, ", "))
}

// String returns the settings that differ from [Default], as [ParseDemo] reads
// them; it is empty for Default itself.
func (c Config) String() string {
	var parts []string
	for _, s := range Settings() {
		if v := s.get(c); v != s.get(Default()) {
			parts = append(parts, s.Key+"="+v)
		}
	}
	return strings.Join(parts, ",")
}

func setCount(field *int, value string) error {
	n, err := units.ParseCount(value)
	if err != nil {
		return err
	}
	*field = int(min(n, 1<<31-1)) // far out of range either way
	return nil
}

func setWorkers(c *Config, value string) error { return setCount(&c.Workers, value) }

func setService(c *Config, value string) (err error) {
	c.Service, err = ParseLaw(value)
	return err
}

func setQueue(c *Config, value string) error {
	if value == units.Unbounded || value == "-1" {
		c.Queue = Unbounded
		return nil
	}
	return setCount(&c.Queue, value)
}

func getQueue(c Config) string {
	if c.Queue < 0 {
		return units.Unbounded
	}
	return strconv.Itoa(c.Queue)
}

func setDiscipline(c *Config, value string) error {
	switch value {
	case "fifo":
		c.Discipline = FIFO
	case "lifo":
		c.Discipline = LIFO
	default:
		return fmt.Errorf("want fifo or lifo, found %q", value)
	}
	return nil
}

func setDropExpired(c *Config, value string) (err error) {
	c.DropExpired, err = units.ParseDuration(value)
	return err
}

func setServeDead(c *Config, value string) (err error) {
	if c.ServeDead, err = strconv.ParseBool(value); err != nil {
		return fmt.Errorf("want true or false, found %q", value)
	}
	return nil
}

func setStall(c *Config, value string) error {
	if value == "none" {
		c.Stall = Stall{}
		return nil
	}
	length, every, ok := strings.Cut(value, "/")
	if !ok {
		return fmt.Errorf("want LENGTH/PERIOD such as 300ms/10s, or none, found %q", value)
	}
	var s Stall
	var err error
	if s.Length, err = units.ParseDuration(length); err != nil {
		return err
	}
	if s.Every, err = units.ParseDuration(every); err != nil {
		return err
	}
	c.Stall = s
	return nil
}

func getStall(c Config) string {
	if c.Stall == (Stall{}) {
		return "none"
	}
	return units.ExactDuration(c.Stall.Length) + "/" + units.ExactDuration(c.Stall.Every)
}

func setShed(c *Config, value string) error {
	status, err := strconv.Atoi(value)
	if err != nil {
		return fmt.Errorf("want status 503 or 429, found %q", value)
	}
	c.ShedStatus = status
	return nil
}

func setRetryAfter(c *Config, value string) (err error) {
	c.RetryAfter, err = units.ParseDuration(value)
	return err
}

func setRateLimit(c *Config, value string) error {
	if value == "none" {
		c.RateLimit = RateLimit{}
		return nil
	}
	rate, burst, hasBurst := strings.Cut(value, ":")
	var l RateLimit
	var err error
	if l.PerSecond, err = units.ParseRate(rate); err != nil {
		return err
	}
	l.Burst = max(1, l.PerSecond*defaultBurst.Seconds())
	if hasBurst {
		n, err := units.ParseCount(burst)
		if err != nil {
			return err
		}
		l.Burst = float64(n)
	}
	c.RateLimit = l
	return nil
}

// defaultBurst is how much time's worth of tokens a rate limit saves up when
// no burst is given.
const defaultBurst = 100 * time.Millisecond

func getRateLimit(c Config) string {
	if c.RateLimit == (RateLimit{}) {
		return "none"
	}
	s := units.ExactRate(c.RateLimit.PerSecond)
	if c.RateLimit.Burst != max(1, c.RateLimit.PerSecond*defaultBurst.Seconds()) {
		s += ":" + strconv.FormatFloat(c.RateLimit.Burst, 'f', -1, 64)
	}
	return s
}

func setDegraded(c *Config, value string) (err error) {
	c.Degraded, err = units.ParseShare(value)
	return err
}

func setBytes(c *Config, value string) (err error) {
	c.BytesPerRequest, err = units.ParseSize(value)
	return err
}

func setSeed(c *Config, value string) (err error) {
	if c.Seed, err = strconv.ParseUint(value, 10, 64); err != nil {
		return fmt.Errorf("want a whole number of 0 or more, found %q", value)
	}
	return nil
}
