# `make run` shows what Dossier does; `make test` checks all of it. Both set up what they need,
# given Rust, make, Python 3, for the web page Node.js and, for the tests, Chromium.

CARGO ?= cargo
PYTHON ?= python3
BINARY := target/release/dossier
RUN_DATA := target/run
KILLS ?= 1000

.PHONY: run build page test check crash bench peers fuzz contract clean

run: build
	@rm -rf $(RUN_DATA)
	$(BINARY) --data $(RUN_DATA) index examples/ferry --project ferry
	$(BINARY) --data $(RUN_DATA) import examples/ferry-talk.json --project ferry
	$(BINARY) --data $(RUN_DATA) explain --project ferry --budget 800 \
		"Why are bookings refused when the wind is strong, and who decided the limit?"
	$(BINARY) --data $(RUN_DATA) serve

build: need-cargo page
	$(CARGO) build --release --bin dossier

# Without Node.js the binary says at / how to get the page; everything else works.
page:
	@if command -v npm >/dev/null; then scripts/web; \
	else echo "Node.js is missing, so the binary gets no web page: apt-get install nodejs npm"; fi

test: need-cargo need-python need-chromium page check
	@scripts/postgres start
	@scripts/embeddings start
	@scripts/clients
	@DOSSIER_TEST_POSTGRES="$$(cat .test/postgres.url)"; export DOSSIER_TEST_POSTGRES; \
	DOSSIER_TEST_EMBEDDINGS="$$(cat .test/embeddings.url)"; export DOSSIER_TEST_EMBEDDINGS; \
	DOSSIER_TEST_CHAT="$$(cat .test/chat.url)"; export DOSSIER_TEST_CHAT; \
	if $(CARGO) nextest --version >/dev/null 2>&1; then \
		$(CARGO) nextest run --workspace; \
	else \
		$(CARGO) test --workspace; \
	fi; status=$$?; scripts/postgres stop; scripts/embeddings stop; exit $$status

check: need-cargo
	@if $(CARGO) fmt --version >/dev/null 2>&1; then $(CARGO) fmt --all --check; \
	else echo "rustfmt is missing: rustup component add rustfmt"; exit 1; fi
	@if $(CARGO) clippy --version >/dev/null 2>&1; then \
		$(CARGO) clippy --workspace --all-targets -- --deny warnings; \
	else echo "clippy is missing: rustup component add clippy"; exit 1; fi
	@scripts/web check

# `make test` kills some 300 processes at work; this kills as many as one likes.
crash: need-cargo need-python
	@scripts/postgres start
	@DOSSIER_TEST_POSTGRES="$$(cat .test/postgres.url)" DOSSIER_TEST_KILLS=$(KILLS) \
		$(CARGO) test --package dossier-store --test it crash::; \
	status=$$?; scripts/postgres stop; exit $$status

# The figures of README and ARCHITECTURE come from here: make bench DATA=folder, where the folder
# holds conversations.jsonl and files.jsonl in the format of `dossier eval context`. PARTS names
# some of speed, start, facts, quality, tree, rounds, load, consult and scale; consult wants TREE, a
# folder with a thousand Rust files, and scale takes half an hour to prepare, once.
bench: build
	@if [ -z "$(DATA)" ]; then echo "say where the data is: make bench DATA=folder"; exit 2; fi
	$(CARGO) run --release --package dossier-bench -- "$(DATA)" $(PARTS)
	@$(MAKE) crash

# Compressing and the answer cache beside headroom and GPTCache: make peers DATA=folder, where the
# folder holds payloads.json in the format of `dossier eval compress`.
peers: build need-python
	@if [ -z "$(DATA)" ]; then echo "say where the data is: make peers DATA=folder"; exit 2; fi
	@scripts/peers $(BINARY) "$(DATA)/payloads.json"

# Each target of fuzz/ for so many seconds, or one: make fuzz TARGET=chunk SECONDS=60. Needs nightly
# Rust and cargo-fuzz, and says how to install them.
fuzz: need-cargo
	@scripts/fuzz run "$(TARGET)" "$(or $(SECONDS),1200)"

# Asks the server everything that its OpenAPI document allows, and much that it does not.
contract: need-cargo need-python
	$(CARGO) build --bin dossier
	@scripts/schemathesis target/debug/dossier

clean:
	scripts/postgres stop
	scripts/embeddings stop
	$(CARGO) clean

need-cargo:
	@command -v $(CARGO) >/dev/null || { echo "Rust is missing: see https://rustup.rs"; exit 1; }

need-python:
	@command -v $(PYTHON) >/dev/null || { echo "Python 3 is missing: apt-get install python3 python3-venv"; exit 1; }

need-chromium:
	@command -v chromium >/dev/null || command -v chromium-browser >/dev/null || command -v google-chrome >/dev/null \
		|| { echo "Chromium is missing: apt-get install chromium"; exit 1; }
