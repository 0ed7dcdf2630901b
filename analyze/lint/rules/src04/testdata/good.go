package p

import (
	"context"

	"google.golang.org/grpc"

	pb "shop/cart"
)

func get(ctx context.Context, conn *grpc.ClientConn) {
	pb.NewCartClient(conn).Get(ctx, nil)
}
