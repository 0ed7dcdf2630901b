package gosource

import (
	"errors"
	"go/scanner"

	"example.com/kneeline/analyze/lint/model"
)

// problemAt is where a file is no Go.
func problemAt(name string, err error) model.Position {
	var list scanner.ErrorList
	if errors.As(err, &list) && len(list) > 0 {
		return model.Position{File: name, Line: list[0].Pos.Line, Column: list[0].Pos.Column}
	}
	return model.Position{File: name, Line: 1}
}

// problemText is what the parser says of it.
func problemText(err error) string {
	var list scanner.ErrorList
	if errors.As(err, &list) && len(list) > 0 {
		return list[0].Msg
	}
	return err.Error()
}
