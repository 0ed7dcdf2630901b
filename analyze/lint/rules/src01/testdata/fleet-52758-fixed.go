package p

import (
	"net/http"
	"time"
)

// fleetdm/fleet#52758: the transport limits the wait for headers, and nothing the wait
// for the body.
func newClient() *http.Client {
	t := &http.Transport{ResponseHeaderTimeout: 45 * time.Second}
	return &http.Client{Transport: t, Timeout: 2 * time.Minute}
}
