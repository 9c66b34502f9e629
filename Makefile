# Errata. Every target is one line of work; `make help` lists them.
SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.ONESHELL:
.DEFAULT_GOAL := help
MAKEFLAGS += --no-print-directory

# The project's own Node comes first once it is installed. npm looks for the machine's npmrc (a company's CA or proxy)
# beside the node that runs it, so where that file lies is asked before PATH changes.
export NPM_CONFIG_GLOBALCONFIG ?= $(shell npm config get globalconfig 2>/dev/null)
export PATH := $(CURDIR)/node_modules/.bin:$(PATH)
export NX_DAEMON := false
export NX_TUI := false

SETUP := node_modules/.package-lock.json
say = printf '\033[1m==> %s\033[0m\n'

.PHONY: help start test dev build check lint format e2e screenshots bench faults seed doctor backup image verify-image up down logs clean

help: ## list the targets
	@grep -hE '^[a-z0-9-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z0-9-]+):.*## /\1\t/' | expand -t 14

start: build data/console-token ## build when something changed, then run with the embedded store; prints the addresses
	@$(say) 'starting Errata (Ctrl-C stops it)'
	[ -n "$${ERRATA_CONSOLE_TOKEN:-}$${ERRATA_CONSOLE_TOKEN_FILE:-}" ] || export ERRATA_CONSOLE_TOKEN_FILE=data/console-token
	ERRATA_DEMO=$${ERRATA_DEMO:-on} ERRATA_CONSOLE_LINK=$${ERRATA_CONSOLE_LINK:-on} MALLOC_ARENA_MAX=2 MALLOC_MMAP_THRESHOLD_=262144 MALLOC_TRIM_THRESHOLD_=16777216 exec node --max-semi-space-size=8 --heap-growing-percent=30 --expose-gc backend/dist/main.js

test: build browser ## everything that must pass; the last line sums all runners up
	@node .ci/test.ts

dev: build data/console-token ## rebuild and restart on every save: backend on 3000, client on 5173
	@ERRATA_DATA_DIR=$(CURDIR)/data ERRATA_CONSOLE_TOKEN_FILE=$(CURDIR)/data/console-token ERRATA_DEMO=on ERRATA_CONSOLE_LINK=on nx run-many -t dev --outputStyle=stream

build: $(SETUP) ## compile backend and client (what did not change comes from the cache)
	@$(say) 'building backend and client'
	nx run-many -t build --outputStyle=static

check: $(SETUP) lint ## lint, types, formatting, unused code, generated docs
	@nx run-many -t typecheck --outputStyle=static
	prettier --check --log-level warn .
	knip
	node tools/configuration-docs.ts --check
	node tools/openapi.ts --check
	node tools/platform-lock.ts --check

lint: $(SETUP) ## style rules, import directions, cycles, barrels, file length
	@oxlint --deny-warnings
	node tools/check-imports.ts

format: $(SETUP) ## write the formatting, and what is made from the sources: docs/configuration.md, openapi.json
	@prettier --write --log-level warn . && node tools/configuration-docs.ts && node tools/openapi.ts

e2e: build browser ## the whole process in a real browser, with outages
	@playwright test --config e2e/playwright.config.ts

screenshots: build browser ## pictures of every page in every state, into docs/images/pages
	@node e2e/screenshots.ts

bench: build ## speed next to its peers, as ratios within one run, with a verdict per target (FULL=1: all of it)
	@bench/run.sh

faults: build ## make every fault happen and measure it (ONLY=F6,F13 KILLS=200 SEED=7 FULL=1)
	@node e2e/faults/main.ts

seed: $(SETUP) ## fill the running Errata with some 200 errors of all kinds and print digests to try (SEED=7)
	@node tools/seed.ts

doctor: $(SETUP) ## look at the settings and the running Errata, and say what is wrong
	@node tools/doctor.ts

backup: $(SETUP) ## copy the embedded databases to data/backups while Errata runs
	@node tools/backup.ts

image: ## build the container image with the engine that is here (docker, podman or buildah)
	@docker/build-image.sh

verify-image: $(SETUP) ## build the image for real and run it locked down, without a Docker engine (root)
	@docker/verify-image.sh

up: ## application and PostgreSQL by compose
	@docker compose -f docker/compose.yaml up --build --detach --wait

down: ## stop what `make up` started; volumes stay
	@docker compose -f docker/compose.yaml down

logs: ## follow the logs of `make up`
	@docker compose -f docker/compose.yaml logs --follow

clean: ## remove everything that was built or installed; data/ stays
	@rm -rf node_modules */node_modules */dist build .nx coverage test-results playwright-report e2e/test-results

.PHONY: browser
browser: $(SETUP)
	@e2e/install-browser.sh

$(SETUP): package-lock.json
	@$(say) 'installing Node 26 and the packages (about a minute)'
	npm ci --no-audit --no-fund --loglevel=error
	touch $@

data/console-token:
	@mkdir -p data && (umask 077 && head -c 24 /dev/urandom | base64 | tr '+/' '-_' > $@)
