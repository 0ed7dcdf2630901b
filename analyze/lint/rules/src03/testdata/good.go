package p

import (
	"context"
	"time"
)

func call(ctx context.Context) context.Context {
	ctx, cancel := context.WithTimeout(ctx, 3*time.Second)
	defer cancel()
	return ctx
}
