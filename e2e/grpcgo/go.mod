// A module of its own, so that gRPC and what it needs are no part of kneeline's modules.
module example.com/kneeline/e2e/grpcgo

go 1.26.0

require (
	example.com/kneeline v0.0.0
	google.golang.org/grpc v1.73.0
)

require (
	github.com/pelletier/go-toml/v2 v2.4.3 // indirect
	github.com/rogpeppe/go-internal v1.16.0 // indirect
	go.yaml.in/yaml/v3 v3.0.6 // indirect
	golang.org/x/net v0.62.0 // indirect
	golang.org/x/sys v0.50.0 // indirect
	golang.org/x/text v0.43.0 // indirect
	golang.org/x/tools v0.52.0 // indirect
	google.golang.org/genproto/googleapis/rpc v0.0.0-20250324211829-b45e905df463 // indirect
	google.golang.org/protobuf v1.36.6 // indirect
)

replace example.com/kneeline => ../..
