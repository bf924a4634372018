# Everything runs in .venv, made from the locked requirements with the Python that is there (3.11 or later). The source is
# compiled as the installation of a wheel would, which an editable one leaves out.
PYTHON ?= python3
FUZZ ?= long
VENV := .venv
BIN := $(VENV)/bin
INSTALLED := $(VENV)/installed

.PHONY: demo test lint lint-workflows test-long bench mutate clean

demo: $(INSTALLED)
	$(BIN)/registrar demo

test: $(INSTALLED)
	$(BIN)/python -m pytest -q -n 2 --dist loadfile -m "not long" tests

lint: $(INSTALLED)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

# This repository's own workflows, the action, and the workflows that `registrar init` writes, in a registry of their own.
lint-workflows: $(VENV)/workflows.installed
	rm -rf build/registry
	$(BIN)/registrar init build/registry > /dev/null
	git init --quiet build/registry
	cp .github/jactionlint.yaml build/registry/.github/
	for folder in . build/registry; do \
		(cd $$folder && PATH="$(CURDIR)/$(BIN):$$PATH" \
		&& zizmor --offline --no-progress --quiet --pedantic --strict-collection .github $$(ls action.yml 2> /dev/null) \
		&& jactionlint --strict-exit \
		&& check-jsonschema --builtin-schema vendor.github-workflows .github/workflows/*.yml) || exit 1; \
	done
	$(BIN)/check-jsonschema --builtin-schema vendor.github-actions action.yml
	$(BIN)/check-jsonschema --builtin-schema vendor.dependabot .github/dependabot.yml

# What needs more than git and Python, or more than minutes: linters of workflows, the action in real workflows, GitHub's own
# descriptions, every failure of every request, and the long fuzz profile. A quarter of an hour on two cores; needs npm.
# `FUZZ=hunt` tries as many cases, but new ones.
test-long: $(VENV)/long.installed lint-workflows
	REGISTRAR_FUZZ=$(FUZZ) $(BIN)/python -m pytest -q -n 2 --dist worksteal -m "fuzz or long" tests

bench: $(VENV)/bench.installed
	$(BIN)/python benchmarks/run.py

# Changes the statistics in thousands of small ways; their tests have to notice nine in ten. See docs/mutation.md.
mutate: $(VENV)/mutate.installed
	REGISTRAR_FUZZ=mutate $(BIN)/mutmut run
	$(BIN)/python benchmarks/mutants.py

$(INSTALLED): requirements/test.lock pyproject.toml
	$(PYTHON) -c 'import sys; sys.exit("Python 3.11 or later is needed; set PYTHON=python3.12, say") if sys.version_info < (3, 11) else 0'
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements/test.lock
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation --editable .
	$(BIN)/python -m compileall -q src
	touch $@

# What else a command needs is locked in a file of its name.
$(VENV)/%.installed: requirements/%.lock $(INSTALLED)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r $<
	touch $@

clean:
	rm -rf build $(VENV) mutants .pytest_cache .mypy_cache .ruff_cache .hypothesis
