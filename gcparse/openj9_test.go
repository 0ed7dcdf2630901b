package gcparse

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func openj9Tests() []legacyTest {
	return []legacyTest{
		{
			name: "a scavenge, in a log whose root is not closed",
			log: lines(`<verbosegc xmlns="http://www.ibm.com/j9/verbosegc" version="abc">`,
				`<initialized id="1" timestamp="2020-01-02T03:04:05.000">`,
				`  <attribute name="gcPolicy" value="-Xgcpolicy:gencon" />`,
				`  <attribute name="maxHeapSize" value="0x40000000" />`,
				`  <vmargs>`, `    <vmarg name="-Xmx1g" />`, `  </vmargs>`, `</initialized>`,
				`<exclusive-start id="2" timestamp="2020-01-02T03:04:06.000" intervalms="900.1">`,
				`  <response-info timems="1.500" idlems="0.200" threads="2" lastid="00" lastname="a &gt; b" />`,
				`</exclusive-start>`,
				`<af-start id="3" totalBytesRequested="24" timestamp="2020-01-02T03:04:06.001" intervalms="1" />`,
				`<cycle-start id="4" type="scavenge" contextid="0" timestamp="2020-01-02T03:04:06.001" intervalms="1" />`,
				`<gc-start id="5" type="scavenge" contextid="4" timestamp="2020-01-02T03:04:06.001">`,
				`  <mem-info id="6" free="1024" total="10240" percent="10">`,
				`    <mem type="nursery" free="0" total="2048" percent="0" />`,
				`    <mem type="tenure" free="1024" total="8192" percent="12">`,
				`      <mem type="soa" free="1" total="2" percent="50" />`,
				`    </mem>`, `  </mem-info>`, `</gc-start>`,
				`<gc-op id="7" type="scavenge" timems="4" contextid="4" timestamp="2020-01-02T03:04:06.005">`,
				`  <memory-copied type="tenure" objects="3" bytes="1024" bytesdiscarded="0" />`, `</gc-op>`,
				`<gc-end id="8" type="scavenge" contextid="4" durationms="4.200" usertimems="8.000" systemtimems="1.000" timestamp="2020-01-02T03:04:06.005" activeThreads="4">`,
				`  <mem-info id="9" free="2048" total="10240" percent="20">`,
				`    <mem type="nursery" free="2048" total="2048" percent="100" />`,
				`    <mem type="tenure" free="0" total="8192" percent="0" />`, `  </mem-info>`, `</gc-end>`,
				`<exclusive-end id="13" timestamp="2020-01-02T03:04:06.006" durationms="5.250" />`),
			want: []string{`pause 0.0053s "scavenge" OpenJ9 gencon young allocation failure [allocation failure] heap 9K->8K(10K) young 2K->0K(2K) old 7K->8K(8K) promoted 1K cpu 0.01+0.00/0.00 reach 0.0015s #4 workers 4`},
		},
		{
			name: "a percolated collection, told by the runtime to be excessive",
			log: lines(`<exclusive-start id="20" timestamp="2020-01-02T03:04:06.000" intervalms="900.1"></exclusive-start>`,
				`<af-start id="21" timestamp="2020-01-02T03:04:06.000" />`,
				`<cycle-start id="22" type="scavenge" contextid="0" timestamp="2020-01-02T03:04:06.000" />`,
				`<gc-start id="23" type="scavenge" contextid="22" timestamp="2020-01-02T03:04:06.000" />`,
				`<gc-end id="24" type="scavenge" contextid="22" durationms="10" timestamp="2020-01-02T03:04:06.010" />`,
				`<percolate-collect id="25" from="nursery" to="global" reason="failed tenure threshold reached" timestamp="2020-01-02T03:04:06.010"/>`,
				`<cycle-start id="26" type="global" contextid="0" timestamp="2020-01-02T03:04:06.010" />`,
				`<gc-start id="27" type="global" contextid="26" timestamp="2020-01-02T03:04:06.010" />`,
				`<gc-op id="28" type="compact" timems="300" contextid="26" timestamp="2020-01-02T03:04:06.900" />`,
				`<event id="29"><warning details="excessive gc activity detected, will fail on allocate" /></event>`,
				`<gc-end id="30" type="global" contextid="26" durationms="900" timestamp="2020-01-02T03:04:06.910" />`,
				`<exclusive-end id="31" timestamp="2020-01-02T03:04:06.911" durationms="911.000" />`),
			want: []string{`pause 0.9110s "global" OpenJ9 whole failed tenure threshold reached [full, time limit, allocation failure, percolated, compacting] #26`},
		},
		{
			name: "concurrent work, the stop that begins it, and a stop for something else",
			log: lines(`<verbosegc version="x"><exclusive-start id="1" timestamp="2020-01-02T03:04:06.000" intervalms="1">`,
				`<cycle-start id="2" type="global" contextid="0" timestamp="2020-01-02T03:04:06.000" />`,
				`<exclusive-end id="3" timestamp="2020-01-02T03:04:06.001" durationms="0.800" />`,
				`<concurrent-start id="4" type="GMP work packet processing" contextid="2" timestamp="2020-01-02T03:04:07.000">`,
				`</concurrent-start>`,
				`<concurrent-end id="5" type="GMP work packet processing" contextid="2" timestamp="2020-01-02T03:04:07.250" terminationReason="Work target met">`,
				`<gc-op id="6" type="mark increment" timems="249.1" contextid="2" timestamp="2020-01-02T03:04:07.250">`, `</gc-op>`, `</concurrent-end>`,
				`<exclusive-start id="7" timestamp="2020-01-02T03:04:08.000" intervalms="1">`, `<response-info timems="2.000" />`,
				`<exclusive-end id="8" timestamp="2020-01-02T03:04:08.001" durationms="0.500" />`),
			want: []string{
				`pause 0.0008s "global" OpenJ9 old [initial mark] #2`,
				`concurrent 0.2500s "GMP work packet processing" OpenJ9 old [duration derived]`,
				`safepoint 0.0025s "exclusive access" OpenJ9 reach 0.0020s`,
			},
		},
		{
			name: "a tag over several lines, and a block that another begins in",
			log: lines(`<exclusive-start id="1"`, `  timestamp="2020-01-02T03:04:06.000"`, `  intervalms="1">`, `</exclusive-start>`,
				`<gc-start id="2" type="global" contextid="0" timestamp="2020-01-02T03:04:06.000">`, `</gc-start>`,
				`<gc-end id="3" type="global" durationms="700.5" timestamp="2020-01-02T03:04:06.701">`, `</gc-end>`,
				`<exclusive-start id="4" timestamp="2020-01-02T03:04:09.000" intervalms="3">`,
				`<cycle-start id="5" type="partial gc" contextid="0" timestamp="2020-01-02T03:04:09.000" />`,
				`<gc-start id="6" type="partial gc" contextid="5" timestamp="2020-01-02T03:04:09.000" />`,
				`<gc-end id="7" type="partial gc" contextid="5" durationms="9.5" timestamp="2020-01-02T03:04:09.000" />`,
				`<exclusive-end id="8" timestamp="2020-01-02T03:04:09.010" durationms="10.000" />`),
			want: []string{
				`pause 0.7005s "global" OpenJ9 whole [full, duration derived]`,
				`pause 0.0100s "partial gc" OpenJ9 mixed #5`,
			},
			unknown: 1,
		},
		{
			name: "version 5.0",
			log: lines(`<verbosegc version="20110524_AA">`,
				`<af type="nursery" id="1" timestamp="Sep 08 15:30:58 2015" intervalms="0.000">`,
				`  <minimum requested_bytes="48" />`, `  <time exclusiveaccessms="0.039" />`,
				`  <nursery freebytes="0" totalbytes="4096" percent="0" />`,
				`  <tenured freebytes="4096" totalbytes="8192" percent="50" >`, `    <soa freebytes="1" totalbytes="2" percent="50" />`, `  </tenured>`,
				`  <gc type="scavenger" id="1" totalid="9" intervalms="0.000">`, `    <tenured objectcount="3" bytes="1024" />`,
				`    <nursery freebytes="4096" totalbytes="4096" percent="100" tenureage="10" />`,
				`    <tenured freebytes="3072" totalbytes="8192" percent="37" />`,
				`    <time totalms="12.500" />`, `  </gc>`, `  <tenured freebytes="0" totalbytes="8192" percent="0" />`, `  <time totalms="13.000" />`, `</af>`,
				`<sys id="2" timestamp="Tue Sep 08 15:31:58 2015" intervalms="60000.0">`, `  <time exclusiveaccessms="0.072" />`,
				`  <gc type="global" id="1" totalid="10" intervalms="0.0">`, `    <compaction movecount="5" movebytes="6" reason="x" />`,
				`    <timesms mark="90" sweep="10" compact="100" total="201.000" />`, `  </gc>`, `  <time totalms="202.000" />`, `</sys>`),
			want: []string{
				`pause 0.0130s "scavenger" OpenJ9 young allocation failure [allocation failure] heap 8K->5K(12K) young 4K->0K(4K) old 4K->5K(8K) promoted 1K reach 0.0000s #9`,
				`pause 0.2020s "global" OpenJ9 whole sys [full, explicit, compacting] reach 0.0001s #10`,
			},
		},
	}
}

func TestOpenJ9(t *testing.T) {
	for _, tt := range openj9Tests() {
		t.Run(tt.name, func(t *testing.T) {
			events, res := parse(t, tt.log)
			if diff := cmp.Diff(tt.want, tellAll(events)); diff != "" {
				t.Errorf("events (-want +got):\n%s", diff)
			}
			if got := res.Ledger.Unknown(); got != tt.unknown {
				t.Errorf("%d unknown lines, want %d: %v", got, tt.unknown, res.Ledger.Shapes)
			}
		})
	}
}

func TestOpenJ9Head(t *testing.T) {
	_, res := parse(t, openj9Tests()[0].log)
	if len(res.Runs) != 1 {
		t.Fatalf("%d runs", len(res.Runs))
	}
	r := res.Runs[0]
	if r.HeapMax != 1<<30 || r.Options != "-Xmx1g" || r.Version != "abc" || !r.Zoneless {
		t.Errorf("heap %d, options %q, version %q, zoneless %v", r.HeapMax, r.Options, r.Version, r.Zoneless)
	}
}

// A second log in the same file is another run, and so is one whose numbers begin
// again without a root.
func TestOpenJ9Runs(t *testing.T) {
	block := func(id string) string {
		return lines(`<exclusive-start id="`+id+`1" timestamp="2020-01-02T03:04:06.000" intervalms="1">`,
			`<gc-start id="`+id+`2" type="scavenge" contextid="0" timestamp="2020-01-02T03:04:06.000">`,
			`<exclusive-end id="`+id+`3" timestamp="2020-01-02T03:04:06.001" durationms="0.800" />`)
	}
	events, res := parse(t, `<verbosegc version="1">`+"\n"+block("")+block("9")+`<verbosegc version="2">`+"\n"+block("")+block("70")+block(""))
	var runs []int32
	for _, e := range events {
		runs = append(runs, e.Run)
	}
	if diff := cmp.Diff([]int32{0, 0, 1, 1, 2}, runs); diff != "" {
		t.Errorf("runs of the events (-want +got):\n%s", diff)
	}
	if res.Runs[1].Why != NewHeader || res.Runs[2].Why != NumbersRestart {
		t.Errorf("reasons: %v, %v", res.Runs[1].Why, res.Runs[2].Why)
	}
}
