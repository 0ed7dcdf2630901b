package cmd

import (
	"os"
	"runtime/pprof"

	"example.com/kneeline/internal/fault"
)

// cpuProfile is a CPU profile of the program itself under way; nil is none.
type cpuProfile struct {
	file *os.File
}

func startCPUProfile(path string) (*cpuProfile, error) {
	f, err := os.Create(path)
	if err != nil {
		return nil, fault.NoAnswerf("cannot write the CPU profile: %w", err)
	}
	if err := pprof.StartCPUProfile(f); err != nil {
		f.Close()
		return nil, fault.NoAnswerf("cannot profile: %w", err)
	}
	return &cpuProfile{file: f}, nil
}

func (p *cpuProfile) stop() error {
	if p == nil {
		return nil
	}
	pprof.StopCPUProfile()
	if err := p.file.Close(); err != nil {
		return fault.NoAnswerf("cannot write the CPU profile: %w", err)
	}
	return nil
}
