// Package targets reads lists of requests to send: vegeta's http format and its JSON
// form, with weights, and HAR files as browsers save them.
//
// It does not send them, and does not judge whether they go to one service: Origins
// tells to which they go.
package targets
