package hostile

// Mix is a server over HTTP/1.1 that answers in an ordinary way but for every n-th
// request, with which it does something awkward: each time something else. What
// needs a request of its own, or a lower rate, is left out.
func Mix(n int) Behaviour {
	var plays []func(*Turn)
	for _, b := range All() {
		if b.Play != nil && b.Open == nil && b.Method == "" && b.Rules == nil && b.Rate == 0 && b.Over[0] == Plain {
			plays = append(plays, b.Play)
		}
	}
	return Behaviour{
		Name: "mix", Does: "does something else wrong with every few requests", Over: anyH1, Unread: true, Guesses: true,
		Play: func(u *Turn) {
			if u.N%n != 0 {
				u.ok()
				return
			}
			plays[u.N/n%len(plays)](u)
		},
	}
}
