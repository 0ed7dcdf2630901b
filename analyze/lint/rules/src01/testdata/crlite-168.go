package p

import "net/http"

// mozilla/crlite#168: one server that never answers holds the download of all lists.
func download(url string) (*http.Response, error) {
	client := &http.Client{} // want SRC-01 "http.Client"
	return client.Get(url)
}
