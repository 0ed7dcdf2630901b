package hostile

// tlsTrouble are servers that get TLS wrong.
func tlsTrouble() []Behaviour { return nil }
