# The commands for learners and developers. `make` without a target is `make lab`.
#
#   make lab        set up .venv, and open the lesson in JupyterLab, with the options in LAB=…
#   make test       set up, check the style, run all tests and all notebooks
#   make check      check the style, run the quick tests: for every day
#   make notebooks  run the notebooks, which saves their outputs, and draw all pictures
#   make solved     write the notebooks with the solutions, with their outputs, into build/solved
#   make site       build the browser edition in build/site
#   make bench      compare the speed and size with another commit (BASE=COMMIT RUNS=5 ROWS=checks)
#   make lock       update the versions of all packages, or with ONLY=ruff of this one
#   make clean      delete .venv and everything else that make has installed or built

PYTHON = python3
BIN = .venv/bin
# Where Python may not write bytecode (many Docker images say so), each start would compile the SDK
# again, which takes two seconds. So uv compiles all of it then. Elsewhere, the first import does it.
COMPILE = $(if $(PYTHONDONTWRITEBYTECODE),--compile-bytecode)
# uv does not read pip's settings, so it gets pip's mirror, unless it has its own.
MIRROR = $${UV_DEFAULT_INDEX:-$${UV_INDEX_URL:-$${PIP_INDEX_URL:-$$($(BIN)/python -m pip config \
  get global.index-url 2>/dev/null)}}}
UV_INSTALL = UV_DEFAULT_INDEX="$(MIRROR)" $(BIN)/uv pip install -q $(COMPILE) -c requirements.lock --python

.PHONY: lab test check notebooks solved site bench lock clean

lab: .venv/lab.done
	$(BIN)/python -m lesson lesson my_lesson
	PATH="$$PWD/$(BIN):$$PATH" $(BIN)/python -m jupyterlab --allow-root \
	  --LabApp.default_url=/lab/tree/my_lesson/00_start_here.ipynb \
	  --ServerApp.terminado_settings=shell_command="bash --rcfile '$(CURDIR)/.venv/terminal.sh'" $(LAB)

test check: .venv/test.done
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/python -m pytest -n 2 $(if $(filter check,$@),-m "not slow")

notebooks solved: .venv/test.done
	$(BIN)/python tools/$@.py

site: build/env-site/done
	$(BIN)/python tools/build_site.py

bench: .venv/test.done
	BASE=$(BASE) RUNS=$(RUNS) ROWS=$(ROWS) $(BIN)/python tools/bench.py

lock: .venv/test.done
	$(BIN)/uv pip compile -q --universal --python-version 3.11 --no-header --no-annotate \
	  --generate-hashes $(if $(ONLY),--upgrade-package $(ONLY),--upgrade) -o requirements.lock \
	  pyproject.toml --all-extras --group build --group grade --group site

clean:
	rm -rf .venv build

# ---------------------------------------------------------------------- what is installed

# If this folder was moved, or if something else has emptied .venv, such as `uv sync`, or its Python
# is gone, everything is installed again.
$(shell grep -qsF "$(CURDIR)/.venv" .venv/pyvenv.cfg && $(BIN)/python -c '' \
  && test -x $(BIN)/jupyter-lab || rm -f .venv/*.done $(BIN)/uv)

# uv comes first and checks the hash of each package that it installs.
$(BIN)/uv: requirements.lock
	$(PYTHON) -m venv --clear .venv
	sed -n '/^uv==/,/[^\\]$$/p' requirements.lock > .venv/uv.txt
	$(BIN)/python -m pip install -q --no-user --require-hashes -r .venv/uv.txt
	touch $@

.venv/lab.done: EXTRAS = lab
.venv/test.done: EXTRAS = lab,test
.venv/lab.done .venv/test.done: $(BIN)/uv pyproject.toml $(wildcard jupyter/*/*)
	$(UV_INSTALL) $(BIN)/python --group build
	$(UV_INSTALL) $(BIN)/python --no-build-isolation -e ".[$(EXTRAS)]"
	# Settings of this .venv only: of JupyterLab, and of nbconvert in a terminal and in its menu.
	# A browser in a sandbox cannot open a file in a hidden folder, so the server gives an address.
	mkdir -p .venv/share/jupyter/lab/settings .venv/etc/jupyter
	cp jupyter/settings/terminal.sh .venv/
	cp jupyter/settings/overrides.json .venv/share/jupyter/lab/settings/
	cp jupyter/settings/server_and_export.json .venv/etc/jupyter/jupyter_nbconvert_config.json
	cp jupyter/settings/server_and_export.json .venv/etc/jupyter/jupyter_server_config.json
	touch $@

# nbgrader (build/env-grade/done) and JupyterLite (build/env-site/done), each in its environment.
build/env-%/done: requirements.lock .venv/test.done
	$(PYTHON) -m venv --clear --without-pip build/env-$*
	$(UV_INSTALL) build/env-$*/bin/python --group build
	$(UV_INSTALL) build/env-$*/bin/python --no-build-isolation --group $* -e ".[lab]"
	touch $@
