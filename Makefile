# What one does with earthgym while building it. `make` alone lists the targets.

GO          ?= go
STATICCHECK ?= $(GO) run honnef.co/go/tools/cmd/staticcheck@v0.8.2
RUN         ?= runs/make-run
DECISIONS   ?= 2500000
GAMES       ?= 100000

.DEFAULT_GOAL := help
.PHONY: help build run test lint unit race bench rules soak golden generate

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z]+:.*## /{printf "  make %-9s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

build: ## build bin/earthgym
	$(GO) build -o bin/earthgym ./cmd/earthgym

run: build ## the main job: train an opponent by self-play for about two minutes, match it against every bot, write the report
	rm -rf $(RUN)
	bin/earthgym train resilience-earth --out $(RUN) --decisions $(DECISIONS) --against random,script:naive,script:greedy,script:strong

test: lint unit race ## everything that a change must pass

lint: ## formatting, vet, staticcheck
	@bad=$$(gofmt -l .); if [ -n "$$bad" ]; then echo "gofmt -w these:" $$bad; exit 1; fi
	$(GO) vet ./...
	$(STATICCHECK) ./...

unit: ## all tests
	$(GO) test ./...

race: ## all tests, shorter, under the race detector
	$(GO) test -race -short ./...

bench: build ## how fast random games are played, and the packages' own benchmarks
	bin/earthgym bench
	$(GO) test -run '^$$' -bench . -benchmem ./...

rules: ## how much of each rulebook is tested, rule by rule
	$(GO) test ./games -run 'TestRules$$|TestGamesAreComplete$$' -v

soak: ## many random games of every variant (GAMES of each), invariants checked after every decision
	$(GO) test ./games/... -run 'TestSoak$$' -v -timeout 0 -soak=$(GAMES)

golden: ## rewrite the golden files; read the diff before you commit it
	$(GO) test ./games/... ./env/envtest/... ./eval -update

generate: ## rewrite the generated kernels
	$(GO) generate ./...
