.DEFAULT_GOAL := help
# Without the built-in rules make starts in a few milliseconds.
MAKEFLAGS += --no-builtin-rules --no-print-directory
.SUFFIXES:
# The Node.js that package.json pins, whatever the machine has.
export PATH := $(CURDIR)/node_modules/.bin:$(PATH)
# Test files are processes of their own: a fifth of their time is compiling the same modules.
export NODE_COMPILE_CACHE := $(CURDIR)/node_modules/.cache/tests

# Does not mix the output of parallel jobs, if this make supports that.
together := $(if $(filter output-sync,$(.FEATURES)),--output-sync=target)

.PHONY: help setup start dashboard dashboard-watch client check types lint unit test test-browser test-containers soak bench dist version release clean

help: ## list these targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-15s %s\n", $$1, $$2 }' Makefile

setup: ## install what listd needs to run; does nothing if nothing is missing
	@scripts/setup

.PHONY: development
development:
	@scripts/setup development

start: ## run listd with its data in ./data
	@scripts/setup dashboard
	@exec scripts/listd start

check: development ## types, lint, tidiness and unit tests, in parallel
	@$(MAKE) --jobs $(together) types lint unit

types: development
	tsc --noEmit
	tsc --project services/dashboard

lint: development
	biome check .

unit: development
	node test/run.ts test/tidy.test.ts test/unit

test: check ## all tests: check, then the tests with real servers and processes
	@scripts/setup tests
	node test/run.ts

test-browser: ## all tests of the dashboard in a browser, of which make test runs a part
	@scripts/setup browser
	node test/run.ts --backend sqlite test/browser

test-containers: ## the tests of database servers on newer ones in containers, and of the image and compose
	@scripts/setup containers
	@scripts/test-containers

soak: ## repeated crashes, floods and freezes; takes long
	@scripts/setup tests
	node test/run.ts --soak
	node test/run.ts --soak --backend postgres test/e2e/shipped/chart.postgres.test.ts
	node test/run.ts --soak --backend postgres --backend mysql test/e2e/killed/live-clients-killed.test.ts

bench: development ## measure performance, as ratios within one run
	node bench/main.ts

dist: ## build listd as one executable file in dist, with checksums and a bill of materials
	@scripts/setup executable
	node scripts/executable/build.ts dist

dashboard: ## build the dashboard in dist/dashboard, if its sources have changed
	@scripts/setup dashboard

dashboard-watch: dashboard ## build the dashboard again whenever a source is saved
	node scripts/watch-dashboard.ts

client: development ## build the client for JavaScript in client/dist dist
	node client/build.ts

version: development ## write VERSION=1.2.3 into every file that has the version
	node scripts/release/release.ts --stamp-only $(VERSION)

release: development ## release VERSION=1.2.3 from main: date the changelog, stamp the version, check, commit and tag
	node scripts/release/release.ts $(VERSION)

clean: ## remove installed packages and caches, but not the data
	rm -rf node_modules test/openapi-client/node_modules test/openapi-linters/node_modules bench/graphile-worker/node_modules services/dashboard/node_modules \
	  client/dist dist/dashboard
