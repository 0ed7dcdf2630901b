package p

import "time"

func try() {
	for { // want SRC-05 "the loop in try tries again every 2s for ever"
		err := call()
		if err == nil {
			return
		}
		time.Sleep(2 * time.Second)
	}
}
