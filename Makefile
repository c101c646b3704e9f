# `make` sets up a virtual environment and does the main job; `make test` sets up and runs every test.
PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin

.PHONY: all setup test tests quick lint docs conformance pins bench audit compat mutants clean
.DEFAULT_GOAL := all

all: $(VENV)/.ready
	$(BIN)/corpus check
	$(BIN)/corpus stats
	$(BIN)/corpus build
	$(BIN)/corpus figures
	$(BIN)/corpus render README.md
	$(BIN)/corpus forms

setup: $(VENV)/.dev

$(VENV)/.python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "Python 3.11 or newer is needed; name one: make PYTHON=python3.12" >&2; exit 1; }
	$(PYTHON) -m venv $(VENV)
	touch $@

# Modules are compiled when they are first imported: most never are, and that was half of the time.
$(VENV)/.ready: $(VENV)/.python pyproject.toml constraints.txt
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-compile -c constraints.txt -e '.[figures]'
	touch $@

$(VENV)/.dev: $(VENV)/.python pyproject.toml constraints.txt
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-compile \
	  -c constraints.txt -e '.[dev,conformance,docs]'
	touch $@ $(VENV)/.ready

lint: $(VENV)/.dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/codespell corpus docs README.md CONTRIBUTING.md data/*.toml

# What most changes can break, in a minute: what looks at the whole repository, and the smallest parts of the package.
# With them run the tests of the packages that differ from the default branch.
CHANGED = $(shell git diff --name-only $$(git merge-base HEAD origin/main 2>/dev/null || echo HEAD) -- corpus 2>/dev/null \
  | sed -n 's,^corpus/\([a-z_]*\)/\([a-z_]*\)/.*,tests/\1/\2,p' | sort -u | xargs -r ls -d 2>/dev/null)
quick: $(VENV)/.dev lint
	$(BIN)/corpus check --strict
	$(BIN)/python -m pytest -q -n auto --dist worksteal -m 'not slow' tests/model tests/printing tests/canvas \
	  tests/test_imports.py tests/test_docs.py tests/test_development.py tests/test_patterns.py \
	  tests/test_generality.py tests/test_repository.py tests/test_contributing.py tests/test_startup.py \
	  tests/test_threat_model.py $(CHANGED)

# The pages of docs/ as a site with search, in build/docs; `mkdocs serve` shows it while you write.
docs: $(VENV)/.dev
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict --quiet

# Generated files may be stale: rebuild.yml makes them anew on the default branch, `make` does here. The linters run beside
# the tests, which often wait; what they print comes before it.
test: $(VENV)/.dev
	$(MAKE) --no-print-directory --jobs=2 lint tests

tests:
	$(BIN)/corpus check --strict
	$(BIN)/corpus fmt --check
	$(BIN)/corpus build --check --allow-stale
	$(BIN)/python -m pytest -n auto --dist worksteal

# Other people's programs as witnesses: a folder of tests/conformance is a group with the packages that it needs, each in
# an environment of its own and of the newest version. `make conformance-bibliography` runs one group.
GROUPS := $(patsubst tests/conformance/%/requirements.txt,%,$(wildcard tests/conformance/*/requirements.txt))
conformance: $(GROUPS:%=conformance-%)

conformance-%: tests/conformance/%/requirements.txt
	test -d build/conformance/$* || $(PYTHON) -m venv build/conformance/$*
	build/conformance/$*/bin/python -m pip install --quiet --disable-pip-version-check --upgrade \
	  -e . pytest -r tests/conformance/$*/requirements.txt
	build/conformance/$*/bin/python -m pytest -c tests/conformance/pytest.ini tests/conformance/$*

# Whole processes against what people use today, half an hour; RESULTS.md is written from it. In an environment as users
# have it: beside the test libraries, pandera imports one of them at every start. `make bench BENCH=start` is short.
BENCH ?= --large
bench:
	test -d build/bench || $(PYTHON) -m venv build/bench
	build/bench/bin/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[bench]'
	build/bench/bin/python -m benchmarks $(BENCH)

# Exact versions of everything that the tests run with, made anew from what pyproject.toml allows today.
pins:
	rm -rf build/pins && $(PYTHON) -m venv build/pins
	build/pins/bin/python -m pip install --quiet --disable-pip-version-check -e '.[dev,conformance,docs,notebooks,bench]'
	{ echo "# Exact versions for development and CI; made by \`make pins\`."; \
	  build/pins/bin/python -m pip freeze --exclude-editable; } > constraints.txt

# Known vulnerabilities of the pinned versions; asks a public list, so it is no part of `make test`.
audit:
	$(PYTHON) -m venv build/audit
	build/audit/bin/python -m pip install --quiet --disable-pip-version-check 'pip-audit>=2.9'
	build/audit/bin/pip-audit --requirement constraints.txt --no-deps --disable-pip

# Everything of `make test` but the linters, on another Python and on the versions that a user may have: the newest that
# pyproject.toml allows, or with LOWEST=1 the lowest; TESTS names a part. What differs: docs/decisions/testing.md.
# `make compat PYTHON=python3.13`, `make compat PYTHON=python3.11 LOWEST=1`.
compat:
	rm -rf build/compat && $(PYTHON) -m venv build/compat
	build/compat/bin/python -m pip install --quiet --disable-pip-version-check \
	  $(if $(LOWEST),-c constraints-lowest.txt) -e '.[dev,conformance,docs]'
	build/compat/bin/python -W error -m corpus check --strict
	build/compat/bin/python -W error -m corpus fmt --check
	build/compat/bin/python -W error -m corpus build --check --allow-stale
	build/compat/bin/python -m pytest -n auto --dist worksteal $(TESTS)

# Which faults in a part of the package its tests find; a part is a folder. `mutmut results` and `mutmut show` list them.
PART ?= model
mutants: $(VENV)/.dev
	$(BIN)/python -m pip install --quiet --disable-pip-version-check 'mutmut==3.8.1'
	printf '[mutmut]\nsource_paths=corpus\nonly_mutate=corpus/$(PART)/*\npytest_add_cli_args_test_selection=tests/$(PART)\n' > setup.cfg
	printf 'also_copy=\n  data\n  docs\n  conftest.py\n  README.md\n' >> setup.cfg
	PATH="$(abspath $(BIN)):$$PATH" $(BIN)/mutmut run

clean:
	rm -rf $(VENV) build mutants dist .pytest_cache .mypy_cache .ruff_cache .hypothesis
