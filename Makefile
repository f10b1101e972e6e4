# Two commands do all the set-up on a machine with Python and make: `make demo` and `make test`.
# Each makes its own environment in .venv; no key, no network beyond the package index.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
JOBS ?= 2
# One thread each: torch's threads in two workers on two cores would wait for one another.
PYTEST := OMP_NUM_THREADS=1 $(BIN)/pytest -n $(JOBS) --dist worksteal

.PHONY: demo test test-slow lint bench clean help

help:
	@echo "make demo       show the main job on recorded replies (no key needed)"
	@echo "make test       lint, types and the fast tests (under 10 minutes on two cores)"
	@echo "make test-slow  all tests, the long ones too"
	@echo "make bench      the benchmarks of this version"
	@echo "make clean      remove the environment and caches"

demo: $(VENV)/.demo
	$(BIN)/groundplan demo

test: $(VENV)/.dev lint
	$(PYTEST)

test-slow: $(VENV)/.dev
	$(PYTEST) -m "slow or not slow"

lint: $(VENV)/.dev
	$(BIN)/ruff check src tests benchmarks
	$(BIN)/ruff format --check src tests benchmarks
	$(BIN)/mypy

bench: $(VENV)/.dev
	$(BIN)/python benchmarks/check_speed.py
	$(BIN)/python benchmarks/validate_speed.py
	$(BIN)/python benchmarks/pool_throughput.py
	$(BIN)/python benchmarks/import_time.py

$(VENV)/.python:
	@$(PYTHON) -c 'import sys; sys.exit(not (3, 11) <= sys.version_info[:2] <= (3, 13))' || \
	  { echo "Python 3.11, 3.12 or 3.13 is wanted; name one with: make PYTHON=python3.12 ..."; exit 1; }
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --upgrade pip
	@touch $@

$(VENV)/.demo: $(VENV)/.python pyproject.toml
	$(BIN)/python -m pip install --quiet -e .
	@touch $@

$(VENV)/.dev: $(VENV)/.python pyproject.toml constraints.txt
	$(BIN)/python -m pip install --quiet --constraint constraints.txt -e ".[dev]"
	@touch $@ $(VENV)/.demo

clean:
	rm -rf $(VENV) .mypy_cache .ruff_cache .pytest_cache .hypothesis build dist
