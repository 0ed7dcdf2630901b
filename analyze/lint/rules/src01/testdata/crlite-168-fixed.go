package p

import (
	"net/http"
	"time"
)

// mozilla/crlite#168: one server that never answers holds the download of all lists.
func download(url string) (*http.Response, error) {
	client := &http.Client{Timeout: 30 * time.Second}
	return client.Get(url)
}
