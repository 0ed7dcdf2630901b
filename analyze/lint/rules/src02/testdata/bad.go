package p

import "net/http"

func serve() {
	http.ListenAndServe(":80", nil) // want SRC-02 "http.ListenAndServe in serve waits for its clients without a limit"
}
