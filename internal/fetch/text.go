package fetch

import "context"

// Text fetches one text, such as the metrics of a service, under the same rules as
// profiles: nothing is sent to another host than the one named, nothing to one
// that is not this machine unless it is allowed, and an answer has its bounds.
func Text(ctx context.Context, rawURL string, o Options) ([]byte, error) {
	u, err := parse(rawURL)
	if err != nil {
		return nil, err
	}
	f := newFetcher(u, o)
	f.text = true
	defer f.client.CloseIdleConnections()
	return f.get(ctx, u)
}
