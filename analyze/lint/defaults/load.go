package defaults

import (
	"bytes"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"path"
	"strconv"
	"strings"
	"sync"

	"go.yaml.in/yaml/v3"

	"example.com/kneeline/analyze/lint/model"
	"example.com/kneeline/internal/units"
)

//go:embed data
var files embed.FS

// entry is a row as a data file writes it.
type entry struct {
	Key string `yaml:"key"`
	// Value is a duration (60s), a number, a share (20%), a size, a word, or none for
	// no limit.
	Value string `yaml:"value"`
	// Unit is the unit of a number, count where it is left out; seconds for none.
	Unit     string `yaml:"unit"`
	Since    string `yaml:"since"`
	Until    string `yaml:"until"`
	Source   string `yaml:"source"`
	Verified *bool  `yaml:"verified"`
}

// dataFile is one product's rows.
type dataFile struct {
	Product string  `yaml:"product"`
	Rows    []entry `yaml:"rows"`
}

// builtIn reads the embedded files once.
var builtIn = sync.OnceValues(func() (*Table, error) { return load(files) })

// Load returns the built-in table for the versions that the user has named, by
// product.
func Load(versions map[string]string) (*Table, error) {
	t, err := builtIn()
	if err != nil {
		return nil, err
	}
	return &Table{rows: t.rows, versions: versions}, nil
}

// Products returns how many rows each product has.
func (t *Table) Products() map[string]int {
	count := map[string]int{}
	for key, rows := range t.rows {
		product, _, _ := strings.Cut(key, "\x00")
		count[product] += len(rows)
	}
	return count
}

func load(in fs.FS) (*Table, error) {
	t := &Table{rows: map[string][]Row{}}
	names, err := fs.Glob(in, "data/*.yaml")
	if err != nil {
		return nil, err
	}
	var problems []error
	for _, name := range names {
		data, err := fs.ReadFile(in, name)
		if err != nil {
			return nil, err
		}
		if err := t.read(path.Base(name), data); err != nil {
			problems = append(problems, err)
		}
	}
	return t, errors.Join(problems...)
}

// read adds a product's rows; each that is not whole is an error.
func (t *Table) read(name string, data []byte) error {
	var f dataFile
	dec := yaml.NewDecoder(bytes.NewReader(data))
	dec.KnownFields(true)
	if err := dec.Decode(&f); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	if f.Product == "" {
		return fmt.Errorf("%s: expected a product", name)
	}
	var problems []error
	for i, e := range f.Rows {
		row, err := e.row(f.Product)
		if err != nil {
			problems = append(problems, fmt.Errorf("%s: row %d (%s): %w", name, i+1, e.Key, err))
			continue
		}
		key := f.Product + "\x00" + row.Key
		if n := len(t.rows[key]); n > 0 {
			if last := t.rows[key][n-1]; last.Until == "" || compareVersions(row.Since, last.Until) < 0 {
				problems = append(problems, fmt.Errorf("%s: row %d (%s): expected the version at which the row before ends, in order", name, i+1, e.Key))
				continue
			}
		}
		t.rows[key] = append(t.rows[key], row)
	}
	return errors.Join(problems...)
}

func (e entry) row(product string) (Row, error) {
	switch {
	case e.Key == "":
		return Row{}, errors.New("expected a key")
	case strings.TrimSpace(e.Source) == "":
		return Row{}, errors.New("expected a source")
	case e.Value == "":
		return Row{}, errors.New("expected a value")
	}
	v := model.Value{Raw: e.Value, Origin: model.Default, Source: e.Source, Unverified: e.Verified != nil && !*e.Verified}
	var err error
	if v.Unit, v.Amount, v.Text, err = amount(e.Value, e.Unit); err != nil {
		return Row{}, err
	}
	return Row{Product: product, Key: e.Key, Value: v, Since: e.Since, Until: e.Until}, nil
}

// amount reads a value of a row.
func amount(value, unit string) (model.Unit, float64, string, error) {
	if value == "none" {
		u, ok := unitNamed(unit, model.Seconds)
		if !ok {
			return 0, 0, "", fmt.Errorf("expected a unit, found %q", unit)
		}
		return u, math.Inf(1), "", nil
	}
	if value == "on" || value == "off" {
		if value == "on" {
			return model.Flag, 1, "", nil
		}
		return model.Flag, 0, "", nil
	}
	if unit == "" {
		if d, err := units.ParseDuration(value); err == nil && strings.ContainsAny(value, "smhd") {
			return model.Seconds, d.Seconds(), "", nil
		}
		if strings.HasSuffix(value, "%") {
			r, err := units.ParseShare(value)
			return model.Ratio, r, "", err
		}
		if n, err := units.ParseCount(value); err == nil {
			return model.Count, float64(n), "", nil
		}
		return model.None, 0, value, nil
	}
	u, ok := unitNamed(unit, model.None)
	if !ok {
		return 0, 0, "", fmt.Errorf("expected a unit, found %q", unit)
	}
	switch u {
	case model.Bytes:
		n, err := units.ParseSize(value)
		return u, float64(n), "", err
	case model.PerSecond:
		r, err := units.ParseRate(value)
		return u, r, "", err
	case model.Ratio:
		r, err := units.ParseShare(value)
		return u, r, "", err
	case model.Count:
		if f, err := strconv.ParseFloat(value, 64); err == nil && f != math.Trunc(f) { // a multiplier
			return u, f, "", nil
		}
		n, err := units.ParseCount(value)
		return u, float64(n), "", err
	case model.Seconds:
		d, err := units.ParseDuration(value)
		return u, d.Seconds(), "", err
	}
	return model.None, 0, value, nil
}

func unitNamed(name string, otherwise model.Unit) (model.Unit, bool) {
	if name == "" {
		return otherwise, true
	}
	for u := model.None; u <= model.Flag; u++ {
		if u.String() == name {
			return u, true
		}
	}
	return 0, false
}
