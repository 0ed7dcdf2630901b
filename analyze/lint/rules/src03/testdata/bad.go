package p

import (
	"context"
	"time"
)

func call(ctx context.Context) {
	_, cancel := context.WithTimeout(ctx, 3*time.Second) // want SRC-03 "the limit of 3s .*in call is thrown away"
	defer cancel()
}
