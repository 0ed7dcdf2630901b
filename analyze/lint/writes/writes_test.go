package writes

import "testing"

func TestCall(t *testing.T) {
	for name, want := range map[string]Answer{
		"POST": Twice, "patch": Twice, "GET": Repeatable, "DELETE": Repeatable, "POST /api/list": Twice,
		"GET /api/vote": Likely, "GET /api/list": Repeatable, "GET /api/orders": Repeatable, "GET /api/order": Repeatable,
		"shop.Orders/CreateOrder": Likely, "google.pubsub.v1.Publisher.Publish": Likely, "GetOrder": Repeatable, "list_orders": Repeatable,
		"send-mail": Likely, "CREATE": Likely, "BATCH_CREATE": Likely, "FINDER": Unknown, "Postpone": Unknown, "Listen": Unknown, "": Unknown, " ": Unknown, "shop.Orders/": Unknown,
	} {
		if got := Call(name); got != want {
			t.Errorf("%q: %d, want %d", name, got, want)
		}
	}
	for path, want := range map[string]Answer{"^/api/pay$": Likely, "/checkout/": Likely, "/": Unknown, "": Unknown, "/api/post": Unknown} {
		if got := Path(path); got != want {
			t.Errorf("path %q: %d, want %d", path, got, want)
		}
	}
}
