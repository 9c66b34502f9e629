# Errata. `make help` lists the targets.
SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.ONESHELL:
.DEFAULT_GOAL := help
MAKEFLAGS += --no-print-directory

# The machine's own programs, for `npm ci`: the Node in node_modules is removed while npm runs.
MACHINE_PATH := $(subst $(CURDIR)/node_modules/.bin:,,$(PATH))
# The project's own Node comes first once it is installed. npm looks for the machine's npmrc (a company's CA or proxy)
# beside the Node that runs it, so its path is read before PATH changes.
export NPM_CONFIG_GLOBALCONFIG ?= $(shell npm config get globalconfig 2>/dev/null)
export PATH := $(CURDIR)/node_modules/.bin:$(PATH)
export NX_DAEMON := false
export NX_TUI := false

# Only `make clients` fetches it: its packages are too many for the installation of everyone who runs the tests.
ASTRO := astro@7.3.5
# Two installations: what runs and builds Errata (the workspaces backend and frontend), and everything, with the
# dependencies of the root and of the other workspaces, which check and test.
BASE := node_modules/.installed-base
SETUP := node_modules/.installed
say = printf '\033[1m==> %s\033[0m\n'
# Prints the output of a command only when it fails.
quiet = .ci/quiet

.PHONY: help setup start test dev build pack check lint format e2e clients screenshots bench faults seed doctor backup restore image verify-image k8s manifests up down logs clean

help: ## list the targets
	@grep -hE '^[a-z0-9-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z0-9-]+):.*## /\1\t/' | expand -t 14
	printf '\nNeeds git, make, libatomic, Node >= 20 with npm, and 2 GB of free disk.\n'

start: build data/console-token ## build if something changed, run with the embedded database; prints URLs and a sign-in link
	@$(say) 'starting Errata (Ctrl-C stops it)'
	[ -n "$${ERRATA_CONSOLE_TOKEN:-}$${ERRATA_CONSOLE_TOKEN_FILE:-}" ] || export ERRATA_CONSOLE_TOKEN_FILE=data/console-token
	ERRATA_DEMO=$${ERRATA_DEMO:-on} ERRATA_CONSOLE_LINK=$${ERRATA_CONSOLE_LINK:-on} exec node docker/start.ts

test: $(SETUP) build programs ## run all tests and checks; the last line has the totals
	@node .ci/test.ts

setup: $(SETUP) ## install everything that the tests and checks need, in node_modules

dev: build data/console-token ## rebuild and restart on every save: server on 3000, client on 5173 (or the next free port)
	@$(say) 'starting Errata and Vite (Ctrl-C stops both); the sign-in link works on both ports'
	ERRATA_DATA_DIR=$(CURDIR)/data ERRATA_CONSOLE_TOKEN_FILE=$(CURDIR)/data/console-token ERRATA_DEMO=on ERRATA_CONSOLE_LINK=on nx run-many -t dev --outputStyle=stream

build: $(BASE) ## compile backend and client; unchanged parts come from the cache
	@$(say) 'building backend and client'
	$(quiet) nx run-many -t build --outputStyle=static

pack: build ## pack the Nest module and the React package for your applications, into build/
	@node tools/pack.ts

check: $(SETUP) ## lint, types, formatting, unused code, prose, commit subjects, lines of a folder, generated files; prints only failures
	@$(MAKE) --jobs=$$(nproc) --keep-going --output-sync=target check-format lint check-unused check-files

.PHONY: check-format check-unused check-files
check-format: $(SETUP)
	@$(quiet) prettier --check --log-level warn .
check-unused: $(SETUP)
	@$(quiet) knip
check-files: $(SETUP)
	@node tools/check-prose.ts
	node tools/check-commits.ts
	node tools/check-lines.ts
	node tools/configuration-docs.ts --check
	node tools/openapi.ts --check
	node tools/platform-lock.ts --check

lint: $(SETUP) ## types, style rules, timing of tests, import directions, cycles, barrels, file length, workflows
	@$(quiet) oxlint --deny-warnings
	node tools/check-imports.ts
	# Without optimizing the WebAssembly: a run uses each function a few times, and most of its time was the optimizer's.
	node --liftoff-only tools/check-workflows.ts

format: $(SETUP) ## format all files and write the generated ones: docs/configuration.md, README's example, openapi.json
	@prettier --write --log-level warn . && node tools/configuration-docs.ts && node tools/openapi.ts

e2e: $(SETUP) build programs ## test the whole process in a real browser, with outages
	@playwright test --config e2e/playwright.config.ts

clients: $(SETUP) build programs ## serve builds of other tools and compare each with a plain file server (installs MkDocs, fetches Astro once)
	@e2e/install-programs.sh mkdocs
	npm install --prefix=build/astro --no-audit --no-fund --ignore-scripts --loglevel=error $(ASTRO)
	ASTRO_MODULES=$(CURDIR)/build/astro/node_modules playwright test --config e2e/playwright.config.ts any-client

screenshots: $(SETUP) build programs ## take pictures of every page in every state, into docs/images/pages
	@node e2e/screenshots.ts

bench: $(SETUP) build ## compare speed with similar tools, as ratios within one run, with a verdict for each target (FULL=1: all of it)
	@bench/run.sh

faults: $(SETUP) build ## cause every fault of docs/faults.md and measure the effect (ONLY=F6,F13 KILLS=200 SEED=7 FULL=1 FORM=gate)
	@node e2e/faults/main.ts

seed: $(BASE) ## send reports of all kinds to the running Errata, print their numbers and digests to try (SEED=7)
	@node tools/seed.ts

doctor: $(BASE) ## check the settings and the running Errata, or a gateway in front of your servers (GATEWAY=https://shop.example/broken), and print what to fix
	@node tools/doctor$(if $(GATEWAY),-gateway).ts

backup: $(BASE) ## copy the embedded databases to data/backups while Errata runs, keep the newest 7 (DIR=/mnt/backups KEEP=7)
	@node tools/backup.ts

restore: $(BASE) ## copy a backup into the data directory of a stopped Errata (FROM=data/backups/<time> FORCE=1)
	@node tools/restore.ts

image: ## build the container image with docker, podman or buildah
	@docker/build-image.sh

verify-image: $(SETUP) ## build the image, test it in locked-down containers and Kubernetes pods, without Docker or a cluster (root)
	@docker/verify-image.sh

k8s: $(SETUP) ## check the Kubernetes manifests and the Helm chart, and let each alert fire, without a cluster
	@node tools/k8s.ts

manifests: $(SETUP) ## render the Kubernetes manifests and package the chart for a released image into build/ (IMAGE=name@sha256:digest)
	@node tools/manifests.ts "$(IMAGE)"

up: ## start application and PostgreSQL with compose; prints the URL and a sign-in link
	@docker/up.sh

down: ## stop the containers of `make up`; volumes stay
	@docker compose -f docker/compose.yaml down

logs: ## follow the logs of `make up`
	@docker compose -f docker/compose.yaml logs --follow

clean: ## remove everything that was built or installed; data/ stays
	@rm -rf node_modules */node_modules */dist build .nx coverage test-results playwright-report e2e/test-results

.PHONY: programs
programs: $(SETUP)
	@e2e/install-programs.sh chromium nginx caddy python-sdk

# $(call install,<what>,<options of npm ci>)
# Two targets of one run of make may ask for it at once (`make -j`).
define install
	@exec 9<package-lock.json; flock 9
	if [ $@ -nt package-lock.json ]; then exit 0; fi
	$(say) 'installing Node 26 and $(1), once'
	PATH='$(MACHINE_PATH)' npm ci --no-audit --no-fund --loglevel=error $(2)
	.ci/check-node.sh node_modules/.bin/node $@
	$(say) "installed in $$SECONDS s: $$(du -sh node_modules | cut -f1)"
endef

$(BASE): package-lock.json
	$(call install,the packages of Errata,--workspace=backend --workspace=frontend)
	touch $@

$(SETUP): package-lock.json
	$(call install,the packages of Errata and of its tests)
	touch $(BASE) $@

data/console-token:
	@mkdir -p data && (umask 077 && head -c 24 /dev/urandom | base64 | tr '+/' '-_' > $@)
