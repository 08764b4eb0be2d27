# The commands for learners and developers. `make` without a target is `make lab`.
#
#   make lab        set up .venv, and open the lesson in JupyterLab
#   make test       set up, check the style, run all tests and all notebooks
#   make check      check the style, run the quick tests: for every day, without a browser
#   make mutants    try small changes of all solutions, which the checks must refuse (30 minutes)
#   make lint       check format, style and types; also of the JavaScript if npm is installed
#   make notebooks  run the notebooks in place, which saves their outputs
#   make pictures   take the README's pictures
#   make lock       update the versions of all packages, or with ONLY=ruff of this one
#   make clean      delete .venv and everything else that make has installed or built
#
# Only .ci/run tests nbgrader.

# The Python that makes .venv, if it shall not be the first one that is new enough:
# `make lab PYTHON=/path/to/python3.12`.
PYTHON =

VENV_PYTHON = .venv/bin/python
UV = .venv/bin/uv

# The tests wait a lot, so four targets run at a time, although most machines have fewer free cores.
ifneq ($(filter test check,$(MAKECMDGOALS)),)
MAKEFLAGS += -j4
endif

# Without bytecode files, the kernel of every notebook would compile the same modules again.
unexport PYTHONDONTWRITEBYTECODE

# ---------------------------------------------------------------------- the lesson

.PHONY: lab
lab: .venv/lab.done
	$(VENV_PYTHON) -m lesson lesson my_lesson
	tools/open_lesson.sh

# ------------------------------------------------------------- the tests, and the style

# Each suite is a process of its own. tools/run_suite.sh keeps its output in .venv/SUITE.txt.
SUITES = nbval widgets program package exercises
# The suite `exercises` has these folders below tests, `program` these files, `package` all others.
EXERCISES = tests/exercises tests/practice_api tests/practice_policy
PROGRAM = tests/test_my_agent.py
ONLY_IN_CI = tests/browser/test_nbgrader.py

.PHONY: test check lint $(SUITES)
test: $(SUITES) lint
	@! grep -h ^SKIPPED $(SUITES:%=.venv/%.txt) || echo 'These tests were skipped: what they check was not checked here.'

check: PICK = -m "not slow"
check: lint package exercises

# For some exercises: `make mutants ONLY="nag rules"`; with ADVICE=1, what a learner reads.
.PHONY: mutants
mutants: .venv/test.done
	PYTHONPATH=tests $(VENV_PYTHON) -W ignore -m exercises.mutants $(ONLY)

lint: .venv/test.done
	$(VENV_PYTHON) -m ruff format --check .
	$(VENV_PYTHON) -m ruff check .
	$(VENV_PYTHON) -m mypy
	$(VENV_PYTHON) -m mypy --config-file tests/mypy.ini
	tools/check_javascript.sh

# Every cell of every notebook runs.
nbval: .venv/test.done
	@tools/run_suite.sh nbval notebooks --nbval --nbval-current-env --nbval-cell-timeout=120

widgets: .venv/test.done
	@tools/run_suite.sh widgets tests/browser $(addprefix --ignore=,$(ONLY_IN_CI))

program: .venv/test.done
	@tools/run_suite.sh program $(PROGRAM)

package: .venv/test.done
	@tools/run_suite.sh package $(PICK) tests $(addprefix --ignore=,tests/browser $(EXERCISES) $(PROGRAM))

exercises: .venv/test.done
	@tools/run_suite.sh exercises $(PICK) $(EXERCISES)

# ------------------------------------------------- what is committed, but made by a program

.PHONY: notebooks pictures
notebooks: .venv/test.done
	$(VENV_PYTHON) tools/notebooks.py

pictures: .venv/test.done
	PYTHONPATH=tests/browser $(VENV_PYTHON) tools/pictures.py

# ------------------------------------------------------------------------ what is installed

# This rule runs every time, before any other rule that needs .venv.
.PHONY: check-venv
check-venv:
	@tools/setup/check_venv.sh

$(UV): requirements/build.lock | check-venv
	tools/setup/make_venv.sh $(PYTHON)
	touch $@

# uv checks the hash of every package: lab.txt names what a learner needs, test.lock has the hashes.
.venv/lab.done: PACKAGES = -r requirements/lab.txt -c requirements/test.lock
.venv/test.done: PACKAGES = -r requirements/test.lock
.venv/lab.done .venv/test.done: requirements/test.lock requirements/lab.txt pyproject.toml $(UV) $(wildcard jupyter/*/*) | check-venv
	$(UV) pip install --python $(VENV_PYTHON) --no-deps --no-build-isolation -e . $(PACKAGES)
	mkdir -p .venv/share/jupyter/lab/settings  # JupyterLab's settings, only in this .venv
	cp jupyter/settings/overrides.json .venv/share/jupyter/lab/settings/
	touch $@

# nbgrader is not in .venv, because it adds menus to JupyterLab.
build/nbgrader/done: requirements/grade.lock | .venv/test.done
	$(VENV_PYTHON) -m venv --without-pip build/nbgrader/env
	$(UV) pip install -q --python build/nbgrader/env/bin/python -r requirements/grade.lock
	touch $@

# With ONLY, other packages move only as far as the new version of this one needs it.
.PHONY: lock
UPGRADE = $(if $(ONLY),--upgrade-package $(ONLY),--upgrade)
COMPILE = $(UV) pip compile -q --universal --python-version 3.11 --no-header --no-annotate
lock: $(UV)
	$(COMPILE) --generate-hashes $(UPGRADE) --group build -o requirements/build.lock
	$(COMPILE) --generate-hashes $(UPGRADE) pyproject.toml --all-extras -o requirements/test.lock
	$(COMPILE) --generate-hashes $(UPGRADE) pyproject.toml --group grade -c requirements/test.lock -o requirements/grade.lock
	$(COMPILE) pyproject.toml --extra lab -c requirements/test.lock -o requirements/lab.txt

.PHONY: clean
clean:
	rm -rf .venv build node_modules

# A file whose rule has failed is deleted, so that the next `make` makes it again.
.DELETE_ON_ERROR:
