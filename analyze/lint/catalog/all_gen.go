// Code generated from the directories of rules. DO NOT EDIT.

package catalog

import (
	"example.com/kneeline/analyze/lint/rule"
)

// All returns the rules in the order of their IDs.
func All() []rule.Rule {
	return []rule.Rule{}
}
