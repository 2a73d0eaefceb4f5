# One command and the other: `make inject TRACK=A` and `make test`. Everything else is `twist --help`.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready
TRACK ?= A
SEED ?= 7
OUT ?= out/track-$(TRACK)
CORPUS ?=
OLD ?= $(if $(CORPUS),$(CORPUS),locomo)
NEW ?= $(OUT)
HTML ?=
CORPUS_OPTION := $(if $(CORPUS),--corpus $(CORPUS),)

.PHONY: setup inject diff test test-fast check lint types arrow frames bench bench-qa bench-client bench-llm llm-smoke lock clean
setup: $(READY)

$(READY): pyproject.toml requirements.lock
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes --requirement requirements.lock
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation --editable .
	touch $(READY)

inject: setup
	$(BIN)/twist inject $(CORPUS_OPTION) --track $(TRACK) --out $(OUT) --seed $(SEED)

diff: setup
	$(BIN)/twist diff $(OLD) $(NEW) $(if $(HTML),--html $(HTML),)

test: setup check
	$(BIN)/python -m pytest --cov --cov-report=term:skip-covered

test-fast: setup
	$(BIN)/python -m pytest -m "not slow"

check: lint types arrow frames

lint: setup
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: setup
	$(BIN)/mypy

arrow: setup
	$(BIN)/lint-imports

frames: setup
	$(BIN)/python -m arcs.lint

bench: setup
	$(BIN)/python -m benchmarks.track_a $(CORPUS_OPTION)

bench-qa: setup
	$(BIN)/python -m benchmarks.revalidation $(CORPUS_OPTION) $(if $(CASES),--cases $(CASES),)

bench-client: setup
	$(BIN)/python -m benchmarks.llm_client

bench-llm: setup
	$(BIN)/python -m benchmarks.llm_client
	$(BIN)/python -m benchmarks.llm $(CORPUS_OPTION)

llm-smoke: setup
	$(BIN)/python -m benchmarks.llm_smoke $(if $(MODEL),--model $(MODEL),)

lock: pyproject.toml
	$(BIN)/python -m piptools compile --quiet --generate-hashes --allow-unsafe --no-emit-index-url --no-emit-find-links --no-emit-trusted-host --extra dev --strip-extras --output-file requirements.lock pyproject.toml

clean:
	rm -rf out .pytest_cache .mypy_cache .ruff_cache .import_linter_cache
