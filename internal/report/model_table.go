package report

// Align is how a column's cells stand.
type Align uint8

const (
	Left Align = iota
	// Right suits figures.
	Right
)

// Table is a table with one row of column titles.
type Table struct {
	Caption string
	Columns []Column
	// Rows hold one cell a column; missing cells are empty, surplus ones ignored.
	Rows [][]Cell
	// Empty is said in place of a table without rows; "none" by default.
	Empty string
}

// Column is a column of a [Table].
type Column struct {
	Title string
	Align Align
}

// Cell is a text, or a sparkline when Spark is not empty.
type Cell struct {
	Text  string
	Level Level
	// Spark are evenly spaced values, drawn from 0 (or the least value, when it
	// is negative) to the largest. NaN is a gap.
	Spark []float64
}

// Txt returns a plain cell.
func Txt(text string) Cell { return Cell{Text: text} }

// Row returns a row of plain cells.
func Row(texts ...string) []Cell {
	row := make([]Cell, len(texts))
	for i, t := range texts {
		row[i] = Txt(t)
	}
	return row
}
