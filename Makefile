# Needs Rust (cargo), Python >= 3.11 and make; everything else is fetched into .venv and target.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
RUST_SOURCES := $(shell find crates -name '*.rs' -o -name Cargo.toml) Cargo.toml Cargo.lock

.PHONY: run test lint bench docs clean

run: $(VENV)/.built ## Compare all schemes on the default fabric
	$(BIN)/closlab compare

test: lint ## Lint, then all tests of both languages
	cargo test --workspace --exclude closlab-python
	$(BIN)/python -m pytest

lint: $(VENV)/.dev ## Formatting, clippy, ruff, mypy
	cargo fmt --all --check
	cargo clippy --workspace --all-targets -- -D warnings
	$(BIN)/ruff check python tests examples
	$(BIN)/ruff format --check python tests examples
	$(BIN)/mypy

bench: ## Speed in packet-hops per second of CPU
	cargo run --release --quiet -p closlab-bench

docs: $(VENV)/.built ## Regenerate docs/reference from the code
	$(BIN)/closlab reference docs/reference

# The package, editable: changed Python needs no rebuild, changed Rust does.
$(VENV)/.built: $(VENV)/.maturin $(RUST_SOURCES) pyproject.toml
	VIRTUAL_ENV=$(abspath $(VENV)) $(BIN)/maturin develop --release --quiet
	@touch $@

$(VENV)/.dev: $(VENV)/.built
	VIRTUAL_ENV=$(abspath $(VENV)) $(BIN)/maturin develop --release --quiet --extras dev
	@touch $@

$(VENV)/.maturin:
	@command -v cargo >/dev/null || { echo "error: cargo is not installed; see https://rustup.rs"; exit 1; }
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
		{ echo "error: Python >= 3.11 is needed; name one with: make PYTHON=/path/to/python3"; exit 1; }
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check 'maturin>=1.9.4,<2'
	@touch $@

clean:
	rm -rf $(VENV) target python/closlab/*.so
