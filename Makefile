# Everything a newcomer or a machine runs. A bare python3 is enough: the first call makes .venv from the
# locked requirements, later calls reinstall nothing until a lock file or pyproject.toml changes.

PYTHON ?= python3
VENV ?= .venv
ARGS ?=

ifeq ($(OS),Windows_NT)
BIN := $(VENV)/Scripts
PY := $(BIN)/python.exe
else
BIN := $(VENV)/bin
PY := $(BIN)/python
endif

PIP := $(PY) -m pip --disable-pip-version-check --quiet
# Two stamps: playing needs only the runtime, working on the project needs the tools as well.
PLAY := $(VENV)/.play-stamp
DEV := $(VENV)/.dev-stamp
# The page was built, or could not be: `make page` tries again.
PAGE := $(VENV)/.page-stamp
# What is checked, tested and read: folders and files that may be absent are named only where they exist.
CODE := src tests $(wildcard bench examples hatch_build.py release.py build_docs.py)
DOCS := README.md CONTRIBUTING.md $(wildcard docs)
# What the page is made of; the folders in it tell what was added and removed (web itself is a target).
WEB := $(shell find web src/bohn/i18n/catalogs -mindepth 1 -name node_modules -prune -o -print 2>/dev/null)
# The tests start hundreds of processes; where bytecode is not stored each of them would compile all sources anew.
export PYTHONDONTWRITEBYTECODE :=
FILES ?= $(shell find tests/scenarios -name '*.toml' 2>/dev/null | sort)

.DEFAULT_GOAL := help
.PHONY: help play terminal serve page web test quick e2e ray screenshots lint types cover scenarios bench load soak \
	faults mutation league exploit release docs format lock clean
.NOTPARALLEL: # two installations into one .venv would get in each other's way

help: ## show this list
	@sed -n 's/^\([a-z0-9]*\):[^#]*## \(.*\)/make \1\t\2/p' Makefile | expand -t 18

play: $(PLAY) $(PAGE) ## play in the browser: serves tables and opens the page (ARGS="--lan ...")
	@$(BIN)/bohn serve --open $(ARGS)

terminal: $(PLAY) ## play in the terminal against computer players (ARGS="--players 5 ...")
	@$(BIN)/bohn play $(ARGS)

serve: $(PLAY) $(PAGE) ## serve tables to people and programs over the network (ARGS="--port 8001 ...")
	@$(BIN)/bohn serve $(ARGS)

# Node comes from the lock too, and only where there is something to build.
BUILD_PAGE = if $(PY) hatch_build.py needed; then \
	$(PIP) install --require-hashes -r requirements/page.txt; $(PY) hatch_build.py; fi
page: $(PLAY) ## build the page from web/ if that is needed
	@export BOHN_PAGE=require; $(BUILD_PAGE)
	@touch $(PAGE)

web: $(DEV) ## the checks of web/: svelte-check, prettier, eslint, vitest
	@$(PY) hatch_build.py npm run check
	@$(PY) hatch_build.py npm run lint
	@$(PY) hatch_build.py npm run test

test: $(DEV) $(PAGE) ## all tests but the long ones in a browser, and the examples in the documents and docstrings
	$(PY) -m pytest -q -n auto --dist worksteal --doctest-modules --doctest-glob='*.md' tests src $(DOCS) $(ARGS)

e2e: $(DEV) $(PAGE) ## all tests in a browser (needs Chromium)
	@$(PY) hatch_build.py npm --version >/dev/null # installs the modules of web/, among them axe
	$(PY) -m pytest -q -m 'e2e or browser' tests/web $(ARGS)

ray: $(DEV) ## the tests of the arena and of learning on Ray, which is installed for them (240 MB)
	@$(PIP) install --require-hashes -r requirements/ray.txt
	BOHN_TEST_RAY=require $(PY) -m pytest -q -m ray tests/arena tests/bench $(ARGS)

screenshots: $(DEV) $(PAGE) ## pictures of the page when most is on it (needs Chromium)
	$(PY) -m pytest -q -m screenshots tests/web $(ARGS)

quick: $(DEV) ## the tests of the rules only, in seconds
	$(PY) -m pytest -q -x -n auto -m 'not slow' $(or $(wildcard tests/rules tests/scenarios),tests) $(ARGS)

lint: $(DEV) ## ruff, its formatter, codespell, and which package may import which
	$(PY) -m ruff check $(CODE)
	$(PY) -m ruff format --check $(CODE)
	$(PY) -m codespell_lib
	$(BIN)/lint-imports

types: $(DEV) ## mypy --strict
	$(PY) -m mypy $(CODE)

cover: $(DEV) ## the tests with branch coverage: 100 % of rules, views and notation
	$(PY) -m pytest -q -n auto --dist worksteal --cov --cov-report=term tests $(ARGS)

scenarios: $(PLAY) ## the rule scenarios (FILES=... for some of them)
	@$(BIN)/bohn scenarios $(FILES)

bench: $(PLAY) ## measure the speed of the engine
	$(PY) -m bench $(ARGS)

load: $(DEV) ## measure the server: 400 tables, 2,000 sockets, 1,000 commands a second
	$(PY) -m bench.server_load $(ARGS)

soak: $(DEV) ## random games with every invariant checked (ARGS="--games 100000"), core and twin, the server killed, people told
	$(PY) bench/soak.py $(ARGS)
	$(PY) -m bench.twin_soak $(TWIN_ARGS) # 10 million commands; fewer: TWIN_ARGS="--commands 100000"
	$(PY) -m bench.server_soak $(SERVER_ARGS)
	$(PY) -m bench.notices $(NOTICES_ARGS) # 10,000 turns; fewer: NOTICES_ARGS="--turns 1000"

faults: $(DEV) ## machines fail under load, and every promise is compared (root, Linux; ARGS="--minutes 60 --out DIR")
	$(PY) -m bench.faults $(ARGS)

mutation: $(DEV) ## change the rules in single places and see whether a test fails (ARGS="--mutants 400")
	$(PY) bench/mutation.py $(ARGS)

# All players of the compiled twin but the two that play at random, which would come last, and `strongest`, which
# plays level with `strong` and takes some thirty times as long for a game.
LEAGUE := no-trade,b3,b3u,b4,b6,pk,value-trader,generous-trader,beginner,gentle,fair,strong
league: $(DEV) ## all computer players against each other, and their table in docs/players.md (ARGS="--deals 200")
	$(BIN)/bohn arena league --bots $(LEAGUE) --deals 24 --out build/league --write docs/players.md $(ARGS)

exploit: $(DEV) ## attack `strong`, evolved and by hand, and the table of that in docs/players.md (ARGS="--games 50000")
	$(PY) -m bench.exploit --out build/exploit/1-evolved $(ARGS)
	$(PY) -m bench.exploit --odd --out build/exploit/2-odd --held-out 400
	$(PY) -m bench.exploit --odd --told --out build/exploit/2-odd-told --held-out 400
	$(PY) -m bench.exploit --form duellist --games 6000 --held-out 400 --out build/exploit/3-das-duell
	$(PY) -m bench.exploit --form duellist --odd --held-out 400 --out build/exploit/4-das-duell-odd
	$(PY) -m bench.exploit --out build/exploit/1-evolved --write docs/players.md

format: $(DEV) ## let ruff repair and format what it can, and prettier where web/ has its modules
	$(PY) -m ruff check --fix $(CODE)
	$(PY) -m ruff format $(CODE)
	@test ! -d web/node_modules || $(PY) hatch_build.py npm run format

release: $(DEV) ## build sdist and wheel twice, install the wheel by every way in, play a game with each (ARGS=--try)
	$(PIP) install --require-hashes -r requirements/release.txt
	$(PY) release.py $(ARGS)

docs: $(DEV) ## one site of the documents and the reference of the library, checked, in build/site
	@$(PIP) install --require-hashes -r requirements/docs.txt
	$(PY) build_docs.py $(ARGS)

# The locks name versions and hashes for every platform, and no index: pip's own setting decides where from.
LOCK := uv pip compile --quiet --upgrade --universal --python-version 3.11 --no-strip-extras --generate-hashes \
	--no-emit-index-url --no-header --no-annotate
lock: ## renew requirements/*.txt (needs uv)
	$(LOCK) --group build -o requirements/build.txt
	$(LOCK) --group page -o requirements/page.txt
	$(LOCK) pyproject.toml -o requirements/play.txt
	$(LOCK) pyproject.toml --extra fast --extra postgres --extra accounts --extra arena --group dev -c requirements/play.txt -c requirements/build.txt \
		-c requirements/page.txt -o requirements/dev.txt
	$(LOCK) pyproject.toml --extra postgres --extra accounts -c requirements/dev.txt -o requirements/server.txt
	$(LOCK) --group release -c requirements/dev.txt -o requirements/release.txt
	$(LOCK) --group docs -c requirements/dev.txt -o requirements/docs.txt
	$(LOCK) pyproject.toml --extra ray -c requirements/dev.txt -o requirements/ray.txt

clean: ## remove what make made: .venv, the page, caches, build output
	test ! -f $(VENV)/pyvenv.cfg || rm -rf $(VENV)
	rm -rf build dist .pytest_cache .mypy_cache .ruff_cache .import_linter_cache .hypothesis \
		.coverage .coverage.* htmlcov src/bohn/server/static src/bohn/server/.static-* web/node_modules
	find src tests -name __pycache__ -type d -prune -exec rm -rf {} +

# Without its interpreter (never made, or upgraded away) the environment is made anew, and so are the stamps.
$(PY):
	@command -v "$(PYTHON)" >/dev/null || { \
		echo "bohn: no '$(PYTHON)' found; install Python 3.11 or newer, or name one: make PYTHON=/path/to/python3" >&2; exit 1; }
	@"$(PYTHON)" -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
		echo "bohn: '$(PYTHON)' is $$("$(PYTHON)" -V 2>&1), but Python 3.11 or newer is needed; name one: make PYTHON=/path/to/python3" >&2; exit 1; }
	@"$(PYTHON)" -c 'import venv, ensurepip' 2>/dev/null || { \
		echo "bohn: '$(PYTHON)' lacks its venv module or ensurepip; on Debian and Ubuntu: apt install python3-venv" >&2; exit 1; }
	@echo "bohn: setting up $(VENV) (once)" >&2
	@rm -f $(PLAY) $(DEV) $(PAGE)
	@"$(PYTHON)" -m venv "$(VENV)"

# Without build isolation the build tools come from the lock too, so nothing unlocked is ever installed.
$(PLAY): requirements/build.txt requirements/play.txt pyproject.toml | $(PY)
	@$(PY) -m pip --version >/dev/null 2>&1 || $(PY) -m ensurepip >/dev/null  # uv makes .venv without pip
	@$(PIP) install --require-hashes -r requirements/build.txt -r requirements/play.txt
	@BOHN_PAGE=skip $(PIP) install --no-deps --no-build-isolation -e .
	@touch $@

# By content hatch_build.py decides whether there is anything to do; where it fails, play goes on without the page.
$(PAGE): $(WEB) hatch_build.py | $(PLAY)
	@$(BUILD_PAGE)
	@touch $@

$(DEV): requirements/dev.txt $(PLAY) | $(PY)
	@echo "bohn: installing the tools of requirements/dev.txt into $(VENV)" >&2
	@$(PIP) install --require-hashes -r requirements/dev.txt
	@touch $@
