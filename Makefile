# make lab        set up .venv, open the lesson in JupyterLab
# make test       set up, lint, run every test and every notebook
# make lint       check format, style and types; also of the JavaScript if npm is installed
# make class      set up and start a JupyterHub for a class: see classroom/README.md
# make notebooks  run the notebooks in place (the files change only where an output did)
# make pictures   draw the README's picture again, from runs of the practice model
# make site       build the lesson as a static site in build/site; it takes two minutes
# make live       build the browser edition of the lesson in build/site/live
# make live-test  build it, and test it in Chromium without a network; it takes two minutes
# make fuzz       run every property test with 20,000 random examples; it takes half an hour
# make wheel      build the lesson as one file in build/, to install it on Colab and elsewhere
# make lock       update the pinned versions in requirements/

# The first Python that is new enough. To choose one: `make lab PYTHON=/path/to/python3.12`.
PYTHON ?= $(firstword $(foreach name,python3 python3.14 python3.13 python3.12 python3.11 python,\
  $(shell $(name) -c 'import sys; sys.version_info >= (3, 11) and print("$(name)")' 2>/dev/null)))
NPM = $(and $(wildcard package-lock.json),$(shell command -v npm))
UV = .venv/bin/uv
VENV = .venv/bin/python
# The runs of the map. The site, a class and the notebooks in a browser read them from this file.
MEASURED = build/ten_steps.runs.json
# The same runs message by message, for the site's player. Both files are made together.
PLAYERS = build/ten_steps.players.zip
# Without bytecode files, the kernel of every notebook would compile the same modules again.
unexport PYTHONDONTWRITEBYTECODE
AS_ROOT = $(shell [ "$$(id -u)" != 0 ] || echo --allow-root)

# JupyterLab opens the learner's copy of the notebooks; `git pull` does not change it. The address
# in the terminal opens the first one even if JupyterLab starts no browser.
# Terminals in JupyterLab have the PATH of this line, so that `python my_agent.py` finds agentlib
# there. A login shell, which JupyterLab starts if its output is not a terminal, would reset it.
lab: .venv/lab.done
	@$(VENV) -m lesson lesson my_lesson
	PATH="$(CURDIR)/.venv/bin:$$PATH" $(VENV) -m jupyterlab $(AS_ROOT) \
		--ServerApp.terminado_settings=shell_command=bash --ServerApp.root_dir="$(CURDIR)" \
		--LabApp.default_url=/lab/tree/my_lesson/00_start_here.ipynb

# The class has a separate environment, with a Python that every user of the machine may run.
CLASS = classroom/.venv/bin/python
class: classroom/ready
	$(CLASS) -m jupyterhub -f classroom/jupyterhub_config.py

# Compile all modules now: a student has no permission to write bytecode files next to them.
classroom/ready: classroom/.venv/done classroom/node_modules/.package-lock.json $(MEASURED)
	$(CLASS) -m compileall -q agentlib lesson

classroom/.venv/done: requirements/classroom.lock requirements/build.lock pyproject.toml $(UV)
	PATH="/usr/bin:$$PATH" $(UV) venv -q --clear --python '>=3.11' classroom/.venv
	$(UV) pip install --python $(CLASS) --compile-bytecode -r requirements/build.lock -r $<
	$(UV) pip install --python $(CLASS) --no-deps --no-build-isolation -e .
	@touch $@

classroom/node_modules/.package-lock.json: classroom/package-lock.json
	@command -v npm > /dev/null || { echo "The class needs Node.js 18 or newer, with npm. On" \
		"Debian and Ubuntu: 'sudo apt install npm'. Then run 'make class' again."; exit 1; }
	npm ci --prefix classroom --no-audit --no-fund --ignore-scripts
	@touch $@

test: .venv/test.done .venv/lab.done
	@$(MAKE) --no-print-directory -j2 lint $(PLAYERS)
	@$(MAKE) --no-print-directory -j4 $(SUITES) RECORDED=nbval

lint: .venv/test.done $(if $(NPM),node_modules/.package-lock.json)
	$(VENV) -m ruff format --check .
	$(VENV) -m ruff check .
	$(VENV) -m mypy
	$(VENV) -m mypy --config-file tests/mypy.ini
	$(if $(NPM),npm run --silent check,@echo "No npm here: the widgets' JavaScript was not checked.")

# Not `npm ci`: it requires the programs of every other system in the lock.
node_modules/.package-lock.json: package-lock.json
tools/live/node_modules/.package-lock.json: tools/live/package-lock.json
node_modules/.package-lock.json tools/live/node_modules/.package-lock.json:
	npm install --prefix $(@D)/.. --no-save --no-audit --no-fund --ignore-scripts
	@touch $@

# Four suites run at a time, because they wait a lot. The output of each is shown at its end. The
# notebooks read the runs of the map; the suite `package` tests how they are measured.
SUITES = nbval widgets hub package exercises pages
$(SUITES): .venv/test.done .venv/lab.done $(MEASURED)
	@LESSON_MEASURED_RUNS=$(if $(filter-out package,$@),$(CURDIR)/$(MEASURED)) $(VENV) -m pytest $(SUITE_$@) > build/$@.txt 2>&1; \
		code=$$?; cat build/$@.txt; exit $$code
# nbval runs the notebooks and records their widgets; the site shows what is recorded.
pages: site
nbval: export PYTHONPATH = $(CURDIR)/tools
SUITE_nbval = notebooks --nbval --nbval-current-env --nbval-cell-timeout=120 -p website.recorder
SUITE_package = tests $(addprefix --ignore=,tests/browser $(SUITE_exercises) $(SUITE_hub))
SUITE_exercises = $(addprefix tests/,exercises practice_api practice_policy)
SUITE_widgets = tests/browser $(addprefix --ignore=,$(LIVE) $(SUITE_pages))
SUITE_pages = tests/browser/test_site.py tests/browser/test_written_page.py
SUITE_hub = tests/test_classroom.py
LIVE = tests/browser/test_live.py

# In build/other, a virtual environment with another Python: .ci/run makes one.
OTHER = build/other/bin/python
other:
	$(UV) pip install -q --python $(OTHER) -r requirements/build.lock -r requirements/test.lock
	$(UV) pip install -q --python $(OTHER) --no-deps --no-build-isolation -e .
	$(OTHER) -m pytest -q $(addprefix tests/,exercises test_browsers_python.py \
		test_import_guard.py test_interrupts.py test_my_agent.py)

notebooks: .venv/test.done
	$(VENV) tools/notebooks.py

pictures: .venv/test.done
	$(VENV) tools/window_picture.py

site: .venv/test.done $(PLAYERS) $(MEASURED) $(RECORDED)
	LESSON_MEASURED_RUNS=$(CURDIR)/$(MEASURED) PYTHONPATH=$(CURDIR)/tools $(VENV) -m website

# What runs depend on, and what the player shows of them.
RUN_SOURCES := $(shell find $(addprefix lesson/,practice runs samples *.py) agentlib -name '*.py' \
  -o -name '*.toml')
PLAYER_SOURCES = $(RUN_SOURCES) $(wildcard lesson/widgets/*.py) tools/website/played.py
# Play the runs in the lab's environment, or in that of the class if only that is installed.
$(MEASURED): $(RUN_SOURCES)
	@mkdir -p build
	$(if $(wildcard .venv/lab.done),$(VENV),$(CLASS)) -m lesson.runs.measured $@

$(PLAYERS): $(PLAYER_SOURCES) | .venv/lab.done
	@mkdir -p build
	PYTHONPATH=tools $(VENV) -m website.played $@ $(MEASURED)

# JupyterLite is not installed in .venv, because JupyterLab would load its kernel.
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

# build.lock: the installers. test.lock: all. lab.lock: the part for the lab. lab.txt: that part
# without hashes, because pip rejects hashes together with `-e .`, as in environment.yml.
COMPILE = $(UV) pip compile -q --universal --python-version 3.11 --no-header --no-annotate
# This is the newest Pyodide platform that uv supports; it changes no version. JupyterLite brings
# its own versions of two packages.
COMPILE_PYODIDE = $(UV) pip compile -q --python-platform wasm32-pyodide2025 --python-version 3.14 \
	--no-header --no-annotate --no-emit-package jupyterlab-widgets \
	--no-emit-package widgetsnbextension
lock: $(UV)
	$(COMPILE) --upgrade --generate-hashes --group build -o requirements/build.lock
	$(COMPILE) --upgrade --generate-hashes pyproject.toml --all-extras -o requirements/test.lock
	$(COMPILE) --generate-hashes pyproject.toml --extra lab -c requirements/test.lock \
		-o requirements/lab.lock
	$(COMPILE) --generate-hashes pyproject.toml --extra lab --group classroom \
		-c requirements/test.lock -o requirements/classroom.lock
	sed -e '/--hash=/d' -e 's/ \\$$//' requirements/lab.lock > requirements/lab.txt
	$(COMPILE) --upgrade --generate-hashes --group live -c requirements/test.lock \
		-o requirements/live.lock
	$(COMPILE_PYODIDE) --upgrade --generate-hashes --group pyodide -c requirements/lab.txt \
		-o requirements/pyodide.lock

# uv and pip check every hash. tests/test_setup.py checks that every pin has hashes.
.venv/%.done: requirements/%.lock pyproject.toml $(UV)
	$(UV) pip install --python $(VENV) -r $<
	$(UV) pip install --python $(VENV) --no-deps --no-build-isolation -e .
	@touch $@

LOCKED = install -q --require-hashes -r requirements/build.lock
$(UV): requirements/build.lock
	@test -n "$(PYTHON)" || { echo "No Python 3.11 or newer was found. Install one, or run" \
		"'make PYTHON=/path/to/python3'."; exit 1; }
	$(PYTHON) -m venv .venv || $(PYTHON) -m venv --without-pip .venv
	$(VENV) -m pip $(LOCKED) || $(PYTHON) -m pip --python $(VENV) $(LOCKED) \
		|| { echo "This Python has no pip. On Debian and Ubuntu: 'sudo apt install python3-venv'." \
		"Then run 'make' again."; exit 1; }
	@touch $@

clean:
	rm -rf .venv build node_modules tools/live/node_modules
	rm -rf classroom/.venv classroom/node_modules

.PHONY: lab class classroom/ready test lint $(SUITES) notebooks pictures site \
	live live-test fuzz wheel lock clean other
.DELETE_ON_ERROR:
