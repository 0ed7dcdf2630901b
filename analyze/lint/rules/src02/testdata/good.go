package p

import (
	"net/http"
	"time"
)

var server = &http.Server{ReadHeaderTimeout: 5 * time.Second}
