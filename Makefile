# What one does with earthgym while building it. `make` alone lists the targets.

GO          ?= go
STATICCHECK ?= $(GO) run honnef.co/go/tools/cmd/staticcheck@v0.8.2
RUN         ?= runs/make-run
TIME        ?= 100s
NETWORKS    ?= $(notdir $(basename $(wildcard agents/shipped/networks/*.safetensors)))
SEEDS       ?= 3
networks: MINUTES ?= 30
figures: MINUTES  ?= 10
GAMES       ?= 100000
FRAMES      ?= 10000000
PYTHON      ?= python3
PACKAGE     := env/pipe/python
VENV        := .venv

# What is built here no debugger looks into, and what one would need takes a quarter of the compiler's time.
LEAN := -gcflags=all=-dwarf=false -ldflags=-w
export GOFLAGS := $(filter-out $(LEAN),$(shell $(GO) env GOFLAGS)) $(LEAN)

.DEFAULT_GOAL := help
.PHONY: help build run test lint unit race python test-torch test-libraries test-package docs wheel wheels release test-arm64 bench bench-against bench-torch benchmark bench-web rules soak frames golden pictures networks levels figures site generate

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## /{printf "  make %-14s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

build: ## build bin/earthgym
	$(GO) build -o bin/earthgym ./cmd/earthgym

run: build ## the main job: train an opponent for about two minutes, match it against every bot, write the report
	rm -rf $(RUN)
	bin/earthgym train resilience-earth --out $(RUN) --time $(TIME) --against random,script:naive,script:greedy,script:strong

# Of two cores the Python package's tests keep one at most, and what is beside them the rest: two of lint, unit and race at
# a time, as each of them has parts that keep one core or none. What python says stands in bin/python.log, and is shown
# when all else has passed; when something else has failed, it is given up.
test: build ## everything that a change must pass: python beside lint, unit and race
	@$(MAKE) python > bin/python.log 2>&1 & python=$$!; \
	trap 'exit 1' INT TERM; trap 'kill $$python 2>/dev/null || true' EXIT; \
	$(MAKE) -j2 lint unit race || exit; \
	wait $$python; failed=$$?; cat bin/python.log; exit $$failed

# Small heaps with much garbage: at the collector's own pace it takes a third of the time, and of staticcheck's more than half.
test build lint unit race: export GOGC ?= 400

lint: ## formatting, vet, also of the kernels for arm64, staticcheck, and nothing that other processors round otherwise
	@bad=$$(gofmt -l .); if [ -n "$$bad" ]; then echo "gofmt -w these:" $$bad; exit 1; fi
	$(GO) vet ./...
	GOOS=js GOARCH=wasm $(GO) vet -trimpath ./cmd/earthgym/web/site
	GOARCH=arm64 $(GO) vet $(UNRUN) ./agents/neural/gemm
	GOARCH=arm64 $(GO) test -c $(UNRUN) -o /dev/null ./agents/neural/gemm
	$(STATICCHECK) ./...
	@told=$$(GOARCH=arm64 $(GO) build $(UNRUN) -gcflags='-d=fmahash=vy -dwarf=false' $(ALIKE) 2>&1) || { echo "$$told"; exit 1; }; \
	fused=$$(echo "$$told" | \
		sed -nE '/(svg[a-z_]*|panel|memory)\.go:[0-9:]* [^ ]*$$/d; s/^fmahash triggered (.*; )?earthgym.([^ ]*\.go:[0-9]+):.*/\2/p' | sort -u); \
		if [ -n "$$fused" ]; then echo "rounded otherwise on arm64, which fuses x*y + z; write float64(x*y) + z:" $$fused; exit 1; fi
	@other=$$(grep -rnE 'math\.(Exp|Log)\(|NormFloat64\(' --include=*.go --exclude=*_test.go agents env games train); \
		if [ -n "$$other" ]; then echo "rounded otherwise on other processors; take those of env/alike:" "$$other"; exit 1; fi

# What must come out to the bit on every machine: how bots decide, what games pay and show, what environments reward, what
# search makes of it, and what networks answer and learn. Pictures and estimates of memory need not. Statistics (eval) are let be: the library below them adds in another order and fuses
# on arm64 whatever is written here, and no game's course depends on their last digits.
ALIKE := ./agents ./agents/scripted ./agents/mcts ./agents/neural/... ./env ./env/alike ./env/form ./env/pipe ./games/... ./train/...

# For arm64 nothing runs: it is compiled to be looked at. What is not ours need not be fast, but for what ours may take inline.
UNRUN := -trimpath -gcflags='all=-N -l -dwarf=false' $(foreach p,math earthgym,-gcflags=$p/...=-dwarf=false)

# Twice as many packages at once as there are cores: some wait for a browser, or for the clock.
PACKAGES = -p $(shell expr 2 '*' "$$(getconf _NPROCESSORS_ONLN)")

# What lint vets is not vetted again with each test. Go's own limit, ten minutes for a package, is one of the machine and of
# what else it does: where something hangs, an hour tells it too.
# The longest packages begin first.
unit: site ## all tests, that of the page without a server too
	$(GO) test -vet=off -timeout 60m $(PACKAGES) ./cmd/... ./...

# Only where goroutines start, or wait for each other, can they race. At exit the detector would wait a second for those
# that are left, in each of the hundreds of programs that tests start.
race: ## the tests of what goes on at the same time, shorter, under the race detector
	GORACE="atexit_sleep_ms=10 $$GORACE" $(GO) test -race -short -vet=off -timeout 60m $(PACKAGES) $$($(GO) list -f '{{.ImportPath}} {{.Dir}}' ./... | \
		while read -r package dir; do ! grep -qE '^[[:space:]]*go (func|[A-Za-z_.]+)\(|[a-z]\.Go\(|/internal/team"' "$$dir"/*.go || echo "$$package"; done)

python: build $(VENV)/ready ## the Python package: style, types, and all tests with the real Gymnasium and PettingZoo
	$(VENV)/bin/ruff check $(PACKAGE)
	$(VENV)/bin/ruff format --check $(PACKAGE)
	cd $(PACKAGE) && $(CURDIR)/$(VENV)/bin/mypy && $(CURDIR)/$(VENV)/bin/basedpyright
	cd $(PACKAGE) && exec env EARTHGYM_BINARY=$(CURDIR)/bin/earthgym $(CURDIR)/$(VENV)/bin/python -m pytest -q

# A virtual environment with the pinned versions. Debian's Python comes without what makes one.
$(VENV)/ready: $(PACKAGE)/requirements-test.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
		{ echo "the Python package needs Python 3.11 or newer: make PYTHON=python3.12 …"; exit 1; }
	@rm -rf $(VENV)
	@if $(PYTHON) -c 'import ensurepip' 2>/dev/null; then $(PYTHON) -m venv $(VENV); \
	elif $(PYTHON) -m pip --version >/dev/null 2>&1; then \
		$(PYTHON) -m venv --without-pip $(VENV) && $(PYTHON) -m pip -q --python $(VENV)/bin/python install pip; \
	else echo "this Python can't make virtual environments; on Debian and Ubuntu: apt install python3-venv"; exit 1; fi
	$(VENV)/bin/python -m pip install -q --disable-pip-version-check -r $<
	@touch $@

test-torch: build $(VENV)/torch ## the examples that need PyTorch and Stable-Baselines3, which it installs
	cd $(PACKAGE) && EARTHGYM_BINARY=$(CURDIR)/bin/earthgym $(CURDIR)/$(VENV)/bin/python -m pytest -q tests_torch

$(VENV)/torch: $(VENV)/ready $(PACKAGE)/requirements-torch.txt
	$(VENV)/bin/python -m pip install -q --disable-pip-version-check -r $(PACKAGE)/requirements-torch.txt
	@touch $@

# They can't all be installed together, so each set has a virtual environment of its own.
PIP_model := --no-deps
LIBRARIES ?= $(notdir $(patsubst %/,%,$(dir $(wildcard $(PACKAGE)/tests_libraries/*/requirements.txt))))

test-libraries: $(addprefix test-library-,$(LIBRARIES)) ## the examples with other libraries, which it installs; LIBRARIES="train rllib" for some

test-library-%: build $(VENV)/libraries/%/ready
	cd $(PACKAGE) && EARTHGYM_BINARY=$(CURDIR)/bin/earthgym $(CURDIR)/$(VENV)/libraries/$*/bin/python -m pytest -q tests_libraries/$*

$(VENV)/libraries/%/ready: $(PACKAGE)/tests_libraries/%/requirements.txt $(VENV)/ready
	$(call alone,$(PIP_$*))

$(VENV)/docs/ready: $(PACKAGE)/docs/requirements.txt $(VENV)/ready
	$(call alone)

# A virtual environment of its own for what a list of requirements names.
define alone
	rm -rf $(@D) && mkdir -p $(dir $(@D))
	$(VENV)/bin/python -m venv --without-pip $(@D)
	$(VENV)/bin/python -m pip -q --python $(@D)/bin/python install --disable-pip-version-check $(1) -r $<
	@touch $@
endef

.PRECIOUS: $(VENV)/libraries/%/ready

# What others' licences demand of those who pass a program on: their texts. $(1) says for which systems, $(2) is the program.
define licences
	@mkdir -p $(@D)
	@for os in $(1); do \
		GOOS=$${os%/*} GOARCH=$${os#*/} $(GO) list -deps -f '{{with .Module}}{{if not .Main}}{{.Path}} {{.Version}} {{.Dir}}{{end}}{{end}}' $(2) || exit 1; \
	done > $@.modules
	@{ echo "earthgym is under the Apache License 2.0. It contains parts of Go and of the modules below, under these licences."; \
	echo; echo "======== Go"; echo; cat "$$($(GO) env GOROOT)/LICENSE"; \
	sort -u $@.modules | while read -r module version dir; do \
		texts=$$(find "$$dir" -type f '(' -iname 'licen[cs]e*' -o -iname 'copying*' -o -iname 'notice*' -o -path '*/licenses/*' ')' \
			! -name '*.go' ! -path '*/testdata/*' | sort); \
		test -n "$$texts" || { echo "$$module $$version has no licence" >&2; exit 1; }; \
		echo; echo "======== $$module $$version"; for text in $$texts; do echo; cat "$$text"; done; \
	done; } > $@.part && mv $@.part $@
	@rm $@.modules
endef

bin/THIRD-PARTY-LICENSES: go.mod
	$(call licences,linux/amd64 darwin/arm64 windows/amd64,./cmd/earthgym)

bin/site/THIRD-PARTY-LICENSES: go.mod
	$(call licences,js/wasm,./cmd/earthgym/web/site)

wheel: bin/THIRD-PARTY-LICENSES ## a wheel of the Python package, with the program inside, in dist; PLATFORM=linux-arm64 for another machine
	@$(if $(TAG),,echo "there is no PLATFORM=$(PLATFORM): $(PLATFORMS)"; exit 1)
	rm -rf bin/wheel && mkdir -p bin/wheel/source dist
	CGO_ENABLED=0 GOOS=$(GOOS_$(PLATFORM)) GOARCH=$(GOARCH_$(PLATFORM)) $(GO) build -trimpath -ldflags=-s -o bin/wheel/earthgym$(EXE_$(PLATFORM)) ./cmd/earthgym
	cd $(PACKAGE) && cp -R LICENSE MANIFEST.in README.md pyproject.toml setup.py src $(CURDIR)/bin/wheel/source
	cp env/pipe/PROTOCOL.md bin/THIRD-PARTY-LICENSES bin/wheel/source/src/earthgym
	EARTHGYM_BINARY=$(CURDIR)/bin/wheel/earthgym$(EXE_$(PLATFORM)) EARTHGYM_PLATFORM=$(TAG) \
		$(PYTHON) -m pip wheel -q --disable-pip-version-check --no-deps -w dist ./bin/wheel/source

wheels: ## a wheel for each platform
	$(foreach p,$(PLATFORMS),$(MAKE) wheel PLATFORM=$p &&) true

# The program is linked statically, so any Linux of the machine's kind will do. Go needs macOS 12.
PLATFORMS := linux-x86_64 linux-arm64 macos-arm64 macos-x86_64 windows-x86_64
PLATFORM = $(patsubst linux-aarch64,linux-arm64,$(subst Darwin,macos,$(subst Linux,linux,$(shell uname -s)))-$(shell uname -m))

GOOS_linux-x86_64 := linux
GOARCH_linux-x86_64 := amd64
TAG_linux-x86_64 := manylinux_2_17_x86_64.manylinux2014_x86_64.musllinux_1_1_x86_64
GOOS_linux-arm64 := linux
GOARCH_linux-arm64 := arm64
TAG_linux-arm64 := manylinux_2_17_aarch64.manylinux2014_aarch64.musllinux_1_1_aarch64
GOOS_macos-arm64 := darwin
GOARCH_macos-arm64 := arm64
TAG_macos-arm64 := macosx_12_0_arm64
GOOS_macos-x86_64 := darwin
GOARCH_macos-x86_64 := amd64
TAG_macos-x86_64 := macosx_12_0_x86_64
GOOS_windows-x86_64 := windows
GOARCH_windows-x86_64 := amd64
TAG_windows-x86_64 := win_amd64
EXE_windows-x86_64 := .exe
TAG = $(TAG_$(PLATFORM))

# Beside the tests it must pass make bench-against: nothing 1.3 times as slow as at the last release, or at LAST.
release: bin/THIRD-PARTY-LICENSES ## binaries for four platforms, wheels, and the checksums of all, in dist, once all passes; it publishes nothing
	@test -z "$$(git status --porcelain)" || { echo "commit first: a release is made of what is committed"; exit 1; }
	@test -n "$(LAST)" || { echo "name the revision that the speed is held against: there is no tag of a release yet; make release LAST=…"; exit 1; }
	$(MAKE) bench-against REV=$(LAST)
	rm -rf dist && mkdir dist
	$(foreach t,$(BINARIES),CGO_ENABLED=0 GOOS=$(firstword $(subst -, ,$t)) GOARCH=$(word 2,$(subst -, ,$(basename $t))) \
		$(GO) build -trimpath -ldflags=-s -o dist/earthgym-$(VERSION)-$t ./cmd/earthgym &&) true
	$(MAKE) wheels
	cp LICENSE bin/THIRD-PARTY-LICENSES CHANGELOG.md dist
	cd dist && $(SHA256) * > SHA256SUMS && $(SHA256) -c --quiet SHA256SUMS

LAST     ?= $(shell git describe --tags --abbrev=0 2>/dev/null)
BINARIES := linux-amd64 linux-arm64 darwin-arm64 windows-amd64.exe
VERSION = $(shell sed -n 's/^const version = "\(.*\)"/\1/p' cmd/earthgym/version.go)
SHA256 = $(shell command -v sha256sum || echo shasum -a 256)

# Strictly: a link that leads nowhere, a page that is in no list and a name that goes without a word fail.
docs: $(VENV)/docs/ready ## build the pages of bin/docs from READMEs and docstrings; links that lead nowhere fail
	$(VENV)/docs/bin/mkdocs build -f $(PACKAGE)/docs/mkdocs.yml

test-package: $(VENV)/ready ## wheels for every platform, installed where they can be, with each Python from 3.10 to 3.14 that there is
	$(VENV)/bin/python -m pytest -q -p no:cacheprovider $(PACKAGE)/tests_package

# The whole suite takes an emulator hours. What is stored for all processors is here.
test-arm64: ## the kernels of arm64, and what it must have in common with other processors, by an emulator
	@command -v $(QEMU) >/dev/null || { echo "there is no $(QEMU), which emulates an arm64; on Debian and Ubuntu: apt install qemu-user-static"; exit 1; }
	GOARCH=arm64 $(GO) test -vet=off -exec $(QEMU) ./env/alike ./agents/neural/gemm
	GOARCH=arm64 $(GO) test -vet=off -exec $(QEMU) -run Golden ./agents/neural ./agents/mcts ./train

QEMU ?= qemu-aarch64-static

bench: build ## how fast random games are played, and the packages' own benchmarks
	bin/earthgym bench
	$(GO) test -run '^$$' -bench . -benchmem ./...

# Two to three minutes of an idle machine. A commit that makes a figure more than 1.1 times as slow says why.
bench-against: build $(VENV)/ready ## how many times as long stepping, the pipe and training take as at REV; fails above 1.3
	rm -rf bin/against && mkdir -p bin/against
	git archive $(REV) | tar -x -C bin/against
	cd bin/against && $(GO) build -o earthgym ./cmd/earthgym
	$(GO) run ./cmd/bench-against -python $(VENV)/bin/python -new bin/earthgym -new-python $(PACKAGE)/src \
		-old bin/against/earthgym -old-python bin/against/$(PACKAGE)/src $(VARIANTS)

REV      ?= main
VARIANTS ?= one-earth earth-rising new-earth resilience-earth earthmans-burden

bench-torch: build $(VENV)/torch ## what a training step takes of the processor time of PyTorch's, in each game
	$(GO) build -o bin/bench-torch ./cmd/bench-torch
	PYTHONPATH=$(PACKAGE)/src EARTHGYM_BINARY=bin/earthgym OMP_NUM_THREADS=1 $(VENV)/bin/python cmd/bench-torch/compare.py bin/bench-torch

bench-web: ## how fast pages are: first paint, a decision shown, 50 tables at once, 1,000 who look on
	$(GO) test ./cmd/earthgym/web -run xxx -bench FirstPaint -benchtime 10x
	$(GO) test ./cmd/earthgym/web -run xxx -bench 'DecisionShown|Spectators' -benchtime 30x
	$(GO) test ./cmd/earthgym/web -run xxx -bench Tables -benchtime 30x

rules: ## how much of each rulebook is tested, rule by rule
	$(GO) test ./games -run 'TestRules$$|TestGamesAreComplete$$' -v

soak: ## GAMES random games of every variant, checked after every decision; runs and tournaments, killed and resumed
	$(GO) test ./games/... -run 'TestSoak$$' -v -timeout 0 -soak=$(GAMES)
	$(GO) test ./train -run 'TestKills$$' -v -timeout 0 -kills=500
	$(GO) test ./eval -run 'TestKills$$' -v -timeout 0 -kills=50
	$(GO) test ./cmd/earthgym -run 'TestFarmSurvives$$' -v -timeout 0 -kills=50

frames: ## FRAMES mutated frames at the server of the pipe: an answer or the end of that connection, and nothing else
	$(GO) test ./env/pipe -run 'TestMutatedFrames$$' -v -timeout 0 -frames=$(FRAMES)

golden: ## rewrite the golden files; read the diff before you commit it
	$(GO) test ./games/... ./env/envtest/... ./env/pipe ./eval -update

benchmark: build ## redo the stored results of the benchmark, and their tables: ten minutes of one core, to be gone on with
	mkdir -p bin/benchmark
	bin/earthgym benchmark --out bin/benchmark --json > bin/benchmark/results.json
	cp bin/benchmark/results.json eval/benchmark/results.json
	$(GO) test ./eval/benchmark -run Readme -update

pictures: ## draw board.png of each game from the picture of its HOWTO.md (librsvg and ImageMagick), and keep those of the pages in bin/pictures
	@for how in games/*/HOWTO.md; do \
		game=$$(dirname $$how); svg=$$(sed -n 's/^!\[.*](\(.*\.svg\))$$/\1/p' $$how); \
		rsvg-convert -w 800 $$game/$$svg | convert png:- -dither None -colors 128 -strip PNG8:$$game/board.png || exit 1; \
	done; ls -l games/*/board.png
	$(GO) test ./cmd/earthgym/web -run 'TestLayout$$' -count 1 -pictures $(CURDIR)/bin/pictures

# MINUTES each at all variants, from the files as they are; FROM=scratch begins anew, with teachers, and NETWORKS="new-earth" names
# others than those that there are. Cards measure the tables that are named here, and measured.json all others. Where there is more to
# see, layers are narrower, so that a file takes at most 2 MiB.
networks: build ## train the networks that come with the program on, export them with their strength, and fit the levels to them
	@for game in $(NETWORKS); do \
		run=runs/shipped-$$game; file=agents/shipped/networks/$$game.safetensors; hidden=256,256; more=; field=; \
		seat="--opponents $(CHARACTERS) --exploit true --opponent-share 0.96 --pool-share 0.02 --kl-coef 0.02 --minibatch 16384 --learning-rate 2e-4"; \
		case $$game in \
			one-earth) seats="2 3 4 5"; field=$$seat; for n in 3 4 5; do more="$$more $$game:players=$$n,mode=advanced"; done;; \
			earthmans-burden) seats="2 3 4 5 6"; hidden=224,224; more="$$game:territory=on"; \
				for n in 2 4 6; do more="$$more $$game:players=$$n,$(OPTIONAL)"; done;; \
			earth-rising) seats="2 3 4 5 6"; more="$$game:variant=solo"; for n in 1 2 3 4 5 6; do more="$$more $$game:variant=quickplay,players=$$n"; done;; \
			*) seats="2 3 4"; field=$$seat;; esac; \
		from="--from $$file --clone="; test "$(FROM)" != scratch || from=; \
		tables=; for n in $$seats; do tables="$$tables $$game:players=$$n"; done; tables="$$tables $$more"; \
		variants=; for table in $$tables; do variants="$$variants --variant $$table"; done; \
		rm -rf $$run && \
		bin/earthgym train $$game --all-variants --out $$run $$from $$field --hidden $$hidden --time $(MINUTES)m --eval-every 180 --eval-games 200 && \
		bin/earthgym export $$run $$file $$variants --games 600 --seed 2026 || exit 1; \
	done
	$(GO) test ./agents/shipped -run Readme -update
	$(GO) test ./cmd/earthgym -run Measured -timeout 0 -measure
	$(MAKE) levels

# All optional rules of The Earthman's Burden.
OPTIONAL := skynet=on,collab=on,territory=on,prelude=on,espionage=on

# Bots of one character each teach how to play among these, and what to do at a table of another mind is left open.
CHARACTERS := random,script:naive,script:greedy,script:strong,script:varied,script:varied@1,script:varied@2,script:varied@3,script:varied@4,script:varied@5,script:varied@6

# They are fitted by the network that is in the program, so it is built again first.
levels: build ## fit level:1 to level:5 again to the networks that come with the program; some minutes a game
	@for game in $(NETWORKS); do bin/earthgym dev calibrate $$game --out agents/shipped/levels.json $(CALIBRATE) || exit 1; done

figures: build ## train every game by its defaults, SEEDS times for MINUTES each, and redo the table: hours, to be gone on with
	mkdir -p runs/figures
	bin/earthgym dev figures $(FIGURES) --out runs/figures --seeds $(SEEDS) --seed 2026 --time $(MINUTES)m --json > runs/figures/results.json
	cp runs/figures/results.json train/figures/results.json
	$(GO) test ./train/figures -run Readme -update

site: bin/site/THIRD-PARTY-LICENSES ## build the page that plays every game without a server, into the folder site: any web server shows it
	@mkdir -p site
	cp cmd/earthgym/web/page/* bin/site/THIRD-PARTY-LICENSES site
	cp cmd/earthgym/web/site/*.js "$$($(GO) env GOROOT)/lib/wasm/wasm_exec.js" site
	for page in index=start table=table watch=watch plain=plain; do \
		sed "s|<meta charset=.utf-8.>|&<meta http-equiv=\"Content-Security-Policy\" content=\"$(SITE_POLICY)\">|" \
			cmd/earthgym/web/page/$${page#*=}.html > site/$${page%=*}.html; \
	done; rm -f site/start.html site/room.*
	GOOS=js GOARCH=wasm $(GO) build -trimpath -ldflags='-s -w' -o site/earthgym.wasm ./cmd/earthgym/web/site
	@# The networks that fit, smallest first; what is said to be left out is not offered by the page.
	@rm -rf site/networks bin/networks && mkdir -p site/networks bin/networks
	$(GO) run ./cmd/earthgym/web/site/pack site bin/networks
	@bytes=$$(for f in site/* site/covers/*; do test -f $$f && gzip -9 -c $$f; done | wc -c); fit=; \
	for f in $$(ls -Sr bin/networks/*.packed); do \
		name=$$(basename $$f .packed); more=$$(gzip -9 -c $$f | wc -c); \
		if test $$((bytes + more)) -lt $(SITE_LIMIT); then cp $$f site/networks; fit="$${fit:+$$fit,}\"$$name\""; bytes=$$((bytes + more)); \
		else echo "site: the network of $$name is left out: $$more bytes gzipped"; fi; \
	done; echo "[$$fit]" > site/networks/networks.json; \
	echo "site: $$bytes bytes gzipped"; test $$bytes -lt $(SITE_LIMIT)

SITE_LIMIT := 6291456
SITE_POLICY := default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; img-src 'self' data: blob:; connect-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'none'

generate: ## rewrite the generated kernels
	$(GO) generate ./...
