package gcparse

// families lists what can be read, in the order in which a line is offered to
// them when it could belong to several.
var families = []*familyKind{
	unifiedKind,
	legacyFamily,
	openj9Family,
	v8Kind,
	goKind,
}
