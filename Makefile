# make lab        set up .venv, and open the lesson in JupyterLab
# make test       set up, lint, and run the tests and the notebooks; only .ci/run tests `make live` and nbgrader
# make check      lint, and run the quick tests, without a browser: for every day, in a minute
# make lint       check format, style and types; also of the JavaScript if npm is installed
# make notebooks, make pictures   run the notebooks in place; take the README's pictures, write tables
# make runs       play all kept runs again, when a test asks for it
# make site, make live   build a static site in build/site; the same, with a Python in the browser
# make lock       update the versions of all packages
# make clean      delete .venv and everything else that make has installed or built

# The first Python that is new enough. To choose one: `make lab PYTHON=/path/to/python3.12`.
PYTHON ?= $(shell for name in python3 python3.14 python3.13 python3.12 python3.11 python; do \
  $$name -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>&- && echo $$name && break; done)
VENV = .venv/bin/python
UV = .venv/bin/uv
NPM = $(and $(wildcard package-lock.json),$(shell command -v npm))
# The runs message by message, for the site's players.
PLAYERS = build/ten_steps.players.zip
WITH_TOOLS = PYTHONPATH="$$PWD/tools"
# Without bytecode files, the kernel of every notebook would compile the same modules again.
unexport PYTHONDONTWRITEBYTECODE
ifneq (,$(filter test check,$(MAKECMDGOALS)))
MAKEFLAGS += -j4  # more jobs than cores, because the tests wait a lot
endif
# .venv is broken if its Python was removed or is too old, or if this folder was moved. (Not
# $(CURDIR), here and below: a path can contain quotes and dollar signs.)
NEW_ENOUGH = -c 'import sys; sys.exit(sys.version_info < (3, 11))'
WORKS = $(shell test ! -e .venv || { $(VENV) $(NEW_ENOUGH) && ! grep ^command .venv/pyvenv.cfg | \
  grep -vqF "$$(pwd -P)/"; } && echo yes)
$(if $(WORKS)$(filter clean,$(MAKECMDGOALS)),,$(error .venv is broken: run 'make clean', then 'make' again))

# `git pull` does not change the learner's copy. JupyterLab's terminals have the PATH of this line, for
# `planning-agent`. A login shell, its default, might reset it.
lab: .venv/lab.done
	@$(VENV) -m lesson lesson my_lesson
	PATH="$$PWD/.venv/bin:$$PATH" $(VENV) -m jupyterlab $$([ "$$(id -u)" != 0 ] || echo --allow-root) \
		--ServerApp.terminado_settings=shell_command=bash --ServerApp.root_dir="$$PWD" \
		--LabApp.default_url=/lab/tree/my_lesson/00_start_here.ipynb
lint: .venv/test.done $(if $(NPM),node_modules/.package-lock.json)
	$(VENV) -m ruff format --check . && $(VENV) -m ruff check .
	$(VENV) -m mypy && $(VENV) -m mypy --config-file tests/mypy.ini
	$(if $(NPM),npm run --silent check,@echo "No npm here: the widgets' JavaScript was not checked.")
# Each suite is a process of pytest, whose output is shown at its end.
SUITES = nbval widgets program package exercises pages
EXERCISES = exercises practice_api practice_policy
PROGRAM = test_export.py test_my_agent.py
package: WHAT = tests $(addprefix --ignore=tests/,browser $(EXERCISES) $(PROGRAM))
program: WHAT = $(addprefix tests/,$(PROGRAM))
exercises: WHAT = $(addprefix tests/,$(EXERCISES))
widgets: WHAT = tests/browser $(patsubst %,--ignore=tests/browser/test_%.py,live nbgrader site standalone)
nbval: WHAT = notebooks --nbval --nbval-current-env --nbval-cell-timeout=120 -p website.nbval_plugin
pages: WHAT = tests/browser/test_site.py tests/browser/test_standalone.py
pages site live: $(PLAYERS)
pages: nbval  # which records the widgets that the site shows
nbval: WITH = $(WITH_TOOLS)
$(SUITES): .venv/test.done
	$(if $(filter pages,$@),$(WITH_TOOLS) $(VENV) -m website)
	@$(WITH) $(VENV) -m pytest $(PICK) $(WHAT) \
		> .venv/$@.txt 2>&1; code=$$?; cat .venv/$@.txt; exit $$code
check: PICK = -m "not slow"
check: lint package exercises
test: $(SUITES) lint
	@! grep -h ^SKIPPED $(SUITES:%=.venv/%.txt) || echo 'These tests were skipped: what they check was not checked here.'
notebooks: .venv/test.done ; $(VENV) tools/notebooks.py
pictures: .venv/test.done ; PYTHONPATH=tests/browser $(VENV) tools/pictures.py && $(VENV) tools/arena_tables.py
runs: .venv/test.done ; $(VENV) -m lesson.runs.play_all
site: nbval ; $(WITH_TOOLS) $(VENV) -m website
# JupyterLite is not installed in .venv, because JupyterLab would load its kernel.
live: nbval build/live/done tools/live/node_modules/.package-lock.json
	$(VENV) tools/live/build.py && $(WITH_TOOLS) $(VENV) -m website
SOURCES := $(shell find agentlib lesson -name '*.py' -o -name job.toml)
$(PLAYERS): $(SOURCES) tools/website/played.py | .venv/test.done
	mkdir -p build && PYTHONPATH=tools $(VENV) -m website.played $@
# uv and pip check every hash. lab.txt has none, because pip rejects hashes together with `-e .`, as
# in environment.yml: uv takes them from test.lock.
.venv/test.done: .venv/lab.done
.venv/lab.done .venv/test.done: requirements/test.lock requirements/lab.txt pyproject.toml $(UV) $(wildcard jupyter/*/*)
	$(UV) pip install --python $(VENV) --no-deps --no-build-isolation -e . \
		-r $(if $(filter %/lab.done,$@),requirements/lab.txt -c) requirements/test.lock
	mkdir -p .venv/share/jupyter/lab/settings  # JupyterLab's own settings, only in this .venv
	cp jupyter/settings/overrides.json .venv/share/jupyter/lab/settings/ && touch $@
$(UV): LOCKED = install -q --require-hashes -r requirements/build.lock
$(UV): requirements/build.lock
	@$(or $(PYTHON),$(error No Python 3.11 or newer was found: install one, or 'make PYTHON=/path/to/it')) \
		$(NEW_ENOUGH) || { echo "$(PYTHON) is no Python 3.11 or newer."; exit 1; }
	$(PYTHON) -m venv .venv || $(PYTHON) -m venv --without-pip .venv
	$(VENV) -m pip $(LOCKED) || $(PYTHON) -m pip --python $(VENV) $(LOCKED) || { echo "No pip: run" \
		"'sudo apt install python3-venv' (Debian, Ubuntu), then 'make' again."; exit 1; } && touch $@
# Not in .venv either, because nbgrader adds menus to JupyterLab.
build/nbgrader/done: requirements/grade.lock | .venv/lab.done
	$(VENV) -m venv --without-pip build/nbgrader/env
	$(UV) pip install -q --python $(@D)/env/bin/python -r $< && touch $@
build/live/done: requirements/live.lock requirements/lab.txt | .venv/lab.done
	$(VENV) -m venv --without-pip build/live/env
	$(UV) pip install -q --python $(@D)/env/bin/python $(^:%=-r %) -c requirements/test.lock && touch $@
# Not `npm ci`: it requires the programs of every other system in the lock.
NPM_INSTALL = npm install --no-save --no-audit --no-fund --ignore-scripts
node_modules/.package-lock.json: package-lock.json ; $(NPM_INSTALL) && touch $@
%/node_modules/.package-lock.json: %/package-lock.json ; $(NPM_INSTALL) --prefix $* && touch $@
COMPILE = $(UV) pip compile -q --universal --python-version 3.11 --no-header --no-annotate
lock: $(UV)
	$(COMPILE) --upgrade --generate-hashes --group build -o requirements/build.lock
	$(COMPILE) --upgrade --generate-hashes pyproject.toml --all-extras -o requirements/test.lock
	$(COMPILE) pyproject.toml --extra lab -c requirements/test.lock -o requirements/lab.txt
	$(COMPILE) --generate-hashes -c requirements/test.lock --upgrade --group live -o requirements/live.lock
	$(COMPILE) --generate-hashes -c requirements/test.lock --upgrade pyproject.toml --group grade -o requirements/grade.lock
clean: ; rm -rf .venv build node_modules tools/live/node_modules
.PHONY: lab lint test check $(SUITES) notebooks pictures runs site live lock clean
.DELETE_ON_ERROR:
