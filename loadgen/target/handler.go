package target

import (
	"encoding/json"
	"io"
	"net/http"
	"strconv"
	"time"
)

var (
	typeJSON = []string{"application/json"}
	partial  = []string{"1"}
)

// ServeHTTP answers one request as the model says.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	switch r.URL.Path {
	case "/stats":
		s.serveStats(w)
		return
	case "/healthz":
		w.Header()["Content-Type"] = typeJSON
		io.WriteString(w, `{"status":"ok"}`+"\n")
		return
	}
	if r.ContentLength != 0 {
		// net/http notices that a client leaves only once the body is read.
		io.Copy(io.Discard, http.MaxBytesReader(w, r.Body, maxBody))
	}
	wt := s.arrive()
	var d delivery
	select {
	case d = <-wt.answer:
	case <-r.Context().Done():
		// The client is gone, and so are its connection and this goroutine; the
		// request itself keeps its queue position and its worker.
		if s.leave(wt) {
			abort(w)
			return
		}
		d = <-wt.answer
	case <-s.stopping:
		if s.leave(wt) {
			w.Header().Set("Connection", "close")
			w.WriteHeader(http.StatusServiceUnavailable)
			return
		}
		d = <-wt.answer
	}
	s.finish(wt, d)
	writeAnswer(w, d.Answer)
}

// abort has net/http close the connection without an answer once the handler
// returns. A panic with ErrAbortHandler does the same at many times the cost,
// which matters when most clients leave.
func abort(w http.ResponseWriter) {
	http.NewResponseController(w).SetWriteDeadline(time.Unix(1, 0))
}

// writeAnswer sends one answer. Header keys are in canonical form already.
func writeAnswer(w http.ResponseWriter, a Answer) {
	h := w.Header()
	h["Content-Type"] = typeJSON
	h["X-Queue-Wait"] = []string{seconds(a.Wait)}
	body := make([]byte, 0, 96)
	switch a.Kind {
	case Full:
		h["X-Service-Time"] = []string{seconds(a.Service)}
		body = append(body, `{"queue_wait_seconds":`...)
		body = append(body, seconds(a.Wait)...)
		body = append(body, `,"service_seconds":`...)
		body = append(body, seconds(a.Service)...)
		body = append(body, "}\n"...)
	case Degraded:
		h["X-Service-Time"] = []string{seconds(a.Service)}
		h["X-Partial"] = partial
		body = append(body, `{"partial":true}`+"\n"...)
	case Shed:
		body = append(body, `{"error":"refused"}`+"\n"...)
	case Dropped:
		body = append(body, `{"error":"dropped"}`+"\n"...)
	}
	if a.RetryAfter > 0 {
		// Retry-After counts in whole seconds (RFC 9110, section 10.2.3).
		h["Retry-After"] = []string{strconv.FormatInt(int64((a.RetryAfter+time.Second-1)/time.Second), 10)}
	}
	if a.Status != http.StatusOK {
		w.WriteHeader(a.Status)
	}
	w.Write(body)
}

// seconds writes d in seconds with six decimals.
func seconds(d time.Duration) string {
	return strconv.FormatFloat(d.Seconds(), 'f', 6, 64)
}

func (s *Server) serveStats(w http.ResponseWriter) {
	w.Header()["Content-Type"] = typeJSON
	enc := json.NewEncoder(w)
	enc.SetIndent("", "  ")
	enc.Encode(s.Stats()) // an error means that the client has left
}
