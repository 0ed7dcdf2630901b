package p

import "time"

func try() {
	wait := time.Second
	for {
		err := call()
		if err == nil {
			return
		}
		time.Sleep(wait)
		wait *= 2
	}
}
