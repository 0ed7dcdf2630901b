package hostile

import (
	"time"

	"golang.org/x/net/http2"
)

const protocolError = "HTTP/2 protocol error: "

// h2Frames are HTTP/2 servers that are awkward about whole connections.
func h2Frames() []Behaviour {
	h2 := func(name, does string, want []Outcome, play func(*Stream)) Behaviour {
		return Behaviour{Name: "h2 " + name, Does: does, Over: anyH2, Want: want, PlayH2: play}
	}
	// wrong is a service that breaks the protocol at each request: the connection
	// ends, and with it what is on it.
	wrong := func(name, does, cause string, play func(*Stream)) Behaviour {
		b := h2(name, does, failed(cause), play)
		b.Unread = true
		return b
	}
	hello := func(b Behaviour, f func(*H2Conn)) Behaviour { b.HelloH2 = f; return b }
	quick := func(b Behaviour) Behaviour { b.Timeout = ShortTimeout; return b }
	unread := func(b Behaviour) Behaviour { b.Unread = true; return b }
	full := []Outcome{{Class: "full", Must: true}}
	return []Behaviour{
		unread(resent(h2("GOAWAY in mid-burst", "answers the first three of five requests and says that the others will have no answer",
			perhaps(full, "not processed: GOAWAY NO_ERROR"), goAwayInBurst))),
		unread(resent(h2("GOAWAY after each", "ends the connection in order after each answer",
			perhaps(full, "not processed: GOAWAY NO_ERROR", "closed without an answer", "kept connection closed without an answer"),
			func(st *Stream) {
				st.goAway(st.ID, http2.ErrCodeNo)
				st.ok()
			}))),
		unread(h2("GOAWAY and still open", "says at every request that the connection ends, and answers them all", full,
			func(st *Stream) {
				st.goAway(1<<31-1, http2.ErrCodeNo)
				st.later(5*time.Millisecond, st.ok)
			})),
		quick(unread(hello(resent(h2("GOAWAY at once", "ends each connection before any request",
			[]Outcome{{Class: "failed", Cause: "not processed: GOAWAY NO_ERROR", Must: true}}, (*Stream).ok)),
			func(h *H2Conn) { h.hello(); h.goAway(0, http2.ErrCodeNo) }))),
		unread(resent(h2("GOAWAY with an error", "ends the connection at each request, for want of calm",
			perhaps(failed("connection ended: GOAWAY ENHANCE_YOUR_CALM"), "not processed: GOAWAY ENHANCE_YOUR_CALM"),
			func(st *Stream) { st.goAway(st.ID, http2.ErrCodeEnhanceYourCalm); st.leave() }))),
		unread(h2("closes", "closes the connection at each request", perhaps(failed("closed without an answer"), "kept connection closed without an answer"),
			func(st *Stream) { st.leave() })),
		unread(h2("closes mid-answer", "closes the connection within an answer", perhaps(failed("closed mid-answer"), "closed without an answer", "kept connection closed without an answer"),
			func(st *Stream) {
				st.headers(false, ":status", "200", "content-length", "9")
				st.leave()
			})),
		unread(h2("resets the connection", "resets the connection at each request", perhaps(failed("connection reset"), "reset mid-answer"),
			func(st *Stream) { st.Conn.reset(); st.end() })),
		h2("SETTINGS flood", "sends a thousand SETTINGS before each answer", full, func(st *Stream) {
			for range 1000 {
				st.hello()
			}
			st.ok()
		}),
		h2("PING flood", "sends a thousand PINGs before each answer", full, func(st *Stream) {
			for range 1000 {
				st.frame(http2.FramePing, 0, 0, make([]byte, 8))
			}
			st.ok()
		}),
		hello(h2("one stream at a time", "allows one request on a connection", full, func(st *Stream) { st.later(15*time.Millisecond, st.ok) }),
			func(h *H2Conn) { h.hello(http2.Setting{ID: http2.SettingMaxConcurrentStreams, Val: 1}) }),
		quick(unread(hello(h2("no stream at all", "allows no request", failed("the service allows no HTTP/2 stream"), (*Stream).ok),
			func(h *H2Conn) { h.hello(http2.Setting{ID: http2.SettingMaxConcurrentStreams, Val: 0}) }))),
		unread(h2("fewer streams later", "allows but one request after the first", full, func(st *Stream) {
			st.hello(http2.Setting{ID: http2.SettingMaxConcurrentStreams, Val: 1})
			st.later(15*time.Millisecond, st.ok)
		})),
		posted(quick(unread(hello(h2("zero window", "lets no body be sent", all("timed out"), (*Stream).ok),
			func(h *H2Conn) { h.hello(http2.Setting{ID: http2.SettingInitialWindowSize, Val: 0}) })))),
		slowWindow(posted(hello(h2("window byte by byte", "lets a body be sent a byte at a time", full, (*Stream).ok),
			func(h *H2Conn) { h.hello(http2.Setting{ID: http2.SettingInitialWindowSize, Val: 0}) }))),
		unread(hello(h2("speaks HTTP/1.1", "answers in HTTP/1.1", failed("the service speaks HTTP/1.1, not HTTP/2"), (*Stream).ok),
			func(h *H2Conn) {
				h.raw([]byte("HTTP/1.1 400 Bad Request\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"))
				h.end()
			})),
		unread(hello(h2("no settings", "closes in place of sending settings", perhaps(failed("no HTTP/2 settings from the service"), "connection reset"), (*Stream).ok),
			(*H2Conn).leave)),
		unread(hello(h2("other frame first", "begins with something else than settings", failed("no HTTP/2 settings from the service"), (*Stream).ok),
			func(h *H2Conn) { h.frame(http2.FramePing, 0, 0, make([]byte, 8)) })),
		quick(unread(hello(h2("silent", "accepts and says nothing", failed("no HTTP/2 settings from the service"), (*Stream).ok),
			func(h *H2Conn) {}))),
		wrong("frame too large", "sends a longer frame than allowed", protocolError+"FRAME_SIZE_ERROR",
			func(st *Stream) { st.frame(http2.FrameData, 0, st.ID, make([]byte, 1<<16)) }),
		wrong("broken compression", "sends a header block that cannot be read", protocolError+"COMPRESSION_ERROR",
			func(st *Stream) {
				st.frame(http2.FrameHeaders, http2.FlagHeadersEndHeaders|http2.FlagHeadersEndStream, st.ID, []byte{0xff, 0xff, 0xff, 0xff, 0xff, 0xff})
			}),
		wrong("push", "pushes though it was told not to", protocolError+"PROTOCOL_ERROR",
			func(st *Stream) {
				st.write(func() error {
					return st.fr.WritePushPromise(http2.PushPromiseParam{StreamID: st.ID, PromiseID: 2, BlockFragment: st.encode(":method", "GET"), EndHeaders: true})
				})
			}),
		wrong("stream that nobody opened", "answers a request that was not sent", protocolError+"PROTOCOL_ERROR",
			func(st *Stream) { st.frame(http2.FrameData, 0, st.ID+1000, []byte("x")) }),
		wrong("settings on a stream", "sends settings for a stream", protocolError+"PROTOCOL_ERROR",
			func(st *Stream) { st.frame(http2.FrameSettings, 0, st.ID, nil) }),
		wrong("window overflow", "grants more than 2 GiB", protocolError+"FLOW_CONTROL_ERROR",
			func(st *Stream) {
				for range 2 {
					st.write(func() error { return st.fr.WriteWindowUpdate(0, 1<<31-1) })
				}
			}),
		quick(few20(unread(h2("endless header block", "continues a header block for ever, with nothing in it",
			perhaps([]Outcome{{Class: "timed out"}}, bad+"headers over 1 MiB", protocolError+"ENHANCE_YOUR_CALM"), endlessBlock)))),
		quick(few20(unread(h2("endless PINGs", "sends PINGs for ever in place of an answer", all("timed out"), func(st *Stream) {
			st.later(0, func() {
				for st.frame(http2.FramePing, 0, 0, make([]byte, 8)) && st.pause(100*time.Microsecond) {
				}
			})
		})))),
	}
}

// resent marks a server that says of requests that it has not processed them: the
// client may send them again, on a connection of their own.
func resent(b Behaviour) Behaviour { b.Resent = true; return b }

func few20(b Behaviour) Behaviour { b.Rate = 20; return b }

func posted(b Behaviour) Behaviour {
	b.Method, b.Body = "POST", []byte("a body of forty bytes, which is not much")
	return b
}

// goAwayInBurst lets five requests come; then it says that it answers three of
// them, and does. What is left over of a burst is answered a little later.
func goAwayInBurst(st *Stream) {
	h := st.H2Conn
	h.mu.Lock()
	h.pending = append(h.pending, st)
	burst := h.pending
	h.mu.Unlock()
	if len(burst) == 5 {
		st.srv.hits.Add(-2) // the last two are not processed
		st.goAway(burst[2].ID, http2.ErrCodeNo)
		for _, b := range burst[:3] {
			b.ok()
		}
		return
	}
	st.later(time.Second, func() {
		h.mu.Lock()
		gone := h.gone
		h.mu.Unlock()
		if !gone {
			st.ok()
		}
	})
}

// slowWindow grants one byte of a body at a time.
func slowWindow(b Behaviour) Behaviour {
	b.UploadH2 = func(st *Stream) {
		st.later(0, func() {
			for range b.Body {
				if !st.write(func() error { return st.fr.WriteWindowUpdate(st.ID, 1) }) || !st.pause(time.Millisecond) {
					return
				}
			}
		})
	}
	return b
}

// endlessBlock opens a header block and continues it with empty frames.
func endlessBlock(st *Stream) {
	st.later(0, func() {
		st.write(func() error {
			err := st.fr.WriteHeaders(http2.HeadersFrameParam{StreamID: st.ID, BlockFragment: st.encode(":status", "200")})
			for err == nil && st.pause(20*time.Microsecond) {
				err = st.fr.WriteContinuation(st.ID, false, nil)
			}
			return err
		})
	})
}
