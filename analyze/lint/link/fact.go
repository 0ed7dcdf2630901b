package link

// Fact is what a file says of how services are called, beside the settings that readers
// take.
type Fact struct {
	Kind FactKind
}

// FactKind is what a fact says.
type FactKind uint8

// Facts finds what a file says.
func Facts(name string, data []byte) []Fact { return nil }
