package server

import "fmt"

var sysctl = dialect{
	name: "sysctl", title: "Linux kernel", versions: "5.4 and later",
	write: writeSysctl,
}

const sysctlDoc = "Linux Documentation/networking/ip-sysctl.rst; listen(2)"

func writeSysctl(v Values) ([]Item, []Snippet, []string) {
	somaxconn := max(v.AcceptQueue, 128)
	items := []Item{
		{Kind: Queue, Note: "the kernel knows nothing of requests; the request queue is the server's", Source: sysctlDoc},
		{Kind: Workers, Note: "none", Source: sysctlDoc},
		{Kind: AcceptQueue, Key: "net.core.somaxconn", Value: count(somaxconn), Unit: "connections", Default: "4096; 128 before 5.4", Source: sysctlDoc,
			Note: fmt.Sprintf("a ceiling for every server of the machine: the server's own backlog of %d is what counts, this must be no less", v.AcceptQueue)},
		{Kind: Pool, Note: "none", Source: sysctlDoc},
		{Kind: RateLimit, Note: "none for requests", Source: sysctlDoc},
	}
	code := fmt.Sprintf(`net.core.somaxconn = %d
net.ipv4.tcp_max_syn_backlog = %d
net.ipv4.tcp_abort_on_overflow = 0
`, max(somaxconn, 4096), max(somaxconn, 4096))
	items[2].Value = count(max(somaxconn, 4096))
	return items, []Snippet{{File: "/etc/sysctl.d/60-accept-queue.conf", Lang: "ini", Code: code}}, []string{
		"Leave somaxconn at its default or above, and set each server's own backlog: lowering the ceiling lowers it for every server of the machine.",
	}
}
