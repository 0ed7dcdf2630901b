package loadgen_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"time"

	"example.com/kneeline/internal/outcome"
	"example.com/kneeline/loadgen"
)

// A run offers load as its pilot steers it, and leaves an account in which no
// planned request is missing.
func ExampleClient_Offer() {
	service := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprintln(w, "hello")
	}))
	defer service.Close()

	client, err := loadgen.New(loadgen.Options{URL: service.URL})
	if err != nil {
		fmt.Println(err)
		return
	}
	offer := loadgen.Offer{Timeout: 5 * time.Second, PeakRate: 200, Seed: 1}
	pilot := loadgen.PilotFunc(func(tl *loadgen.Timeline) loadgen.Step {
		return loadgen.Step{Rate: 200, Stop: tl.Now >= 300*time.Millisecond}
	})
	result, err := client.Offer(context.Background(), offer, pilot)
	if err != nil {
		fmt.Println(err)
		return
	}
	counts := result.Segments[0].Counts
	fmt.Println("nothing lost:", counts.Balanced())
	fmt.Println("all full:", counts.By[outcome.Full] == counts.Planned)
	// Output:
	// nothing lost: true
	// all full: true
}
