# Short names for what CI and contributors run. `make` alone builds the program.

GOLANGCI_LINT = github.com/golangci/golangci-lint/v2/cmd/golangci-lint@v2.15.0
STATICCHECK   = honnef.co/go/tools/cmd/staticcheck@v0.8.2

.PHONY: build test race lint lint-full man reference update ci clean

build: ## a static binary in ./kneeline
	CGO_ENABLED=0 go build -trimpath -ldflags='-s -w' -o kneeline .

test: ## all tests but the end-to-end ones
	go test ./...

race:
	go test -race ./cmd ./internal/progress/... ./loadgen/...

lint: ## what CI checks
	test -z "$$(gofmt -l $$(git ls-files '*.go'))"
	go vet ./...
	go run $(STATICCHECK) ./...

lint-full: ## golangci-lint with our layer rules; slow the first time (it is compiled)
	go run $(GOLANGCI_LINT) run ./...

man: ## man pages in dist/man
	go run ./internal/gendocs -man dist/man

reference: ## the command reference in dist/reference
	go run ./internal/gendocs -markdown dist/reference

update: ## rewrite golden files and the expected output of scripts
	go test ./cmd -run 'TestScripts' -update

ci: ## everything, as CI does
	.ci/run

clean:
	rm -rf kneeline dist
