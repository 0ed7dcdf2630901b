package p

import (
	"context"

	"google.golang.org/grpc"

	pb "shop/cart"
)

func get(conn *grpc.ClientConn) {
	pb.NewCartClient(conn).Get(context.Background(), nil) // want SRC-04 "Get in get is called without a deadline"
}
