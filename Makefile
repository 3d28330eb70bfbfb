# `make run` and `make test` are all that a fresh clone needs; `make help` lists the rest.
# HOST, PORT, DATABASE_URL and the other settings reach the program through the environment as they are.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
INSTALLED := $(VENV)/.installed
POT := $(VENV)/messages.pot
# One lock serves every machine: markers, not the machine that made it, decide what is installed where.
# The locks name no address, so that they can be used with any package index.
COMPILE := $(BIN)/uv pip compile --quiet --upgrade --universal --python-version 3.11 --generate-hashes \
	--no-emit-index-url --no-emit-find-links --no-header --annotation-style line

.DEFAULT_GOAL := help
.PHONY: help setup run test check format bench lighthouse lock messages clean

help: ## list these targets
	@sed -n 's/^\([a-z]*\):[^#]*## \(.*\)/\1\t\2/p' Makefile | expand -t 12

setup: $(INSTALLED) ## make .venv with everything that is locked; does nothing when that is done

# The stamp is taken away first and touched last: without it, .venv is new or was interrupted, and is made from
# nothing. uv installs in two seconds what takes pip forty; pip is only asked for uv itself, by its hash.
$(INSTALLED): pyproject.toml requirements-uv.txt requirements-dev.txt
	@PYTHON="$(PYTHON)" .ci/system-packages python3-venv
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Python 3.11 is needed: make PYTHON=…")'
	@if [ ! -e $@ ] || ! $(BIN)/python -c '' 2>/dev/null; then \
		rm -rf $(VENV) && $(PYTHON) -m venv $(VENV) \
		&& $(BIN)/python -m pip install --quiet --require-hashes -r requirements-uv.txt; \
	fi
	@rm -f $@
	$(BIN)/uv pip sync --quiet --python $(BIN)/python --require-hashes requirements-uv.txt requirements-dev.txt
	$(BIN)/uv pip install --quiet --python $(BIN)/python --no-build-isolation --no-deps --editable .
	@touch $@

run: setup ## serve the games
	$(BIN)/python -m app serve

test: check ## check, then run every test; as root it installs the browser and PostgreSQL that the tests need
	@.ci/system-packages chromium libatomic1 postgresql
	$(BIN)/python -m pytest -n 2 --dist loadfile

check: setup ## lint, types and layers
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy
	$(BIN)/lint-imports --no-logo

format: setup ## put the code in its canonical form
	$(BIN)/ruff check --fix
	$(BIN)/ruff format

bench: setup ## measure the speed of the engine and of the server
	$(BIN)/python -m tests.bench

lighthouse: setup ## ask Lighthouse about the pages; needs npm
	$(BIN)/python -m tests.bench.lighthouse

lock: setup ## renew the locks with the newest releases
	echo 'uv>=0.13' | $(COMPILE) - --output-file requirements-uv.txt
	$(COMPILE) pyproject.toml --output-file requirements.txt
	$(COMPILE) pyproject.toml --extra dev --constraint requirements.txt --output-file requirements-dev.txt

messages: setup ## bring the catalogues up to date with the sentences in the code and the templates
	$(BIN)/pybabel extract --mapping-file pyproject.toml --add-location file --sort-output \
		--add-comments "Translators:" --project pasianssi --copyright-holder "Pasianssi contributors" \
		--output-file $(POT) .
	for language in fi en; do \
		$(BIN)/pybabel update --init-missing --ignore-obsolete --no-fuzzy-matching --ignore-pot-creation-date \
			--input-file $(POT) --output-dir app/locale --locale $$language || exit 1; \
	done

clean: ## remove what make made; the games in .data stay
	rm -rf $(VENV) *.egg-info build .mypy_cache .ruff_cache .pytest_cache .import_linter_cache .hypothesis
