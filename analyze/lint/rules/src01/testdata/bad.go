package p

import "net/http"

func get(url string) {
	http.Get(url)       // want SRC-01 "http.Get in get has no limit of time"
	c := &http.Client{} // want SRC-01 "http.Client{} in get"
	c.Get(url)
}
