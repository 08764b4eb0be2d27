# make lab        set up .venv, open the lesson in JupyterLab
# make test       set up, lint, run every test and every notebook
# make lint       check format, style and types, in JavaScript too where npm is
# make class      set up, and open the lesson to a class: see classroom/README.md
# make class-test the same with simulated students, and measured; or say STUDENTS=10
# make notebooks  run the notebooks in place (the files change only where an output did)
# make pictures   draw the README's picture again, from runs of the practice model
# make site       build the lesson as a static site in build/site; it takes a minute
# make bench      measure our loop beside others', and write docs/benchmark.md
# make live       build the lesson as it runs in a browser, into build/site/live
# make live-test  build it, and try it in Chromium without a network; it takes two minutes
# make fuzz       every property test on 20,000 random examples; it takes half an hour
# make wheel      the whole lesson in one file, in build/, for Colab and other places to install
# make lock       renew the pinned versions in requirements/

# The first Python that is new enough; or say `make lab PYTHON=/path/to/python3.12`.
PYTHON ?= $(firstword $(foreach name,python3 python3.14 python3.13 python3.12 python3.11 python,\
  $(shell $(name) -c 'import sys; sys.version_info >= (3, 11) and print("$(name)")' 2>/dev/null)))
NPM = $(and $(wildcard package-lock.json),$(shell command -v npm))
UV = .venv/bin/uv
VENV = .venv/bin/python
# The runs of the map: the site, a class and the notebooks in a browser read them from this file.
MEASURED = build/ten_steps.runs.json
# Without compiled files every kernel of every notebook would compile the same modules again.
unexport PYTHONDONTWRITEBYTECODE
AS_ROOT = $(shell [ "$$(id -u)" != 0 ] || echo --allow-root)

# The notebooks that are opened are the learner's own: `git pull` changes none of them. The address
# in the terminal opens the first one, whether JupyterLab starts a browser or not.
lab: .venv/lab.done
	@$(VENV) -m lesson lesson my_lesson
	$(VENV) -m jupyterlab $(AS_ROOT) --ServerApp.root_dir="$(CURDIR)" \
		--LabApp.default_url=/lab/tree/my_lesson/00_start_here.ipynb

# The class has an environment of its own, with a Python that every user of the machine may run.
CLASS = classroom/.venv/bin/python
STUDENTS = 30
class: classroom/ready
	$(CLASS) -m jupyterhub -f classroom/jupyterhub_config.py

class-test: classroom/ready
	$(CLASS) classroom/simulate_students.py $(STUDENTS)

# Everything is compiled here, because a student may not write beside the modules.
classroom/ready: classroom/.venv/done classroom/node_modules/.package-lock.json $(MEASURED)
	$(CLASS) -m compileall -q agentlib lesson

classroom/.venv/done: requirements/classroom.lock requirements/build.lock pyproject.toml $(UV)
	PATH="/usr/bin:$$PATH" $(UV) venv -q --clear --python '>=3.11' classroom/.venv
	$(UV) pip install --python $(CLASS) --compile-bytecode -r requirements/build.lock -r $<
	$(UV) pip install --python $(CLASS) --no-deps --no-build-isolation -e .
	@touch $@

classroom/node_modules/.package-lock.json: classroom/package-lock.json
	@command -v npm > /dev/null || { echo "The class needs Node.js 18 or newer, with npm. On" \
		"Debian and Ubuntu, 'sudo apt install npm' brings it; then say 'make class' again."; exit 1; }
	npm ci --prefix classroom --no-audit --no-fund --ignore-scripts
	@touch $@

test: .venv/test.done .venv/lab.done
	@$(MAKE) --no-print-directory -j2 lint site
	@$(MAKE) --no-print-directory -j3 package lesson browser

lint: .venv/test.done $(if $(NPM),node_modules/.package-lock.json)
	$(VENV) -m ruff format --check .
	$(VENV) -m ruff check .
	$(VENV) -m mypy
	$(VENV) -m mypy --config-file tests/mypy.ini
	$(if $(NPM),npm run --silent check,@echo "No npm here: the widgets' JavaScript was not checked.")

# Not `npm ci`, which wants every other system's programs to be in the lock, too.
node_modules/.package-lock.json: package-lock.json
tools/live/node_modules/.package-lock.json: tools/live/package-lock.json
node_modules/.package-lock.json tools/live/node_modules/.package-lock.json:
	npm install --prefix $(@D)/.. --no-save --no-audit --no-fund --ignore-scripts
	@touch $@

# Side by side, for they wait a lot; what each says is kept until it has ended.
package lesson browser:
	@mkdir -p build
	@$(VENV) -m pytest $(SUITE_$@) > build/$@.txt 2>&1; \
		code=$$?; cat build/$@.txt; exit $$code
SUITE_package = tests $(addprefix --ignore=,tests/browser $(LESSON))
SUITE_lesson = $(LESSON) notebooks --nbval --nbval-current-env --nbval-cell-timeout=120
SUITE_browser = tests/browser --ignore=$(LIVE)
LESSON = $(addprefix tests/,exercises practice_api practice_policy)
LIVE = tests/browser/test_live.py

notebooks: .venv/test.done
	$(VENV) tools/notebooks.py

pictures: .venv/test.done
	$(VENV) tools/window_picture.py

site: .venv/lab.done $(MEASURED)
	LESSON_MEASURED_RUNS=$(CURDIR)/$(MEASURED) PYTHONPATH=tools $(VENV) -m website

# Either environment can play the runs: a class has only its own.
$(MEASURED): $(shell find agentlib lesson -name '*.py' -not -path '*/widgets/*' -o -name '*.toml')
	@mkdir -p build
	$(if $(wildcard .venv/lab.done),$(VENV),$(CLASS)) -m lesson.runs.measured $@

# The others' packages stay out of .venv. The browser's test measures from a key to the picture.
bench: build/bench/done
	-$(VENV) -m pytest -q tests/browser/test_runs.py -k drawn_at_once
	build/bench/bin/python -m bench

build/bench/done: requirements/bench.lock requirements/build.lock | .venv/test.done
	$(VENV) -m venv --without-pip build/bench
	$(UV) pip install -q --python build/bench/bin/python $(addprefix -r ,$^)
	$(UV) pip install -q --python build/bench/bin/python --no-deps --no-build-isolation -e .
	@touch $@

# JupyterLite stays out of .venv, where JupyterLab would load its kernel, too.
live: .venv/lab.done build/live/done tools/live/node_modules/.package-lock.json $(MEASURED)
	$(VENV) tools/live/build.py
	@$(MAKE) --no-print-directory site  # its pages link to what is live

build/live/done: requirements/lab.lock requirements/live.lock | .venv/lab.done
	$(VENV) -m venv --without-pip build/live/env
	$(UV) pip install -q --python build/live/env/bin/python $(addprefix -r ,$^)
	@touch $@

live-test: .venv/test.done live
	$(VENV) -m pytest $(LIVE)

wheel: .venv/test.done
	$(VENV) -m hatchling build -t wheel -d build

fuzz: .venv/test.done
	$(VENV) -m pytest tests --ignore=tests/browser -m hypothesis --hypothesis-profile=fuzz

# A lock for what installs the rest, one for all, then the lab's part of it, then that part
# without hashes: pip refuses hashes beside `-e .`, and environment.yml needs both in one list.
COMPILE = $(UV) pip compile -q --universal --python-version 3.11 --no-header --no-annotate
# uv knows no newer kind of Pyodide, but that changes no version. JupyterLite has its own of two.
COMPILE_PYODIDE = $(UV) pip compile -q --python-platform wasm32-pyodide2025 --python-version 3.14 \
	--no-header --no-annotate --no-emit-package jupyterlab-widgets \
	--no-emit-package widgetsnbextension
lock: $(UV)
	$(COMPILE) --upgrade --generate-hashes --group build -o requirements/build.lock
	$(COMPILE) --upgrade --generate-hashes pyproject.toml --all-extras -o requirements/test.lock
	$(COMPILE) --generate-hashes pyproject.toml --extra lab -c requirements/test.lock \
		-o requirements/lab.lock
	$(COMPILE) --upgrade --generate-hashes pyproject.toml --extra lab --group bench \
		-c requirements/test.lock -o requirements/bench.lock
	$(COMPILE) --generate-hashes pyproject.toml --extra lab --group classroom \
		-c requirements/test.lock -o requirements/classroom.lock
	sed -e '/--hash=/d' -e 's/ \\$$//' requirements/lab.lock > requirements/lab.txt
	$(COMPILE) --upgrade --generate-hashes --group live -c requirements/test.lock \
		-o requirements/live.lock
	$(COMPILE_PYODIDE) --upgrade --generate-hashes --group pyodide -c requirements/lab.txt \
		-o requirements/pyodide.lock

# uv and pip check every hash; a test sees to it that every pin has some.
.venv/%.done: requirements/%.lock pyproject.toml $(UV)
	$(UV) pip install --python $(VENV) -r $<
	$(UV) pip install --python $(VENV) --no-deps --no-build-isolation -e .
	@touch $@

LOCKED = install -q --require-hashes -r requirements/build.lock
$(UV): requirements/build.lock
	@test -n "$(PYTHON)" || { echo "No Python 3.11 or newer was found: install one, or say" \
		"'make PYTHON=/path/to/python3'."; exit 1; }
	$(PYTHON) -m venv .venv || $(PYTHON) -m venv --without-pip .venv
	$(VENV) -m pip $(LOCKED) || $(PYTHON) -m pip --python $(VENV) $(LOCKED) \
		|| { echo "This Python has no pip. On Debian and Ubuntu, 'sudo apt install python3-venv'" \
		"brings it; then say 'make' again."; exit 1; }
	@touch $@

clean:
	rm -rf .venv build node_modules tools/live/node_modules
	rm -rf classroom/.venv classroom/node_modules

.PHONY: lab class class-test classroom/ready test lint package lesson browser notebooks pictures \
	site bench live live-test fuzz wheel lock clean
.DELETE_ON_ERROR:
