# Two commands on a fresh machine with Python and make: `make demo` and `make test`.
PYTHON ?= python3
VENV ?= .venv
BIN = $(VENV)/bin
READY = $(VENV)/.ready
PLAYABLE = $(VENV)/.playable
BENCH ?= .venv-bench
BENCHED = $(BENCH)/.ready

.PHONY: demo test lint bench clean

$(PLAYABLE): pyproject.toml constraints.txt
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[server]'
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

# In an environment of its own, beside other libraries: what cannot be installed is left out and named.
$(BENCHED): pyproject.toml constraints.txt benchmarks/requirements.txt benchmarks/boardgame_io/package.json
	$(PYTHON) -m venv $(BENCH)
	$(BENCH)/bin/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e .
	grep -v '^#' benchmarks/requirements.txt | while read -r peer; do \
		$(BENCH)/bin/python -m pip install --quiet --disable-pip-version-check "$$peer" || echo "left out: $$peer"; done
	npm install --prefix benchmarks/boardgame_io --no-package-lock --no-audit --no-fund || echo "left out: boardgame.io"
	@touch $@

bench: $(BENCHED)
	$(BENCH)/bin/python -m benchmarks

clean:
	rm -rf $(VENV) $(BENCH) benchmarks/boardgame_io/node_modules
