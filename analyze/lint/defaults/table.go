package defaults

import "example.com/kneeline/analyze/lint/model"

// Row is one default.
type Row struct {
	Product string
	// Key is the setting's name, as the product's reader asks for it.
	Key string
	// Value has amount, unit and text, with origin Default and its source.
	Value model.Value
	// Since and Until bound the versions, Since included, Until not; empty is open.
	Since, Until string
}

// Table is all defaults.
type Table struct {
	rows map[string][]Row // by product and key
	// versions are the versions that the user named, by product.
	versions map[string]string
}

// Lookup returns the default of a setting for the version that the user has named,
// and otherwise for the newest version that the table knows. The value's place is at,
// where the setting is missing. It is absent where the table has no row.
func (t *Table) Lookup(product, key string, at model.Position) model.Value {
	if t == nil {
		return model.Value{Key: key, At: at}
	}
	rows := t.rows[product+"\x00"+key]
	version := t.versions[product]
	for i := len(rows) - 1; i >= 0; i-- {
		if version == "" || rows[i].covers(version) {
			v := rows[i].Value
			v.Key, v.At = key, at
			return v
		}
	}
	return model.Value{Key: key, At: at}
}

// covers reports whether a row holds for a version.
func (r Row) covers(version string) bool {
	return (r.Since == "" || compareVersions(version, r.Since) >= 0) &&
		(r.Until == "" || compareVersions(version, r.Until) < 0)
}
