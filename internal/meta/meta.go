// Package meta holds the product's name, from which the environment prefix,
// the config file's name and report titles derive. It holds nothing else that
// could change apart from the name.
package meta

// Name is the program's name as users type it.
const Name = "kneeline"

// EnvPrefix begins the name of every environment variable the program reads
// for itself, such as KNEELINE_COLOR.
const EnvPrefix = "KNEELINE_"

// ConfigFile is the project configuration searched for in the working
// directory and upward.
const ConfigFile = "." + Name + ".yaml"
