# Two commands on a fresh machine with Python and make: `make demo` and `make test`.
PYTHON ?= python3
VENV ?= .venv
BIN = $(VENV)/bin
READY = $(VENV)/.ready
PLAYABLE = $(VENV)/.playable

.PHONY: demo test lint bench clean

$(PLAYABLE): pyproject.toml constraints.txt
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e .
	@touch $@

$(READY): pyproject.toml constraints.txt
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[dev]'
	@touch $@ $(PLAYABLE)

# A whole game on the screen: created, played, undone, replayed.
demo: $(PLAYABLE)
	@TURNLOG=$(BIN)/turnlog sh demo.sh

lint: $(READY)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/pyright
	$(BIN)/lint-imports

test: lint
	$(BIN)/pytest -n auto

bench: $(READY)
	$(BIN)/python -m benchmarks

clean:
	rm -rf $(VENV)
