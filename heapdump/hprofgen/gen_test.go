package hprofgen

import (
	"bytes"
	"compress/gzip"
	"io"
	"slices"
	"testing"
)

// TestFilesAreByTheFormat guards every option that must not break the format: a
// strict reader finds all records where the encoder says, and all objects.
func TestFilesAreByTheFormat(t *testing.T) {
	options := map[string]Options{
		"default":     {},
		"segments":    {Segment: 1000},
		"ids of 4":    {IDSize: 4, Version: "JAVA PROFILE 1.0.1", CharStrings: true},
		"roots first": {RootsFirst: true, Segment: 500},
		"shuffled":    {Shuffle: true},
		"no oops":     {VM: VM{Header: 16, Ref: 8}},
		"compact":     {VM: VM{Header: 8}},
		"16 bytes":    {VM: VM{Align: 16}},
		"android":     {IDSize: 4, Version: "JAVA PROFILE 1.0.3", Dotted: true},
		"one segment": {Segment: 1 << 20},
	}
	for name, opt := range options {
		t.Run(name, func(t *testing.T) {
			d := Everything(opt)
			if name == "android" {
				d.Android("app", d.Bytes(nil))
				d.NoData(Byte, 100)
			}
			f, truth := d.Encode(), d.Truth()
			w, err := walk(f.Data)
			if err != nil {
				t.Fatal(err)
			}
			if !slices.Equal(w.starts, f.Records) {
				t.Errorf("%d records begin elsewhere than the %d it says", len(w.starts), len(f.Records))
			}
			if w.millis != uint64(Taken.UnixMilli()) || w.version != d.opt.Version {
				t.Errorf("header %q at %d", w.version, w.millis)
			}
			var sum int64
			for _, n := range w.instances {
				sum += n
			}
			if sum != truth.Objects {
				t.Errorf("%d objects, want %d", sum, truth.Objects)
			}
			task := d.fileName("com.example.Task")
			if w.instances[task] != 120 || truth.Classes["com.example.Task"].Instances != 120 {
				t.Errorf("%d tasks, want 120", w.instances[task])
			}
			if w.roots[0x08] != 4 || w.roots[0x03] != 4 {
				t.Errorf("roots %v, want 4 threads and 4 locals", w.roots)
			}
		})
	}
}

// TestSizes guards the truth itself by sizes known from the VM (JDK 17 and 25).
func TestSizes(t *testing.T) {
	tests := []struct {
		vm                                  VM
		node, str, bytes5, objects3, future uint64
	}{
		{VM{}, 32, 24, 24, 32, 24},
		{VM{Header: 16, Ref: 8}, 48, 32, 32, 48, 32},
		{VM{Header: 12, Ref: 8}, 40, 32, 24, 40, 32},
		{VM{Align: 16}, 32, 32, 32, 32, 32},
		{VM{Header: 8}, 24, 24, 24, 24, 16},
	}
	for _, tt := range tests {
		d := New(Options{VM: tt.vm})
		_, node := d.hashMap()
		d.Array("java.lang.Object", 0, 0, 0)
		d.Bytes(make([]byte, 5))
		d.CompletableFutures(0)
		truth := d.Truth()
		got := []uint64{
			node.size, d.byName["java.lang.String"].size, truth.Classes["byte[]"].Bytes,
			truth.Classes["java.lang.Object[]"].Bytes, truth.Classes["java.util.concurrent.CompletableFuture"].Bytes,
		}
		if want := []uint64{tt.node, tt.str, tt.bytes5, tt.objects3, tt.future}; !slices.Equal(got, want) {
			t.Errorf("%+v: %v, want %v", tt.vm, got, want)
		}
	}
}

// TestAgain guards the offsets of a file of two dumps.
func TestAgain(t *testing.T) {
	one := Everything(Options{}).Encode()
	f := one.Again(New(Options{}).Encode())
	w, err := walk(f.Data)
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(w.starts, f.Records) || len(f.Records) <= len(one.Records) {
		t.Errorf("%d records begin elsewhere than the %d it says", len(w.starts), len(f.Records))
	}
}

func TestGzipBlocks(t *testing.T) {
	data := Everything(Options{}).Encode().Data
	for name, packed := range map[string][]byte{"one": Gzip(data), "blocks": GzipBlocks(data, 10_000)} {
		z, err := gzip.NewReader(bytes.NewReader(packed))
		if err != nil {
			t.Fatal(err)
		}
		if blocks := name == "blocks"; blocks != (z.Comment == "HPROF BLOCKSIZE=10000") {
			t.Errorf("%s: comment %q", name, z.Comment)
		}
		back, err := io.ReadAll(z)
		if err != nil || !bytes.Equal(back, data) {
			t.Errorf("%s: %d bytes back of %d, %v", name, len(back), len(data), err)
		}
	}
}
