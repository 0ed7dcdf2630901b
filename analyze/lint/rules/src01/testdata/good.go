package p

import (
	"net/http"
	"time"
)

var client = &http.Client{Timeout: 2 * time.Second}
