package units

import "math"

// rounding is by how much a product of a few factors may miss the number that is meant, as
// a share of it: 0.4 × 1200 is 480 and not one less, whatever the bits say.
const rounding = 1e-12

// Floor is math.Floor for positive x that takes a number which rounding left a hair below
// a whole one for that one.
func Floor(x float64) float64 { return math.Floor(x * (1 + rounding)) }

// Ceil is math.Ceil for positive x that takes a number which rounding left a hair above a
// whole one for that one.
func Ceil(x float64) float64 { return math.Ceil(x * (1 - rounding)) }
