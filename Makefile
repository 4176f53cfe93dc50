# Two commands for a fresh clone: `make demo` and `make test`.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/pip --disable-pip-version-check
EXTRAS := models,langchain,remote,thor,serve,mcp,redis,ray,gym,dev
UNUSED := site-packages/(.*/tests?/|transformers/models/|ray/(rllib|tune|train|data|serve)/)
SHARED_TEACH ?= ../shared/data/teach
TEACH_DATA_DIR ?= $(if $(wildcard $(SHARED_TEACH)/games-*.tar.zst),$(CURDIR)/.data/teach,)
OUT ?= runs/demo

export TEACH_DATA_DIR
export HF_HUB_OFFLINE := 1
# The tests start hundreds of processes, none of which should have to compile the package anew.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: demo test ready check figures data models kernels clean help

help: ## Say what each target does
	@grep -hE '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed 's/:.*##/ -/'

$(BIN)/python:
	$(PYTHON) -m venv $(VENV)

$(VENV)/.core: pyproject.toml constraints.txt | $(BIN)/python
	$(PIP) install --quiet --no-compile --constraint constraints.txt --editable .
	@touch $@

# After .core, so that the kernels can be compiled meanwhile. Bytecode is not left to pip, which makes all of it on one core.
$(VENV)/.all: pyproject.toml constraints.txt | $(VENV)/.core
	$(PIP) install --quiet --no-compile torch==2.13.0
	$(PIP) install --quiet --no-compile --constraint constraints.txt --editable ".[$(EXTRAS)]"
	@touch $@

$(VENV)/.bytecode: $(VENV)/.all
	$(BIN)/python -W ignore -m compileall -qq -j 2 -x '$(UNUSED)' $(VENV)/lib || true  # some packages bring files that are no Python
	@touch $@

$(VENV)/.bench: pyproject.toml constraints.txt | $(VENV)/.all
	$(PIP) install --quiet --constraint constraints.txt --editable ".[bench]"
	@touch $@

demo: $(VENV)/.core ## Install, then play TATC self-play on generated instances and write a report
	$(BIN)/teach-agents tatc --commander planner --follower planner --generate 12 --seed 1 --workers 2 --out $(OUT)

data: | $(BIN)/python ## Unpack the TEACh archives that lie beside the checkout, where they exist
	@if [ -n "$(TEACH_DATA_DIR)" ] && [ -d "$(SHARED_TEACH)" ]; then sh scripts/unpack_data.sh "$(SHARED_TEACH)" "$(TEACH_DATA_DIR)"; fi

models: $(VENV)/.all ## Fetch the small real weights that some tests need (194 MB, once)
	for name in smollm2 minilm efficientnet-lite0; do \
	  $(BIN)/teach-agents models get $$name || echo "$$name: no real weights: their tests are skipped"; \
	done

kernels: $(VENV)/.core ## Compile the simulator's kernels, once for all processes: for this processor and for a plain one (a test's)
	$(BIN)/python -c "import tests.warmed"
	NUMBA_CPU_NAME=generic NUMBA_CPU_FEATURES= $(BIN)/python -c "import tests.warmed"

ready: kernels $(VENV)/.bytecode data models

test: ## Install with every extra, then run the tests
	$(MAKE) --no-print-directory --jobs 3 ready
	$(BIN)/pytest -n 2 --dist worksteal $(PYTEST_ARGS)

check: $(VENV)/.all ## Format, lint, types
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy

figures: $(VENV)/.bench data ## Recompute every figure of every issue (long)
	$(BIN)/python benchmarks/figures.py --out benchmarks/results

clean: ## Remove what the targets above made
	rm -rf $(VENV) .data runs dist build
