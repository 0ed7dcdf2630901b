// Code generated from the directories of rules. DO NOT EDIT.

package catalog

import (
	"example.com/kneeline/analyze/lint/rule"
	"example.com/kneeline/analyze/lint/rules/cbk01"
	"example.com/kneeline/analyze/lint/rules/cbk02"
	"example.com/kneeline/analyze/lint/rules/cbk03"
	"example.com/kneeline/analyze/lint/rules/cbk04"
	"example.com/kneeline/analyze/lint/rules/cbk06"
	"example.com/kneeline/analyze/lint/rules/cfg01"
	"example.com/kneeline/analyze/lint/rules/cfg02"
	"example.com/kneeline/analyze/lint/rules/cfg03"
	"example.com/kneeline/analyze/lint/rules/drn01"
	"example.com/kneeline/analyze/lint/rules/drn02"
	"example.com/kneeline/analyze/lint/rules/drn03"
	"example.com/kneeline/analyze/lint/rules/flt01"
	"example.com/kneeline/analyze/lint/rules/prb01"
	"example.com/kneeline/analyze/lint/rules/prb02"
	"example.com/kneeline/analyze/lint/rules/prb03"
	"example.com/kneeline/analyze/lint/rules/prb04"
	"example.com/kneeline/analyze/lint/rules/tmo01"
	"example.com/kneeline/analyze/lint/rules/tmo02"
	"example.com/kneeline/analyze/lint/rules/tmo03"
	"example.com/kneeline/analyze/lint/rules/tmo04"
	"example.com/kneeline/analyze/lint/rules/tmo05"
	"example.com/kneeline/analyze/lint/rules/tmo06"
	"example.com/kneeline/analyze/lint/rules/tmo07"
	"example.com/kneeline/analyze/lint/rules/tmo08"
	"example.com/kneeline/analyze/lint/rules/tmo09"
	"example.com/kneeline/analyze/lint/rules/tmo10"
	"example.com/kneeline/analyze/lint/rules/tmo11"
	"example.com/kneeline/analyze/lint/rules/tmo12"
	"example.com/kneeline/analyze/lint/rules/tmo13"
	"example.com/kneeline/analyze/lint/rules/tmo15"
	"example.com/kneeline/analyze/lint/rules/tmo16"
	"example.com/kneeline/analyze/lint/rules/tmo17"
	"example.com/kneeline/analyze/lint/rules/tmo18"
	"example.com/kneeline/analyze/lint/rules/unt01"
	"example.com/kneeline/analyze/lint/rules/unt02"
	"example.com/kneeline/analyze/lint/rules/unt03"
)

// All returns the rules in the order of their IDs.
func All() []rule.Rule {
	return []rule.Rule{
		cbk01.Rule,
		cbk02.Rule,
		cbk03.Rule,
		cbk04.Rule,
		cbk06.Rule,
		cfg01.Rule,
		cfg02.Rule,
		cfg03.Rule,
		drn01.Rule,
		drn02.Rule,
		drn03.Rule,
		flt01.Rule,
		prb01.Rule,
		prb02.Rule,
		prb03.Rule,
		prb04.Rule,
		tmo01.Rule,
		tmo02.Rule,
		tmo03.Rule,
		tmo04.Rule,
		tmo05.Rule,
		tmo06.Rule,
		tmo07.Rule,
		tmo08.Rule,
		tmo09.Rule,
		tmo10.Rule,
		tmo11.Rule,
		tmo12.Rule,
		tmo13.Rule,
		tmo15.Rule,
		tmo16.Rule,
		tmo17.Rule,
		tmo18.Rule,
		unt01.Rule,
		unt02.Rule,
		unt03.Rule,
	}
}
